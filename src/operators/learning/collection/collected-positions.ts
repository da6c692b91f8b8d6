import { CHANCE, type Game } from "../../../games/game.ts";
import { stateOfText } from "../../../games/position-text.ts";
import type { Random } from "../../../random.ts";
import { collectionParts, type GameCollection } from "../../run/items.ts";

/**
 * The positions of one part of a collection, numbered from 0 game by game in the order of the collection. A position is
 * the state before a move.
 *
 * It is reached by playing the moves of its game before it; positions of a game in increasing order are reached one from
 * another.
 */
export class CollectedPositions<S> {
  /** Number of positions, those of chance included. */
  readonly count: number;
  /** The position, after `seek`; it belongs to this object. */
  readonly state: S;
  /** The move that was played there. */
  action = -1;
  /** The game of the collection that it is of, and the number of moves before it. */
  gameNumber = -1;
  ply = -1;
  readonly #game: Game<S>;
  readonly #collection: GameCollection;
  /** The games of the part, and for each the number of positions of the part up to its end. */
  readonly #games: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #initial: S;
  readonly #legal: Int32Array;

  constructor(game: Game<S>, collection: GameCollection, part: (typeof collectionParts)[number]) {
    const number = collectionParts.indexOf(part);
    const { offsets, parts } = collection;
    this.#game = game;
    this.#collection = collection;
    this.#games = Uint32Array.from(parts.keys()).filter((each) => parts[each] === number);
    let count = 0;
    this.#ends = this.#games.map((each) => (count += offsets[each + 1]! - offsets[each]!));
    this.count = count;
    this.state = game.initial();
    this.#initial = game.initial();
    this.#legal = new Int32Array(game.maxLegal);
  }

  /** Goes to a position. */
  seek(position: number): void {
    const index = firstAbove(this.#ends, position);
    const { moves, offsets } = this.#collection;
    const game = this.#games[index]!;
    const ply = position - (index === 0 ? 0 : this.#ends[index - 1]!);
    if (game !== this.gameNumber || ply < this.ply) this.#begin(game);
    const first = offsets[game]!;
    for (; this.ply < ply; this.ply++) this.#game.play(this.state, moves[first + this.ply]!);
    this.action = moves[first + ply]!;
  }

  /** Whether the position is a decision: a seat has to move, and has at least two legal moves. */
  get isDecision(): boolean {
    return this.#game.toMove(this.state) !== CHANCE && this.#game.legal(this.state, this.#legal) > 1;
  }

  /** Whether any position is a decision. Looks at the positions from the first on, until it finds one. */
  get hasDecisions(): boolean {
    for (let position = 0; position < this.count; position++) {
      this.seek(position);
      if (this.isDecision) return true;
    }
    return false;
  }

  /** Goes to a decision, drawn uniformly from all decisions; there must be one. */
  draw(random: Random): void {
    do this.seek(random.below(this.count));
    while (!this.isDecision);
  }

  #begin(game: number): void {
    const { starts } = this.#collection;
    const text = starts.get(game);
    this.#game.copy(text === undefined ? this.#initial : stateOfText(this.#game, text), this.state);
    this.gameNumber = game;
    this.ply = 0;
  }
}

/** The index of the first of increasing numbers that is greater than `value`. */
function firstAbove(numbers: Uint32Array, value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
