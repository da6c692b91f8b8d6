import { Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { MoveOrder } from "./move-order.ts";
import type { Search, Searching } from "../search.ts";
import { TimeBudget } from "../time-budget.ts";

/** Options of `max-n`, `paranoid` and `best-reply`. */
export const depthFirstOptions = Type.Object(
  {
    depth: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 64,
        default: 0,
        description:
          "Moves looked ahead, the root's own counted; 0: as many as milliseconds allow, or 2 where they are no limit.",
      }),
    ),
    milliseconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        default: 0,
        description:
          "Wall time a decision: it looks ahead 1, 2, 3 ... moves until the time is up, and decides by the last look that was completed; 0: no limit. Decisions under a time limit are not reproducible.",
      }),
    ),
    value: Type.Optional(
      Type.String({
        default: "auto",
        description:
          "What positions are valued by: one of the game's static evaluations (Blokus: placed, score) or returns; auto: the first static evaluation, returns where there is none.",
      }),
    ),
    payoff: Type.Optional(
      Type.Union([Type.Literal("own"), Type.Literal("margin")], {
        default: "own",
        description:
          "What a seat wants: its own value, or the margin, (players - 1) x own - sum of the others.",
      }),
    ),
    pruning: Type.Optional(
      Type.Union([Type.Literal("full"), Type.Literal("inner"), Type.Literal("none")], {
        default: "full",
        description:
          "full: moves that cannot be played are cut everywhere; inner: not at the root, so that every move's value is exact; none: nowhere.",
      }),
    ),
    table: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 16_777_216,
        default: 65_536,
        description: "Positions remembered, for those met again; 0: none. Needs a game with a hash.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** The options, complete. */
export type DepthFirstOptions = Required<Static<typeof depthFirstOptions>>;

/** How deep a search looks at most that is given time and no depth. */
const DEEPEST = 64;
/** How deep a search looks that is given neither. */
const DEFAULT_DEPTH = 2;

/** Thrown through a search whose time is up. */
const OUT_OF_TIME = new Error("out of time");

/** Buffers of one level below the root. */
interface Level<S> {
  /** The position that the moves from the root have led to. */
  readonly state: S;
  /** The same with another seat's turn, where a search gives turns. */
  readonly turn: S;
  readonly actions: Int32Array;
  /** The payoffs of the position. */
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
  readonly key: Int32Array;
  /** The best line from here: moves as the search numbers them. */
  readonly line: number[];
}

/** What a depth-first search works with while it decides: buffers, the clock, the line found best before. */
export class Descent<S> {
  readonly game: Game<S>;
  readonly order: MoveOrder<S>;
  /** Whether a leaf seen in this look ahead was one only because the depth ended there. */
  limited = false;
  /** Positions looked at in this decision. */
  nodes = 0;
  readonly #budget: TimeBudget;
  readonly #levels: Level<S>[] = [];
  /** The best line of the look ahead before this one; followed as long as this one is on it. */
  #before: number[] = [];
  #following = false;
  #timed = false;

  constructor(game: Game<S>, budget: TimeBudget) {
    this.game = game;
    this.order = new MoveOrder(game);
    this.#budget = budget;
  }

  level(number: number): Level<S> {
    const { game } = this;
    return (this.#levels[number] ??= {
      state: game.initial(),
      turn: game.initial(),
      actions: new Int32Array(game.maxLegal),
      values: new Float64Array(game.players),
      probabilities: new Float64Array(game.chance === undefined ? 0 : game.maxLegal),
      key: new Int32Array(2),
      line: [],
    });
  }

  /** A decision begins. */
  begin(): void {
    this.nodes = 0;
    this.level(0).line.length = 0;
    this.#budget.start();
  }

  /** A look ahead begins; the first one of a decision is never cut short. */
  look(depth: number): void {
    this.limited = false;
    this.#timed = depth > 1;
    this.#before = [...this.level(0).line];
    this.#following = this.#before.length > 0;
  }

  /** Counts a position; leaves the search when the time is up. */
  visit(): void {
    this.nodes++;
    if (this.#timed && this.#budget.spent()) throw OUT_OF_TIME;
  }

  /** The move of the best line at this level, while the search is on it; -1 elsewhere. */
  expected(level: number): number {
    return this.#following ? (this.#before[level] ?? -1) : -1;
  }

  /** The search leaves the best line of before, or has reached its end. */
  leaveLine(): void {
    this.#following = false;
  }

  /** The best line from a level is this move and the best line from the next level. */
  setLine(level: number, move: number): void {
    const { line } = this.level(level);
    const onward = this.level(level + 1).line;
    line.length = 0;
    line.push(move, ...onward);
  }
}

