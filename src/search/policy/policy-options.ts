import { Type } from "../../schema.ts";
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
        "Whether every seat of the agent has a tree of its own. false: its seats share one tree, which with reuse goes on at every ply. This is meant for self-play.",
    }),
  ),
});
