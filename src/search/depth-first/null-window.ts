import { type Game, OVER } from "../../games/game.ts";
import { type Descent, OUT_OF_TIME } from "./depth-first.ts";
import type { FinalPayoff } from "./final-payoff.ts";
import { numberAbove } from "./next-number.ts";
import { EXACT, TranspositionTable } from "./transposition-table.ts";

const NONE = -1;
/** The table counts depths up to this one. */
const DEEPEST_ENTRY = 255;

/**
 * Alpha-beta with null windows that finds the exact payoff of a game of two players (memory-enhanced tests: Plaat,
 * Schaeffer, Pijls and de Bruin 1996).
 *
 * A test asks whether the payoff of a position is at least g. It searches to a depth. At the horizon the payoff has the
 * bounds that the game knows, so a test is passed, failed or open, and an open one is repeated at greater depth. Results
 * within the bounds are exact whatever the depth. MTD(f) chooses the next g from the bounds that a test gives, until they
 * are equal.
 *
 * The transposition table keeps bounds by the game's hash. Two positions of one hash may differ in rare cases: hashes
 * collide, and the hash may be equal for histories that allow different later repetitions (graph history interaction).
 * So the payoff is proved again without values from the table, which then only suggests moves. This visits little more
 * than the proof itself. If it fails, the search continues in this way.
 */
export class NullWindow<S> {
  /** Bounds of the payoff of the last root: equal if it is solved. */
  least = 0;
  most = 0;
  /** By place among the legal actions of the last root: bounds of the payoff after the action. */
  readonly rootLeast: Float64Array;
  readonly rootMost: Float64Array;
  readonly #game: Game<S>;
  /** At each level `state` is the position after a move of the level. */
  readonly #descent: Descent<S>;
  readonly #payoff: FinalPayoff<S>;
  readonly #table: TranspositionTable<S> | undefined;
  readonly #found = new Float64Array(2);
  /** By seat and action: how many nodes the move has ended (the history heuristic of Schaeffer 1989). */
  readonly #history: Float64Array;
  /** By action: its place among those of the root. */
  readonly #places: Int32Array;
  /** `rootLeast` and `rootMost` of the search under way. */
  readonly #openLeast: Float64Array;
  readonly #openMost: Float64Array;
  /** The bounds of the position of the last test. */
  #least = 0;
  #most = 0;
  /** Whether bounds from the table count. */
  #trusting = true;

  constructor(descent: Descent<S>, payoff: FinalPayoff<S>, table: number) {
    const { game } = descent;
    this.#game = game;
    this.#descent = descent;
    this.#payoff = payoff;
    this.#table = TranspositionTable.open(game, table, 2);
    this.#history = new Float64Array(2 * game.actions);
    this.#places = new Int32Array(game.actions);
    this.rootLeast = new Float64Array(game.maxLegal);
    this.rootMost = new Float64Array(game.maxLegal);
    this.#openLeast = new Float64Array(game.maxLegal);
    this.#openMost = new Float64Array(game.maxLegal);
  }

  /** Starts a decision. */
  begin(): void {
    this.#history.fill(0);
    this.#table?.clear();
  }

  /**
   * Finds the exact payoff of a position, or its bounds when the time is up first; the bounds of each move too. Begins at
   * this depth. Depth 1 is searched whatever the time.
   */
  solve(state: S, depth = 1): void {
    if (this.#game.toMove(state) === OVER) {
      this.least = this.most = this.#payoff.final(state);
      return;
    }
    try {
      this.#trusting = true;
      // A level game is the first guess.
      const reached = this.#deepen(state, 0, depth);
      if (this.#table !== undefined) {
        this.#trusting = false;
        this.#deepen(state, this.least, reached);
      }
    } catch (error) {
      if (error !== OUT_OF_TIME) throw error;
    }
  }

