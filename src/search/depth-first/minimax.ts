import { Type, type Static } from "../../schema.ts";
import { type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer, firstBest } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";
import type { Search, Searching } from "../search.ts";
import { TimeBudget } from "../time-budget.ts";
import { Descent } from "./depth-first.ts";
import { FinalPayoff } from "./final-payoff.ts";
import { NullWindow } from "./null-window.ts";
import { unknownValue } from "./static-payoff.ts";

const options = Type.Object(
  {
    milliseconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        default: 0,
        description:
          "Wall time of a decision in milliseconds. When it is up, the move with the best bounds is played. 0 means no limit. Decisions under a time limit are not reproducible.",
      }),
    ),
    value: Type.Optional(
      Type.String({
        default: "auto",
        description:
          "What finished games are valued by: one of the game's static evaluations (Go: area) or returns; auto: the first static evaluation, returns where there is none.",
      }),
    ),
    pruning: Type.Optional(
      Type.Union([Type.Literal("full"), Type.Literal("inner"), Type.Literal("none")], {
        default: "full",
        description:
          "full: alpha-beta. inner: alpha-beta below each move of the root, so that the value of every move is exact. none: plain minimax, which visits the whole game tree.",
      }),
    ),
    table: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 16_777_216,
        default: 1_048_576,
        description:
          "Number of entries of the transposition table; 0 turns it off. It needs a game with a position hash.",
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Exact minimax value of a game of two players, whose payoff is the margin: own value less that of the other. The search
 * runs to the end of the game. It plays the first of the best moves.
 */
class Minimax<S> implements Search<S> {
  readonly maxRequest = 0;
  readonly #game: Game<S>;
  readonly #pruning: "full" | "inner" | "none";
  readonly #payoff: FinalPayoff<S>;
  readonly #descent: Descent<S>;
  readonly #search: NullWindow<S>;
  readonly #buffer: DecisionBuffer<S>;
  readonly #child: S;

  constructor(game: Game<S>, { milliseconds, value, pruning, table }: Required<Static<typeof options>>) {
    this.#game = game;
    this.#pruning = pruning;
    this.#payoff = new FinalPayoff(game, value);
    this.#descent = new Descent(game, new TimeBudget(milliseconds));
    this.#search = new NullWindow(this.#descent, this.#payoff, table);
    this.#buffer = new DecisionBuffer(game);
    this.#child = game.initial();
  }

  /** Positions visited in the last decision. */
  get nodes(): number {
    return this.#descent.nodes;
  }

  // oxlint-disable-next-line require-yield -- it makes no requests
  *search(state: S, _random: Random, _decisions: number, milliseconds?: number): Searching<S> {
    const game = this.#game;
    const search = this.#search;
    const rows = this.#buffer.open(state);
    const { actions, actionValues } = rows;
    const mover = game.toMove(state);
    this.#payoff.side = mover;
    this.#descent.begin(milliseconds);
    search.begin();
    let index: number;
    if (this.#pruning === "full") {
      const best = search.solve(state);
      index = search.bestMove(actions.length);
      // The value of a move that was cut is at most that of the best one.
      for (let i = 0; i < actions.length; i++) actionValues[i] = Math.min(search.rootMost[i]!, best);
    } else {
      for (let i = 0; i < actions.length; i++) {
        game.copy(state, this.#child);
        game.play(this.#child, actions[i]!);
        actionValues[i] = this.#pruning === "none" ? this.#plain(this.#child, 0) : search.solve(this.#child);
      }
      index = firstBest(actionValues);
    }
    const value = actionValues[index]!;
    const values = mover === 0 ? [value, 0 - value] : [0 - value, value];
    return this.#buffer.close(rows, index, values);
  }

  /** Minimax without any pruning: the payoff of the root's seat. */
  #plain(state: S, depth: number): number {
    const game = this.#game;
    const toMove = game.toMove(state);
    this.#descent.visit();
    if (toMove === OVER) return this.#payoff.final(state);
    const { state: child, actions } = this.#descent.level(depth);
    const count = game.legal(state, actions);
    const sign = toMove === this.#payoff.side ? 1 : -1;
    let best = -Infinity;
    for (let i = 0; i < count; i++) {
      game.copy(state, child);
      game.play(child, actions[i]!);
      best = Math.max(best, sign * this.#plain(child, depth + 1));
    }
    return sign * best + 0;
  }
}

/** Exact minimax values: see `Minimax` and `NullWindow`. */
export const minimax: SearchDefinition<typeof options> = {
  name: "minimax",
  description: "Exact value of a small game of two players, searched to its end by alpha-beta. Needs no net.",
  options,
  needs: { value: false, policy: false },
  best: "value",
  analysis: { pruning: "inner" },
  unsuited: (game, { value }) =>
    game.players !== 2
      ? `minimax is for two players, and ${game.name} has ${game.players}`
      : game.chance !== undefined || game.information !== undefined
        ? `minimax knows neither chance nor hidden information, which ${game.name} has`
        : unknownValue(game, value),
  create: (game, options) => new Minimax(game, options),
};
