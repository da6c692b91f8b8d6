import { Type } from "../../schema.ts";

/** The greatest number of simulations that a search may be given. */
const MOST_SIMULATIONS = 10_000_000;

/** The option `simulations` of a search by playouts. */
export const simulationsOption = (byDefault: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_SIMULATIONS, default: byDefault, description }));

/** The longest decision, in milliseconds: a day. */
export const MOST_MILLISECONDS = 86_400_000;

/** The option `milliseconds` of a search by playouts: a time limit in place of a number of simulations. */
export const millisecondsOption = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MOST_MILLISECONDS,
    default: 0,
    description:
      "Time of a decision in milliseconds, in place of simulations; 0 means that simulations count. In the stages of experiments it is processor time of the searching thread, unless the agent waits for a net; otherwise it is wall time. Decisions under a time limit are not reproducible.",
  }),
);

/** The option `exploration`, the C of UCB1. */
export const explorationOption = (byDefault: number, description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, default: byDefault, description }));

/** The option `expansion`: the number of visits that a leaf needs before it is expanded. */
export const expansionOption = (byDefault: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: byDefault, description }));

/** The option `epsilon` of epsilon-greedy playouts. */
export const epsilonOption = (byDefault: number, description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: byDefault, description }));

/** The option `reuse`: whether the tree of a decision is kept for the next one. */
export const reuseOption = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      "Whether the tree below the moves played is kept for the next decision. The simulations counted in it are extra.",
  }),
);
