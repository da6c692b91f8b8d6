import type { Game } from "../../games/game.ts";

/** What is known of a stored value: it is the position's, or the position's is at least or at most so much. */
export const EXACT = 0;
/** See `EXACT`. */
export const AT_LEAST = 1;
/** See `EXACT`. */
export const AT_MOST = 2;

/**
 * Remembers what a depth-first search found of positions, for those that it meets again.
 *
 * An entry is used only for the same position with the same number of plies left, so that a search with a table finds
 * exactly what it finds without. Positions are told apart by the game's 64-bit `hash`: with a million positions in a
 * decision, the chance that any two are taken for one another is below 1 in 10^7. Entries of earlier decisions
 * do not count, as values may be those of another root player. A new entry replaces what was in its place.
 *
 * Unsound, and so left out, where a game has no `hash`; and for a position whose search was cut short without even a
 * bound (shallow pruning in max-n).
 */
export class TranspositionTable<S> {
  readonly #hash: (state: S, out: Int32Array) => void;
  readonly #width: number;
  readonly #mask: number;
  /** Two words a place. */
  readonly #keys: Int32Array;
  /** Which decision wrote the place. */
  readonly #decisions: Int32Array;
  readonly #plies: Uint8Array;
  readonly #kinds: Uint8Array;
  /** Whether a leaf below was one only because the depth ended there. */
  readonly #limited: Uint8Array;
  readonly #moves: Int32Array;
  /** `width` values a place. */
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

  /** A table for a game, or undefined where it is wanted with no places or the game has no hash. */
  static open<S>(game: Game<S>, size: number, width: number): TranspositionTable<S> | undefined {
    const hash = game.depthFirst?.hash;
    return size === 0 || hash === undefined ? undefined : new TranspositionTable(hash, size, width);
  }

  /** Forgets all entries. */
  clear(): void {
    this.#decision++;
  }

  /** The place of a position; `salt` tells apart what the state does not (who is due to move). */
  place(state: S, salt: number): number {
    this.#hash(state, this.#words);
    this.#words[1]! ^= Math.imul(salt, 0x9e3779b1);
    return this.#words[0]! & this.#mask;
  }

  /** Writes down the key last made by `place`: it is lost by the next one. */
  key(out: Int32Array): void {
    out[0] = this.#words[0]!;
    out[1] = this.#words[1]!;
  }

  /** Whether the place holds the position last given to `place`, from this decision. */
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

  /** The move that was best there, as the search wrote it. */
  move(place: number): number {
    return this.#moves[place]!;
  }

  value(place: number, index = 0): number {
    return this.#values[place * this.#width + index]!;
  }

  /** Writes an entry; the first `width` of `values` are taken. */
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
