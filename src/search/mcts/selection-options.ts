import { Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import { unknownPrior } from "./child-priors.ts";
import { payoffBounds, type PayoffName } from "./payoff.ts";

/** The option `rave`. */
const raveSchema = Type.Union(
  [
    Type.Null(),
    Type.Object(
      {
        use: Type.Literal("equivalence", {
          description: "The weight follows from an equivalence parameter.",
        }),
        k: Type.Number({
          exclusiveMinimum: 0,
          maximum: 1e9,
          description:
            "Visits of a node at which a move's own statistics and its AMAF statistics weigh the same.",
        }),
      },
      { additionalProperties: false, description: "beta = sqrt(k / (3 N + k)), N the visits of the node." },
    ),
    Type.Object(
      {
        use: Type.Literal("bias", { description: "The weight follows from the bias of the statistics." }),
        b: Type.Number({
          minimum: 0,
          maximum: 1000,
          description: "The assumed bias of AMAF values, in units of the payoff.",
        }),
      },
      {
        additionalProperties: false,
        description:
          "beta = m / (n + m + 4 n m b^2), n and m the numbers of the move's own and of its AMAF payoffs. For payoffs between 0 and 1.",
      },
    ),
  ],
  {
    default: null,
    description:
      "Rapid action value estimation: selection mixes a move's mean payoff with that of all simulations in which the mover makes the move later (AMAF), weighted by beta. null: no AMAF statistics.",
  },
);

/** The option `prior`. */
const priorSchema = Type.Union(
  [
    Type.Null(),
    Type.Object(
      {
        of: Type.String({
          description:
            "What values moves: preference (how much the game prefers the move, from 0 for the least among the legal moves to 1 for the greatest), policy (the odds of the move relative to the likeliest one, by the policy of the net), or one of the game's move priors.",
        }),
        visits: Type.Number({
          minimum: 0,
          maximum: 1_000_000,
          description: "Virtual visits of each new move. 0: the prior only orders moves for widening.",
        }),
        temperature: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 1000,
            default: 1,
            description:
              "Temperature T: the prior value p counts as p^(1/T). Above 1 it brings the odds of a sharp policy closer together.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ],
  {
    default: null,
    description:
      "Each new move starts with virtual visits that paid its prior value, from 0 to 1, also in its AMAF statistics. null: new moves start without visits.",
  },
);

/** The option `widening`. */
const wideningSchema = Type.Union(
  [
    Type.Null(),
    Type.Object(
      {
        simulations: Type.Number({
          exclusiveMinimum: 0,
          maximum: 1e9,
          description: "Visits of a node before its second move is considered (Coulom: 40).",
        }),
        growth: Type.Number({
          minimum: 1,
          maximum: 1000,
          description:
            "Each further move needs this many times the visits that the move before it needed (Coulom: 1.4).",
        }),
      },
      { additionalProperties: false },
    ),
  ],
  {
    default: null,
    description:
      "Progressive widening: a node considers one move at first, and more with its visits, those of greatest prior first. null: all moves at once.",
  },
);

const firstPlaySchema = Type.Union([Type.Null(), Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })], {
  default: null,
  description:
    "First-play urgency: the value of a move that has no visits, real, virtual or AMAF, in units of the payoff. null: such moves come before all others.",
});

/** Options of selection beyond UCB1, for searches by playouts. */
export const selectionOptions = {
  rave: Type.Optional(raveSchema),
  prior: Type.Optional(priorSchema),
  widening: Type.Optional(wideningSchema),
  firstPlay: Type.Optional(firstPlaySchema),
};

/** The options, complete. */
export interface SelectionOptions {
  readonly rave: Static<typeof raveSchema>;
  readonly prior: Static<typeof priorSchema>;
  readonly widening: Static<typeof wideningSchema>;
  readonly firstPlay: Static<typeof firstPlaySchema>;
}

/** The reason why these options do not suit a game, or undefined if they do. */
export function unsuitedSelection<S>(
  game: Game<S>,
  { prior, grouping, payoff }: SelectionOptions & { readonly grouping: string; readonly payoff: PayoffName },
): string | undefined {
  if (prior === null) return undefined;
  const unknown = unknownPrior(game, prior.of);
  if (unknown !== undefined) return unknown;
  if (grouping !== "none" && prior.of !== "preference")
    return "groups of moves have no prior but preference: set grouping to none, or prior to preference";
  const [least, most] = payoffBounds(payoff, game);
  return least < 0 || most > 1
    ? `prior values need payoffs between 0 and 1, and the returns of ${game.name} go beyond: set prior to null, or payoff to win or share`
    : undefined;
}
