import { type Static, Type } from "../../schema.ts";

const closed = { additionalProperties: false } as const;

/** Of ranges: beyond this, whole numbers are no longer exact. */
const bounds = { minimum: -1e15, maximum: 1e15 } as const;

/** How a key that is drawn at random is drawn; `checkSweep` checks which of these belong together. */
const drawn = Type.Object(
  {
    low: Type.Optional(Type.Number({ ...bounds, description: "The lower end of the range." })),
    high: Type.Optional(
      Type.Number({ ...bounds, description: "The upper end of the range, which belongs to it." }),
    ),
    scale: Type.Optional(
      Type.Unsafe<"linear" | "log">({
        type: "string",
        enum: ["linear", "log"],
        description: "log: the logarithm is drawn uniformly. Default: linear.",
      }),
    ),
    whole: Type.Optional(Type.Boolean({ description: "Draw whole numbers. Default: false." })),
    choose: Type.Optional(
      Type.Array(Type.Unsafe<unknown>({ description: "A value." }), {
        minItems: 1,
        description: "Values, one of which is drawn; in place of a range.",
      }),
    ),
  },
  { ...closed, description: "A range (`low`, `high`) or a choice (`choose`)." },
);

/**
 * The key `sweep` of an experiment file: which runs a sweep makes of it. Keys are paths, as `--set` takes them. Every entry
 * of `list`, every combination of `grid` and every draw of `random` are combined with each other and with every seed.
 */
export const sweepSchema = Type.Object(
  {
    seeds: Type.Optional(
      Type.Union(
        [
          Type.Integer({ minimum: 1, maximum: 10_000 }),
          Type.Array(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
            minItems: 1,
            uniqueItems: true,
          }),
        ],
        {
          description:
            "Runs of every combination with different seeds: their number (from the experiment's seed on), or the seeds. Default: 1.",
        },
      ),
    ),
    grid: Type.Optional(
      Type.Unsafe<Readonly<Record<string, readonly unknown[]>>>({
        type: "object",
        minProperties: 1,
        additionalProperties: { type: "array", minItems: 1, description: "The values of this key." },
        description:
          "Every combination of the values of these keys. A key is a path such as graph.learn.lambda; any key of the file will do.",
      }),
    ),
    list: Type.Optional(
      Type.Unsafe<readonly Readonly<Record<string, unknown>>[]>({
        type: "array",
        minItems: 1,
        items: { type: "object", description: "Keys (paths) and their values." },
        description: "Combinations, one by one: each entry gives values to keys (paths).",
      }),
    ),
    random: Type.Optional(
      Type.Object(
        {
          draws: Type.Integer({
            minimum: 1,
            maximum: 10_000,
            description: "Number of combinations to draw.",
          }),
          keys: Type.Unsafe<Readonly<Record<string, Static<typeof drawn>>>>({
            type: "object",
            minProperties: 1,
            additionalProperties: drawn,
            description: "What is drawn, by key (path).",
          }),
        },
        { ...closed, description: "Combinations drawn at random, by the seed of the experiment." },
      ),
    ),
  },
  {
    ...closed,
    description:
      "Makes the file a sweep: many runs of one experiment that differ in settings and seeds. `ludoflow sweep FILE` runs them.",
  },
);

/** The sweep of an experiment file. */
export type SweepSettings = Static<typeof sweepSchema>;
