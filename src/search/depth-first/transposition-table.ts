import type { Game } from "../../games/game.ts";

/** The kind of a stored value: the exact value of the position, a lower bound or an upper bound. */
export const EXACT = 0;
/** See `EXACT`. */
export const AT_LEAST = 1;
/** See `EXACT`. */
export const AT_MOST = 2;

/**
 * The transposition table of a depth-first search: it stores the values of positions that may occur again.
 *
 * An entry is used only for the same position with the same number of plies left: a search finds exactly the same with
 * a table and without one. The game's 64-bit `hash` identifies positions. With a million positions in a decision, the
 * probability that any two are confused is below 1 in 10^7. Entries of earlier decisions are ignored, because their
 * values may belong to another root player. A new entry replaces the old one in its place.
 *
 * There is no table for a game without `hash`, and no entry for a position that was cut without a bound (shallow
 * pruning in max-n).
 */
export class TranspositionTable<S> {
  readonly #hash: (state: S, out: Int32Array) => void;
  readonly #width: number;
  readonly #mask: number;
  /** Two words for each place. */
  readonly #keys: Int32Array;
  /** The number of the decision that wrote the place. */
  readonly #decisions: Int32Array;
  readonly #plies: Uint8Array;
  readonly #kinds: Uint8Array;
  /** Whether the value depends on the depth; see `Descent.limited`. */
  readonly #limited: Uint8Array;
  readonly #moves: Int32Array;
  /** `width` values for each place. */
  readonly #values: Float64Array;
  readonly #words = new Int32Array(2);
  #decision = 0;

  /** A table of at least `size` places with `width` values each. */
  constructor(hash: (state: S, out: Int32Array) => void, size: number, width: number) {
    const places = 2 ** Math.ceil(Math.log2(size));
    this.#hash = hash;
    this.#width = width;
    this.#mask = places - 1;
    this.#keys = new Int32Array(2 * places);
    this.#decisions = new Int32Array(places);
    this.#plies = new Uint8Array(places);
    this.#kinds = new Uint8Array(places);
    this.#limited = new Uint8Array(places);
    this.#moves = new Int32Array(places);
    this.#values = new Float64Array(width * places);
  }

  /** A table for a game, or undefined if `size` is 0 or the game has no hash. */
  static open<S>(game: Game<S>, size: number, width: number): TranspositionTable<S> | undefined {
    const hash = game.depthFirst?.hash;
    return size === 0 || hash === undefined ? undefined : new TranspositionTable(hash, size, width);
  }

  /** Forgets all entries. */
  clear(): void {
    this.#decision++;
  }

  /** The place of a position. `salt` distinguishes what the state does not hold (which side moves next). */
  place(state: S, salt: number): number {
    this.#hash(state, this.#words);
    this.#words[1]! ^= Math.imul(salt, 0x9e3779b1);
    return this.#words[0]! & this.#mask;
  }

  /** Copies the key that the last call of `place` made. The next call overwrites it. */
  key(out: Int32Array): void {
    out[0] = this.#words[0]!;
    out[1] = this.#words[1]!;
  }

  /** Whether the place holds an entry of this decision for the position last given to `place`. */
  holds(place: number): boolean {
    return (
      this.#decisions[place] === this.#decision &&
      this.#keys[2 * place] === this.#words[0] &&
      this.#keys[2 * place + 1] === this.#words[1]
    );
  }

  plies(place: number): number {
    return this.#plies[place]!;
  }

  kind(place: number): number {
    return this.#kinds[place]!;
  }

  limited(place: number): boolean {
    return this.#limited[place] === 1;
  }

  /** The best move of the entry, as the search numbers moves. */
  move(place: number): number {
    return this.#moves[place]!;
  }

  value(place: number, index = 0): number {
    return this.#values[place * this.#width + index]!;
  }

  /** Writes an entry with the first `width` of `values`. */
  store(
    place: number,
    key: Int32Array,
    plies: number,
    kind: number,
    limited: boolean,
    move: number,
    values: ArrayLike<number>,
  ): void {
    this.#keys[2 * place] = key[0]!;
    this.#keys[2 * place + 1] = key[1]!;
    this.#decisions[place] = this.#decision;
    this.#plies[place] = plies;
    this.#kinds[place] = kind;
    this.#limited[place] = limited ? 1 : 0;
    this.#moves[place] = move;
    for (let i = 0; i < this.#width; i++) this.#values[place * this.#width + i] = values[i]!;
  }
}
