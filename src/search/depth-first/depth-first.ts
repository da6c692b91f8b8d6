import { Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { MoveOrder } from "./move-order.ts";
import type { Search, Searching } from "../search.ts";
import { TimeBudget } from "../time-budget.ts";

/** The greatest depth, longer than a game of any of the project's games with a static evaluation; a table holds no greater one. */
export const DEEPEST = 255;

/** Options of `max-n`, `paranoid` and `best-reply`. */
export const depthFirstOptions = Type.Object(
  {
    depth: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DEEPEST,
        default: 0,
        description:
          "Depth in moves, including the root's own. 0: as deep as milliseconds allow, or 2 without a time limit.",
      }),
    ),
    milliseconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        default: 0,
        description:
          "Time of a decision in milliseconds: processor time of the searching thread in the stages of experiments, otherwise wall time. The search looks 1, 2, 3 ... moves ahead until the time is up, and decides by the last depth that it completed. 0 means no limit. Decisions under a time limit are not reproducible.",
      }),
    ),
    value: Type.Optional(
      Type.String({
        default: "auto",
        description:
          "What positions are valued by: one of the game's static evaluations (Blokus: placed, score) or returns; auto: the first static evaluation, returns if there is none.",
      }),
    ),
    payoff: Type.Optional(
      Type.Union([Type.Literal("own"), Type.Literal("margin")], {
        default: "own",
        description:
          "What a seat maximises: its own value, or the margin, (players - 1) x own - sum of the others.",
      }),
    ),
    pruning: Type.Optional(
      Type.Union([Type.Literal("full"), Type.Literal("inner"), Type.Literal("none")], {
        default: "full",
        description:
          "Where moves are pruned that cannot be the best. full: everywhere. inner: not at the root, so that the value of every move is exact. none: nowhere.",
      }),
    ),
    table: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 16_777_216,
        default: 65_536,
        description:
          "Number of entries of the transposition table; 0 turns it off. It needs a game with a position hash.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** The options, complete. */
export type DepthFirstOptions = Required<Static<typeof depthFirstOptions>>;

/** The depth of a search with neither depth nor time limit. */
const DEFAULT_DEPTH = 2;

/** Thrown by `Descent.visit` to leave the recursion when the time is up. */
export const OUT_OF_TIME = new Error("out of time");

/** The buffers of one level of the recursion. */
interface Level<S> {
  /** The position of the level. */
  readonly state: S;
  /** The position with the turn passed to another seat, for a search that passes turns. */
  readonly passed: S;
  readonly actions: Int32Array;
  /** The payoffs of the position. */
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
  readonly key: Int32Array;
  /** The principal variation from this level on: moves as the search numbers them. */
  readonly line: number[];
}

/**
 * The working data of a depth-first search: buffers by level, the clock, and the principal variation of the last depth.
 */
export class Descent<S> {
  readonly game: Game<S>;
  readonly order: MoveOrder<S>;
  /** Whether a value found so far depends on the depth: a deeper search could change it. */
  limited = false;
  /** Positions visited in this decision. */
  nodes = 0;
  readonly #budget: TimeBudget;
  readonly #levels: Level<S>[] = [];
  /** The principal variation of the last depth. The search follows it until it first leaves it. */
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
      passed: game.initial(),
      actions: new Int32Array(game.maxLegal),
      values: new Float64Array(game.players),
      probabilities: new Float64Array(game.chance === undefined ? 0 : game.maxLegal),
      key: new Int32Array(2),
      line: [],
    });
  }

  /** Starts a decision; see `TimeBudget`. */
  begin(milliseconds: number | undefined): void {
    this.nodes = 0;
    this.level(0).line.length = 0;
    this.#budget.start(milliseconds);
  }

  /** Starts the search to a depth. The time limit never stops depth 1. */
  look(depth: number): void {
    this.limited = false;
    this.#timed = depth > 1;
    this.#before = [...this.level(0).line];
    this.#following = this.#before.length > 0;
  }

  /** Counts a position. Throws when the time is up. */
  visit(): void {
    this.nodes++;
    if (this.#timed && this.#budget.spent()) throw OUT_OF_TIME;
  }

  /** The move of the principal variation at this level while the search follows it; else -1. */
  expected(level: number): number {
    return this.#following ? (this.#before[level] ?? -1) : -1;
  }

  /** Stops following the principal variation: the search has left it or reached its end. */
  leaveLine(): void {
    this.#following = false;
  }

  /** Sets the principal variation of a level: this move, then the principal variation of the next level. */
  setLine(level: number, move: number): void {
    const { line } = this.level(level);
    const onward = this.level(level + 1).line;
    line.length = 0;
    line.push(move, ...onward);
  }
}

