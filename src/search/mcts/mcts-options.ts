import { Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import { groupingDescription, unsuitedGrouping } from "../grouping/grouping.ts";
import { payoffBounds } from "./payoff.ts";

/** Options of `mcts-max-n`, `mcts-paranoid` and `mcts-best-reply`; the defaults are the source's. */
export const mctsOptions = Type.Object(
  {
    simulations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        default: 800,
        description: "Simulations a decision; the one that begins a tree at its root comes on top.",
      }),
    ),
    milliseconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        default: 0,
        description:
          "Wall time a decision, in place of simulations; 0: simulations count. Decisions under a time limit are not reproducible.",
      }),
    ),
    exploration: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        default: 0.2,
        description: "C of UCB1, in units of the payoff.",
      }),
    ),
    progressiveHistory: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        default: 5,
        description: "W of Progressive History; 0: without. Needs payoffs between 0 and 1.",
      }),
    ),
    epsilon: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.05,
        description:
          "How often a playout's move is any legal one, not one that the game prefers; 1: uniformly random playouts.",
      }),
    ),
    payoff: Type.Optional(
      Type.Union([Type.Literal("win"), Type.Literal("share"), Type.Literal("score")], {
        default: "win",
        description:
          "What a finished game pays: win: 1 to everyone with the top return, 0 to the others; share: that 1 divided among them; score: the returns.",
      }),
    ),
    expansion: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: 1,
        description: "Visits of a leaf before the one that expands it; the root's first is enough.",
      }),
    ),
    solver: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Prove nodes whose value the ends of the game below them settle.",
      }),
    ),
    reuse: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Keep the tree below the moves played for the next decision; what was counted in it comes on top of simulations.",
      }),
    ),
    learnTemperature: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        default: 0,
        description:
          "T of the policy to learn from its decisions, n exp(q / T), n the visits and q the mean payoff of a move, in its units (Abdolmaleki et al. 2018, the E-step): among hundreds of moves each is visited once or twice, and visits alone say little; 0: the visits.",
      }),
    ),
    grouping: Type.Optional(Type.String({ default: "none", description: groupingDescription })),
  },
  { additionalProperties: false },
);

/** The options, complete. */
export type MctsOptions = Required<Static<typeof mctsOptions>>;

/** Why options do not suit a game, or undefined where they do. */
export function unsuitedMcts<S>(
  game: Game<S>,
  { grouping, payoff, progressiveHistory }: MctsOptions,
): string | undefined {
  const missing = unsuitedGrouping(game, { grouping });
  if (missing !== undefined) return missing;
  const [least, most] = payoffBounds(payoff, game);
  return progressiveHistory > 0 && (least < 0 || most > 1)
    ? `progressiveHistory presumes payoffs between 0 and 1, and returns of ${game.name} go beyond: set it to 0, or payoff to win or share`
    : undefined;
}
