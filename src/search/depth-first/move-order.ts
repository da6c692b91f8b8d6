import type { Game } from "../../games/game.ts";

/**
 * The order in which depth-first searches try moves: the greatest `preference` first (in Blokus the largest piece),
 * among equals the least action. Without `preference`, by action alone.
 *
 * The order also decides between moves of equal value, so it must not depend on the position.
 */
export class MoveOrder<S> {
  /** By action: the class of its preference; class 0 is preferred most. Absent if actions are in order already. */
  readonly #classes: Int32Array | undefined;
  readonly #starts: Int32Array;
  readonly #scratch: Int32Array;

  constructor(game: Game<S>) {
    const { actions } = game;
    const preference = game.search?.preference;
    const preferences = Float64Array.from({ length: actions }, (_, action) => preference?.(action) ?? 0);
    const distinct = [...new Set(preferences)].toSorted((a, b) => b - a);
    const numbers = new Map(distinct.map((value, number) => [value, number]));
    const classes = Int32Array.from(preferences, (value) => numbers.get(value)!);
    // If preferred actions have the lowest numbers, the legal actions are in order already.
    const ordered = classes.every((number, action) => action === 0 || classes[action - 1]! <= number);
    this.#classes = ordered ? undefined : classes;
    this.#starts = new Int32Array(distinct.length + 1);
    this.#scratch = new Int32Array(game.maxLegal);
  }

  /** Sorts the first `count` actions, which are in increasing order, into the order of moves. */
  sort(actions: Int32Array, count: number): void {
    const classes = this.#classes;
    if (classes === undefined || count < 2) return;
    const starts = this.#starts;
    const scratch = this.#scratch;
    starts.fill(0);
    for (let i = 0; i < count; i++) {
      const action = actions[i]!;
      scratch[i] = action;
      starts[classes[action]! + 1]!++;
    }
    for (let number = 1; number < starts.length; number++) starts[number]! += starts[number - 1]!;
    for (let i = 0; i < count; i++) {
      const action = scratch[i]!;
      actions[starts[classes[action]!]!++] = action;
    }
  }
}