/** One kind of depth-first search: what it finds when it looks a number of moves ahead. */
export interface LookAhead<S> {
  /** A decision begins at this position. */
  begin(state: S): void;
  /**
   * Looks `depth` moves ahead from the root, whose legal actions in the order of moves are the first `count` of
   * `actions`. Writes what each is worth to the mover beside it, and every seat's value of the best into `values`. Returns
   * the index of the best, the first of equals.
   */
  look(
    state: S,
    depth: number,
    actions: Int32Array,
    count: number,
    actionValues: Float64Array,
    values: Float64Array,
  ): number;
}

/**
 * Iterative deepening: looks 1, 2, 3 ... moves ahead, to a depth or until the time is up, and decides by the last look
 * that was completed. Each look tries the best line of the one before it first.
 *
 * Ends early when no leaf was one for want of depth: deeper looks would find the same. Asks for no evaluations.
 */
export class DepthFirst<S> implements Search<S> {
  readonly maxRequest = 0;
  readonly #depth: number;
  readonly #budget: TimeBudget;
  readonly #descent: Descent<S>;
  readonly #lookAhead: LookAhead<S>;
  readonly #buffer: DecisionBuffer<S>;
  readonly #actions: Int32Array;
  readonly #actionValues: Float64Array;
  readonly #values: Float64Array;
  /** By action: its place in the decision's rows. */
  readonly #places: Int32Array;

  constructor(
    game: Game<S>,
    { depth, milliseconds }: { readonly depth: number; readonly milliseconds: number },
    open: (descent: Descent<S>) => LookAhead<S>,
  ) {
    this.#budget = new TimeBudget(milliseconds);
    this.#depth = depth > 0 ? depth : milliseconds > 0 ? DEEPEST : DEFAULT_DEPTH;
    this.#descent = new Descent(game, this.#budget);
    this.#lookAhead = open(this.#descent);
    this.#buffer = new DecisionBuffer(game);
    this.#actions = new Int32Array(game.maxLegal);
    this.#actionValues = new Float64Array(game.maxLegal);
    this.#values = new Float64Array(game.players);
    this.#places = new Int32Array(game.actions);
  }

  /** Positions looked at in the last decision. */
  get nodes(): number {
    return this.#descent.nodes;
  }

  // oxlint-disable-next-line require-yield -- it asks for no evaluation
  *search(state: S, _random: Random, _decisions: number): Searching<S> {
    const descent = this.#descent;
    const rows = this.#buffer.open(state);
    const count = rows.actions.length;
    this.#actions.set(rows.actions);
    descent.order.sort(this.#actions, count);
    for (let i = 0; i < count; i++) this.#places[rows.actions[i]!] = i;
    let best = 0;
    let values: readonly number[] = [];
    descent.begin();
    this.#lookAhead.begin(state);
    for (let depth = 1; depth <= this.#depth; depth++) {
      descent.look(depth);
      let found: number;
      try {
        found = this.#lookAhead.look(state, depth, this.#actions, count, this.#actionValues, this.#values);
      } catch (error) {
        if (error !== OUT_OF_TIME) throw error;
        break;
      }
      best = this.#places[this.#actions[found]!]!;
      for (let i = 0; i < count; i++)
        rows.actionValues[this.#places[this.#actions[i]!]!] = this.#actionValues[i]!;
      values = [...this.#values];
      if (!descent.limited || (count === 1 && this.#budget.limited)) break;
    }
    return this.#buffer.close(rows, best, values);
  }
}

/** The index to look at in turn `t` when the one numbered `first` comes first and the others keep their order. */
export function inTurn(t: number, first: number): number {
  if (first < 0 || t > first) return t;
  return t === 0 ? first : t - 1;
}
