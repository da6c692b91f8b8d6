import { Type } from "../../../schema.ts";
import { MOST_GAMES } from "../../experiment/most-games.ts";

/** Settings of the monitor for diverging values. */
export const monitorSchema = Type.Object(
  {
    low: Type.Number({
      minimum: -1e6,
      maximum: 1e6,
      default: 0.1,
      description: "Smallest allowed ratio of V(start) to the mean score.",
    }),
    high: Type.Number({
      minimum: -1e6,
      maximum: 1e6,
      default: 1.5,
      description: "Largest allowed ratio of V(start) to the mean score.",
    }),
    warmUp: Type.Integer({
      minimum: 0,
      maximum: MOST_GAMES,
      default: 1000,
      description: "Games before the ratio is first checked.",
    }),
    window: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 200,
      description: "Number of latest games that both means are taken over.",
    }),
  },
  {
    additionalProperties: false,
    default: {},
    description:
      "Stops the run when V(start), the mean value of the start positions, no longer matches the mean score of the games (one-player games).",
  },
);
