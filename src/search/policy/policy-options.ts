import { Type } from "../../schema.ts";
import { MOST_MILLISECONDS } from "../playouts/playout-options.ts";
import { leafPlayouts } from "../playouts/leaf-playouts.ts";
import { passLastOption } from "../choice/pass-last.ts";
import { resignOption } from "../choice/resignation.ts";
import { playoutCap } from "./playout-cap.ts";
import { priorTemperatureOption, rootPriorTemperatureOption } from "./prior-temperature.ts";

/** The option `solver`. */
export const solverOption = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      "Whether the search proves the exact values of nodes near the end of the game (MCTS-Solver): it plays proven wins, and neither plays nor learns proven losses.",
  }),
);

/** The greatest number of leaves in flight. */
export const MOST_IN_FLIGHT = 256;

/** Leaves in flight in a game alone: an evaluation then costs at most 1.2 times as much as in the batches of many games. */
const LEAVES_ALONE = 8;

/** The settings of a policy-guided search in a game alone. */
export const policySearchAlone = { leaves: LEAVES_ALONE };

/** The options that every policy-guided search takes. */
export const policySearchOptions = (simulations: number) => ({
  simulations: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      default: simulations,
      description: "Simulations of a decision. The evaluation of the root is extra.",
    }),
  ),
  milliseconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MOST_MILLISECONDS,
      default: 0,
      description:
        "Wall time of a decision in milliseconds; 0: simulations count. Not reproducible: in experiments give `equalTime` of the arena instead.",
    }),
  ),
  leaves: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MOST_IN_FLIGHT }), Type.Null()], {
      default: null,
      description: `Maximum number of leaves in flight, whose evaluations share a request; 1: one after another. null: 1 in the stages of experiments, where games share requests, and ${LEAVES_ALONE} if the agent plays one game at a time.`,
    }),
  ),
  priorTemperature: priorTemperatureOption(1),
  rootPriorTemperature: rootPriorTemperatureOption,
  playoutCap: Type.Optional(playoutCap),
  playouts: Type.Optional(leafPlayouts),
  reuse: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Whether the tree below the moves played is kept for the next decision. Its simulations are extra.",
    }),
  ),
  solver: solverOption,
  passLast: passLastOption,
  resign: resignOption,
  perSeat: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        "Whether every seat of the agent has a tree of its own. false: its seats share one tree, which with reuse continues at every ply. This is meant for self-play.",
    }),
  ),
});