/** One kind of depth-first search: it values the moves of the root at a given depth. */
export interface LookAhead<S> {
  /** Starts a decision at this position. */
  begin(state: S): void;
  /**
   * Searches `depth` moves deep. The first `count` of `actions` are the legal actions of the root in the order of
   * moves. Writes the mover's value of each action to `actionValues`, and every seat's value of the best one to
   * `values`. Returns the index of the best action; of equal ones the first.
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
 * Iterative deepening: searches 1, 2, 3 ... moves deep, up to a depth or until the time is up, and decides by the last
 * depth that it completed. Each depth tries the principal variation of the last one first.
 *
 * It ends early when no value depends on the depth, because a deeper search would find the same. It makes no evaluation
 * requests.
 */
export class DepthFirst<S> implements Search<S> {
  readonly maxRequest = 0;
  /** 0: as deep as the time allows. */
  readonly #depth: number;
  readonly #budget: TimeBudget;
  readonly #descent: Descent<S>;
  readonly #lookAhead: LookAhead<S>;
  readonly #buffer: DecisionBuffer<S>;
  readonly #actions: Int32Array;
  readonly #actionValues: Float64Array;
  readonly #values: Float64Array;
  /** By action: its index in the decision's rows. */
  readonly #places: Int32Array;

  constructor(
    game: Game<S>,
    { depth, milliseconds }: { readonly depth: number; readonly milliseconds: number },
    threadSeconds: (() => number) | undefined,
    open: (descent: Descent<S>) => LookAhead<S>,
  ) {
    this.#budget = new TimeBudget(milliseconds, threadSeconds);
    this.#depth = depth;
    this.#descent = new Descent(game, this.#budget);
    this.#lookAhead = open(this.#descent);
    this.#buffer = new DecisionBuffer(game);
    this.#actions = new Int32Array(game.maxLegal);
    this.#actionValues = new Float64Array(game.maxLegal);
    this.#values = new Float64Array(game.players);
    this.#places = new Int32Array(game.actions);
  }

  /** Positions visited in the last decision. */
  get nodes(): number {
    return this.#descent.nodes;
  }

  // oxlint-disable-next-line require-yield -- it makes no requests
  *search(state: S, _random: Random, _decisions: number, milliseconds?: number): Searching<S> {
    const descent = this.#descent;
    const rows = this.#buffer.open(state);
    const count = rows.actions.length;
    this.#actions.set(rows.actions);
    descent.order.sort(this.#actions, count);
    for (let i = 0; i < count; i++) this.#places[rows.actions[i]!] = i;
    let best = 0;
    let values: readonly number[] = [];
    descent.begin(milliseconds);
    const deepest = this.#depth > 0 ? this.#depth : this.#budget.limited ? DEEPEST : DEFAULT_DEPTH;
    this.#lookAhead.begin(state);
    for (let depth = 1; depth <= deepest; depth++) {
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
    const decision = this.#buffer.close(rows, best, values);
    const { reached: limit } = this.#budget;
    return limit === undefined ? decision : { ...decision, limit };
  }
}

/**
 * The index of the `t`-th element when the one at `first` comes first and the others keep their order. -1: none comes
 * first.
 */
export function inTurn(t: number, first: number): number {
  if (first < 0 || t > first) return t;
  return t === 0 ? first : t - 1;
}
