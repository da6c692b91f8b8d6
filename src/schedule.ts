import { Type, type Static } from "./schema.ts";

/** The bounds of the values of a schedule, as keywords of its schema. */
interface Bounds {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum: number;
  readonly multipleOf?: number;
}

/**
 * The schema of a value that changes in phases: one number, or a list of `{ until, value }` whose last entry has no
 * `until`. `bounds` are the bounds of each value.
 */
export const scheduleSchema = (what: string, until: string, bounds: Bounds) =>
  Type.Union(
    [
      Type.Number({ ...bounds, description: "One value for the whole run." }),
      Type.Array(
        Type.Object(
          {
            until: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: 1e12,
                description: `The value holds up to this ${until}.`,
              }),
            ),
            value: Type.Number({ ...bounds, description: `${what}.` }),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, description: "A list of { until, value } whose last entry has no until." },
      ),
    ],
    { description: `${what}: a number, or a list of { until, value } by ${until}.` },
  );

/** A schedule as written in an experiment file. */
export type Schedule = Static<ReturnType<typeof scheduleSchema>>;

/** The value at a position, counted from 1: the value of the first entry with `until` at or after the position. */
export function scheduled(schedule: Schedule, position: number): number {
  if (typeof schedule === "number") return schedule;
  const entry = schedule.find(({ until }) => until === undefined || position <= until);
  return (entry ?? schedule.at(-1)!).value;
}

/** The mistake in a schedule that its schema cannot detect; undefined if there is none. */
export function scheduleComplaint(schedule: Schedule): string | undefined {
  if (typeof schedule === "number") return undefined;
  const bounds = schedule.slice(0, -1).map(({ until }) => until);
  if (bounds.includes(undefined) || schedule.at(-1)!.until !== undefined)
    return "every entry but the last has an until, and the last has none";
  if (bounds.some((until, i) => i > 0 && until! <= bounds[i - 1]!)) return "the untils must increase";
  return undefined;
}
