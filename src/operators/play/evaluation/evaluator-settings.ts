import { Type, type Static, type TObject } from "../../../schema.ts";

/** The default settings of a batching evaluator. */
export const evaluatorDefaults = { batch: 256, cache: 0, symmetries: "none", versions: 12 } as const;

/** Settings of a batching evaluator. */
export const evaluatorSettings = {
  net: Type.String({ description: "The net it computes (a name under nets)." }),
  batch: Type.Integer({
    minimum: 1,
    maximum: 65536,
    default: evaluatorDefaults.batch,
    description: "Maximum number of positions in one request of a worker thread.",
  }),
  sessions: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1024,
      description:
        "Number of threads that compute batches side by side, each with its own session of the net. Absent: one per core as far as memory allows, and two on a GPU.",
    }),
  ),
  versions: Type.Integer({
    minimum: 1,
    maximum: 1024,
    default: evaluatorDefaults.versions,
    description:
      "Maximum number of versions of the net's weights that each session holds. Several are in use if agents play against earlier selves, or if games with an earlier version are still under way. The least recently used version is dropped, and loaded again when it is needed. It changes speed and memory, not results.",
  }),
  cache: Type.Integer({
    minimum: 0,
    maximum: 100_000_000,
    default: evaluatorDefaults.cache,
    description:
      "Number of positions whose responses each worker thread keeps, separately for each version of the weights; 0 for none. It changes speed and memory, not results.",
  }),
  symmetries: Type.Union(
    [
      Type.Literal("none", { description: "The position as it is." }),
      Type.Literal("all", { description: "All symmetries of the game." }),
      Type.Integer({ minimum: 1, maximum: 1024, description: "Number of symmetries drawn." }),
    ],
    {
      default: evaluatorDefaults.symmetries,
      description:
        "Symmetric images of a position over which values and priors are averaged: `none`; `all`; or a number of images, drawn by the hash of the position.",
    },
  ),
};

/** Settings of a batching evaluator as a value. */
export type EvaluatorSettings = Static<TObject<typeof evaluatorSettings>>;
