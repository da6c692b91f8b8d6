import { Type, type Static, type TObject } from "../../schema.ts";

/** What a batching evaluator takes where nothing is said. */
export const evaluatorDefaults = { batch: 256, cache: 0, symmetries: "none" } as const;

/** Settings of a batching evaluator. */
export const evaluatorSettings = {
  net: Type.String({ description: "The net it computes (a name under nets)." }),
  batch: Type.Integer({
    minimum: 1,
    maximum: 65536,
    default: evaluatorDefaults.batch,
    description: "Most positions that one worker thread may ask about at once.",
  }),
  sessions: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1024,
      description:
        "Threads that compute batches side by side, each with the net in a session of its own; absent: one for each core where memory allows, one alone on a GPU.",
    }),
  ),
  cache: Type.Integer({
    minimum: 0,
    maximum: 100_000_000,
    default: evaluatorDefaults.cache,
    description:
      "Positions whose answers each worker thread keeps while the weights stay the same; 0 for none. It changes the speed and the memory, not the results.",
  }),
  symmetries: Type.Union(
    [
      Type.Literal("none", { description: "the position as it is" }),
      Type.Literal("all", { description: "all symmetries of the game" }),
      Type.Integer({ minimum: 1, maximum: 1024, description: "how many are drawn" }),
    ],
    {
      default: evaluatorDefaults.symmetries,
      description:
        "Values and priors are means over symmetric images of the position: `none`, `all`, or a number of them drawn by the position.",
    },
  ),
};

/** Settings of a batching evaluator as a value. */
export type EvaluatorSettings = Static<TObject<typeof evaluatorSettings>>;