  /**
   * Tests a position at increasing depths, from `depth` on and with `start` as the first g, until its bounds are equal. Returns
   * the last depth.
   */
  #deepen(state: S, start: number, depth: number): number {
    const payoff = this.#payoff;
    payoff.bound(state);
    let [least, most] = this.#rootBounds(state);
    this.#openRoot(state, least, most);
    // What holds before anything is searched, should the time be up at once.
    if (this.#trusting) this.#closeRoot(least, most);
    let g = Math.min(start, most);
    if (g <= least) g = numberAbove(least);
    for (let reached = depth; ; reached++) {
      this.#descent.look(reached);
      while (least < most) {
        this.#test(state, 0, reached, g);
        least = Math.max(least, this.#least);
        most = Math.min(most, this.#most);
        if (least >= g) g = numberAbove(least);
        else if (most < g) g = most;
        else break;
      }
      // NaN payoffs have no order: deeper tests would continue for ever.
      const solved = !(least < most);
      if (this.#trusting || solved) this.#closeRoot(least, most);
      if (solved) return reached;
    }
  }

  /**
   * Bounds of the payoff of a root and of each of its moves, from the bounds of its position that were found last. What
   * the mover can be sure of is left out: a move must be found that secures it, and other moves may give it away.
   */
  #rootBounds(state: S): [least: number, most: number] {
    const { least, most, side } = this.#payoff;
    return this.#game.toMove(state) === side ? [-Infinity, most] : [least, Infinity];
  }

  /** Starts a search of a root whose moves have these bounds. */
  #openRoot(state: S, least: number, most: number): void {
    const { actions } = this.#descent.level(0);
    const count = this.#game.legal(state, actions);
    for (let i = 0; i < count; i++) this.#places[actions[i]!] = i;
    this.#openLeast.fill(least);
    this.#openMost.fill(most);
  }

  /** Takes over what the search of the root has found. */
  #closeRoot(least: number, most: number): void {
    this.least = least;
    this.most = most;
    this.rootLeast.set(this.#openLeast);
    this.rootMost.set(this.#openMost);
  }

  /** Tests whether the payoff of a position is at least g, `plies` deep. Sets `#least` and `#most`. */
  #test(state: S, number: number, plies: number, g: number): void {
    const game = this.#game;
    const payoff = this.#payoff;
    this.#descent.visit();
    const toMove = game.toMove(state);
    if (toMove === OVER) {
      this.#least = this.#most = payoff.final(state);
      return;
    }
    payoff.bound(state);
    let { least, most } = payoff;
    if (number === 0) [least, most] = this.#rootBounds(state);
    const bounded = most;
    const bounding = least;
    const level = this.#descent.level(number);
    const table = this.#table;
    let place = NONE;
    let hint = NONE;
    let deep = false;
    if (table !== undefined) {
      place = table.place(state, 0);
      if (table.holds(place)) {
        hint = table.move(place);
        if (this.#trusting && number > 0) {
          least = Math.max(least, table.value(place, 0));
          most = Math.min(most, table.value(place, 1));
          deep = table.plies(place) >= plies;
        }
      }
      table.key(level.key);
    }
    if (number > 0 && (least >= g || most < g || plies === 0 || deep)) {
      this.#least = least;
      this.#most = most;
      return;
    }
    const maximising = toMove === payoff.side;
    const { actions, state: child } = level;
    const count = this.#listMoves(state, toMove, actions, hint);
    let bestMove = NONE;
    let highest = -Infinity;
    let found = maximising ? -Infinity : Infinity;
    let other = found;
    let decided = false;
    for (let i = 0; i < count && !decided; i++) {
      const action = actions[i]!;
      game.copy(state, child);
      game.play(child, action);
      this.#test(child, number + 1, plies - 1, g);
      if (number === 0) this.#noteRoot(action);
      if (maximising) {
        found = Math.max(found, this.#least);
        other = Math.max(other, this.#most);
        decided = found >= g;
      } else {
        found = Math.min(found, this.#most);
        other = Math.min(other, this.#least);
        decided = found < g;
      }
      // Of open moves the one with the greatest bounds is tried first at the next depth.
      const promise = maximising ? this.#least + this.#most : -this.#least - this.#most;
      if (decided || promise > highest || bestMove === NONE) {
        highest = promise;
        bestMove = action;
      }
    }
    if (decided) {
      this.#history[toMove * game.actions + bestMove]!++;
      // The moves that were not tried may pay the mover more.
      other = maximising ? bounded : bounding;
    }
    least = Math.max(least, maximising ? found : other);
    most = Math.min(most, maximising ? other : found);
    if (table !== undefined && this.#trusting) {
      this.#found[0] = least;
      this.#found[1] = most;
      table.store(place, level.key, Math.min(plies, DEEPEST_ENTRY), EXACT, false, bestMove, this.#found);
    }
    this.#least = least;
    this.#most = most;
  }

  /** Lists the legal moves: the hinted one, then those that ended most nodes, then in the order of moves. */
  #listMoves(state: S, seat: number, actions: Int32Array, hint: number): number {
    const game = this.#game;
    const count = game.legal(state, actions);
    this.#descent.order.sort(actions, count);
    const history = this.#history;
    const base = seat * game.actions;
    for (let i = 1; i < count; i++) {
      const action = actions[i]!;
      const times = history[base + action]!;
      let at = i;
      for (; at > 0; at--) {
        const before = actions[at - 1]!;
        if (action !== hint && (before === hint || history[base + before]! >= times)) break;
        actions[at] = before;
      }
      actions[at] = action;
    }
    return count;
  }

  /** Tightens the bounds of a move of the root by those of the position after it. */
  #noteRoot(action: number): void {
    const place = this.#places[action]!;
    this.#openLeast[place] = Math.max(this.#openLeast[place]!, this.#least);
    this.#openMost[place] = Math.min(this.#openMost[place]!, this.#most);
  }
}
