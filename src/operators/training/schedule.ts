import { Type, type Static } from "../../schema.ts";

/** The least and the greatest value of a schedule, as its schema says them. */
interface Bounds {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum: number;
}

/**
 * A value that changes by steps: one number, or a list of `{ until, value }` whose last entry has no `until`. `bounds`
 * hold for each of its values.
 */
export const scheduleSchema = (what: string, until: string, bounds: Bounds) =>
  Type.Union(
    [
      Type.Number({ ...bounds, description: "a number" }),
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
            value: Type.Number({ ...bounds, description: what }),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, description: "a list of { until, value } whose last entry has no until" },
      ),
    ],
    { description: `${what}: a number, or a list of { until, value } by ${until}.` },
  );

/** A schedule as it stands in an experiment file. */
export type Schedule = Static<ReturnType<typeof scheduleSchema>>;

/** The value at a position, counted from 1: the first entry whose `until` is not yet passed. */
export function scheduled(schedule: Schedule, position: number): number {
  if (typeof schedule === "number") return schedule;
  const entry = schedule.find(({ until }) => until === undefined || position <= until);
  return (entry ?? schedule.at(-1)!).value;
}

/** What is wrong with a schedule that its schema cannot say; undefined when nothing is. */
export function scheduleComplaint(schedule: Schedule): string | undefined {
  if (typeof schedule === "number") return undefined;
  const bounds = schedule.slice(0, -1).map(({ until }) => until);
  if (bounds.includes(undefined) || schedule.at(-1)!.until !== undefined)
    return "every entry but the last has an until, and the last has none";
  if (bounds.some((until, i) => i > 0 && until! <= bounds[i - 1]!)) return "the untils must increase";
  return undefined;
}
