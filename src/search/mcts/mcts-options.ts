import { Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import { groupingOption, unsuitedGrouping } from "../grouping/grouping.ts";
import {
  epsilonOption,
  expansionOption,
  explorationOption,
  millisecondsOption,
  reuseOption,
  simulationsOption,
} from "../playouts/playout-options.ts";
import { payoffBounds } from "./payoff.ts";
import { selectionOptions, unsuitedSelection } from "./selection-options.ts";

/** Options of `mcts-max-n`, `mcts-paranoid` and `mcts-best-reply`; the defaults are those of BlokusZero. */
export const mctsOptions = Type.Object(
  {
    simulations: simulationsOption(
      800,
      "Simulations of a decision. The one that expands the root of a new tree is extra.",
    ),
    milliseconds: millisecondsOption,
    exploration: explorationOption(0.2, "C of UCB1, in units of the payoff."),
    progressiveHistory: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        default: 5,
        description: "W of Progressive History; 0 turns it off. Needs payoffs between 0 and 1.",
      }),
    ),
    epsilon: epsilonOption(
      0.05,
      "Probability that a playout move is drawn from all playout moves of the game: the legal ones, in Go without own eyes and suicides. Otherwise it is one that the game prefers. 1 makes playouts uniformly random.",
    ),
    payoff: Type.Optional(
      Type.Union([Type.Literal("win"), Type.Literal("share"), Type.Literal("score")], {
        default: "win",
        description:
          "What a finished game pays. win: 1 to every seat with the top return, 0 to the others. share: the win share, where seats that share the top return divide the 1. score: the returns.",
      }),
    ),
    expansion: expansionOption(
      1,
      "Visits of a leaf before the visit that expands it. The root is expanded after its first visit.",
    ),
    solver: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether the search proves the exact values of nodes near the end of the game (MCTS-Solver).",
      }),
    ),
    reuse: reuseOption,
    learnTemperature: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        default: 0,
        description:
          "T of the policy target n exp(q / T), where n is the visits of a move and q its mean payoff (the E-step of Abdolmaleki et al. 2018). Use it with hundreds of moves: each is visited once or twice, and visits alone say little. 0: the visits are the target.",
      }),
    ),
    ...selectionOptions,
    grouping: groupingOption,
  },
  { additionalProperties: false },
);

/** The options, complete. */
export type MctsOptions = Required<Static<typeof mctsOptions>>;

/** The reason why these options do not suit a game, or undefined if they do. */
export function unsuitedMcts<S>(game: Game<S>, options: MctsOptions): string | undefined {
  const { payoff, progressiveHistory } = options;
  const missing = unsuitedGrouping(game, options) ?? unsuitedSelection(game, options);
  if (missing !== undefined) return missing;
  const [least, most] = payoffBounds(payoff, game);
  return progressiveHistory > 0 && (least < 0 || most > 1)
    ? `progressiveHistory needs payoffs between 0 and 1, and the returns of ${game.name} go beyond: set it to 0, or payoff to win or share`
    : undefined;
}
