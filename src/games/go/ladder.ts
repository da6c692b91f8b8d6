import { EMPTY, type GoBoard, MOST_CELLS } from "./board.ts";
import { Marks } from "./marks.ts";

/** The most positions with the prey in atari that one reading visits. */
const MOST_VISITS = 1000;

/**
 * The most ataris of one line. Without a stone taken back a line fills the board by two cells an atari; only kos beside the
 * prey make a longer one, by going round, and a line as long as `MOST_VISITS` would not fit on the stack of calls.
 */
const LONGEST_LINE = 200;

/**
 * Reads ladders: whether a chain, the prey, is captured by a sequence of ataris.
 *
 * The attacker plays only moves that leave the prey one liberty. The defender, in atari, plays the last liberty, or
 * captures a chain beside the prey that is itself in atari. The prey has escaped with three liberties, or if the
 * attacker has no atari left; it is caught if the defender has no such move, or if it is still in atari after the
 * move and can be captured. Both sides may try all these moves, so within the definition the reading is exact. It obeys
 * the simple ko, but no superko; suicide is never played. A prey that is not caught within `MOST_VISITS` visits, or in
 * `LONGEST_LINE` ataris of one line, counts as escaped.
 *
 * Reads on the board that is passed in: the board changes while a ladder is read, and is restored.
 */
export class LadderReader {
  readonly #stride: number;
  /** The steps to the four neighbours of a cell. */
  readonly #steps: Int16Array;
  #colour: Uint8Array = new Uint8Array(0);
  /** The cell that the side to move may not take back at once, or 0. */
  #ko = 0;
  #visits = 0;
  /** The ataris of the line that is on the board. */
  #depth = 0;
  /**
   * The captured stones of the moves that are on the board. They come from the board or from these moves, and a line has
   * at most two moves a visit: kos beside the prey can make it go round.
   */
  readonly #captured = new Int16Array(MOST_CELLS + 2 * MOST_VISITS);
  #capturedEnd = 0;
  readonly #marks = new Marks();
  readonly #stack = new Int16Array(MOST_CELLS);
  /** The first two liberties that the last count found. */
  #first = 0;
  #second = 0;
  /** Marks and stack of the walk around the prey, inside which liberties are counted. */
  readonly #seen = new Marks();
  readonly #preyStack = new Int16Array(MOST_CELLS);
  /** Moves by which the defender captures, of all positions on the way. */
  readonly #counters = new Int16Array(16 * MOST_VISITS);
  #countersEnd = 0;

  constructor({ stride }: GoBoard) {
    this.#stride = stride;
    this.#steps = Int16Array.of(-stride, -1, 1, stride);
  }

  /**
   * Whether the attacker catches the prey by playing at one of its two liberties.
   *
   * `colour` is the board by cell (`GoState.colour`), `prey` a stone of a chain with exactly two liberties, `at` one of
   * them, if the other side may legally play there.
   */
  captures(colour: Uint8Array, prey: number, at: number): boolean {
    this.#begin(colour);
    this.#count(prey, 3);
    const other = this.#first === at ? this.#second : this.#first;
    return this.#attack(prey, at, other);
  }

  /**
   * Whether a chain in atari can no longer be caught after a move of its own side.
   *
   * `prey` is a stone of a chain with exactly one liberty, `at` a legal move of its side: the liberty, or the last
   * liberty of a chain of the other side beside the prey.
   */
  escapes(colour: Uint8Array, prey: number, at: number): boolean {
    this.#begin(colour);
    return this.#defend(prey, at);
  }

  /**
   * Writes the moves by which the side of the prey captures a chain beside the prey that is in atari, each once; returns
   * their number. `out` has room for a move of each chain beside the prey.
   */
  counters(colour: Uint8Array, prey: number, out: Int16Array): number {
    this.#begin(colour);
    const end = this.#listCounters(prey, 0);
    for (let i = 0; i < end; i++) out[i] = this.#counters[i]!;
    return end;
  }

  #begin(colour: Uint8Array): void {
    this.#colour = colour;
    this.#ko = 0;
    this.#visits = 0;
    this.#depth = 0;
    this.#capturedEnd = 0;
    this.#countersEnd = 0;
  }

  /** The attacker plays at `at`, which leaves the prey the liberty `other`: whether the prey is caught. */
  #attack(prey: number, at: number, other: number): boolean {
    // With three liberties the prey escapes at once.
    if (at === this.#ko || this.#room(other, at) >= 3) return false;
    const ko = this.#ko;
    const from = this.#capturedEnd;
    const caught = this.#place(at, 3 - this.#colour[prey]!) && this.#caught(prey, other);
    this.#takeBack(at, from, ko);
    return caught;
  }

  /** Whether the prey, in atari at `liberty` and with its side to move, is caught. */
  #caught(prey: number, liberty: number): boolean {
    if (++this.#visits > MOST_VISITS || this.#depth >= LONGEST_LINE) return false;
    this.#depth++;
    const caught = this.#noDefence(prey, liberty);
    this.#depth--;
    return caught;
  }

  /** Whether no move of the prey's side saves it. */
  #noDefence(prey: number, liberty: number): boolean {
    if (liberty !== this.#ko && this.#defend(prey, liberty)) return false;
    const start = this.#countersEnd;
    const end = this.#listCounters(prey, start);
    this.#countersEnd = end;
    let caught = true;
    for (let i = start; i < end && caught; i++) {
      const at = this.#counters[i]!;
      if (at !== liberty && at !== this.#ko) caught = !this.#defend(prey, at);
    }
    this.#countersEnd = start;
    return caught;
  }

  /** The defender plays at `at`: whether the prey escapes. */
  #defend(prey: number, at: number): boolean {
    const ko = this.#ko;
    const from = this.#capturedEnd;
    const escapes = this.#place(at, this.#colour[prey]!) && this.#free(prey);
    this.#takeBack(at, from, ko);
    return escapes;
  }

  /** Whether the prey, with the attacker to move, is not caught. */
  #free(prey: number): boolean {
    const liberties = this.#count(prey, 3);
    if (liberties >= 3) return true;
    const first = this.#first;
    const second = this.#second;
    // To take the last liberty is a capture, which only the ko forbids.
    if (liberties === 1) return first === this.#ko;
    // The attack that leaves less room comes first: it is the one that catches, if either does.
    return this.#room(second, first) <= this.#room(first, second)
      ? !this.#attack(prey, first, second) && !this.#attack(prey, second, first)
      : !this.#attack(prey, second, first) && !this.#attack(prey, first, second);
  }

  /** The empty points beside a liberty of the prey, if the attacker has played at `but`. */
  #room(liberty: number, but: number): number {
    const colour = this.#colour;
    const steps = this.#steps;
    let room = 0;
    for (let side = 0; side < 4; side++) {
      const beside = liberty + steps[side]!;
      if (colour[beside] === EMPTY && beside !== but) room++;
    }
    return room;
  }

  /** Places a stone and captures; returns whether the stone has a liberty. The caller takes the move back in any case. */
  #place(cell: number, own: number): boolean {
    const colour = this.#colour;
    const stride = this.#stride;
    const from = this.#capturedEnd;
    colour[cell] = own;
    const enemy = 3 - own;
    if (colour[cell - stride] === enemy) this.#captureWithoutLiberty(cell - stride, enemy);
    if (colour[cell - 1] === enemy) this.#captureWithoutLiberty(cell - 1, enemy);
    if (colour[cell + 1] === enemy) this.#captureWithoutLiberty(cell + 1, enemy);
    if (colour[cell + stride] === enemy) this.#captureWithoutLiberty(cell + stride, enemy);
    const captures = this.#capturedEnd - from;
    this.#ko = 0;
    if (captures === 0) return this.#hasLiberty(cell);
    if (captures === 1 && this.#hasStone(cell, own) && this.#count(cell, 2) === 1) this.#ko = this.#first;
    return true;
  }

  /** Whether a stone is a chain by itself. */
  #hasStone(cell: number, own: number): boolean {
    const colour = this.#colour;
    const stride = this.#stride;
    return (
      colour[cell - stride] !== own &&
      colour[cell - 1] !== own &&
      colour[cell + 1] !== own &&
      colour[cell + stride] !== own
    );
  }

  /** Restores the board before a move whose captures begin at `from`, and the ko of then. */
  #takeBack(cell: number, from: number, ko: number): void {
    const colour = this.#colour;
    const enemy = 3 - colour[cell]!;
    for (let i = from; i < this.#capturedEnd; i++) colour[this.#captured[i]!] = enemy;
    colour[cell] = EMPTY;
    this.#capturedEnd = from;
    this.#ko = ko;
  }

  #captureWithoutLiberty(stone: number, enemy: number): void {
    if (this.#hasLiberty(stone)) return;
    const colour = this.#colour;
    const steps = this.#steps;
    const captured = this.#captured;
    let done = this.#capturedEnd;
    let end = done;
    colour[stone] = EMPTY;
    captured[end++] = stone;
    while (done < end) {
      const cell = captured[done++]!;
      for (let side = 0; side < 4; side++) {
        const beside = cell + steps[side]!;
        if (colour[beside] !== enemy) continue;
        colour[beside] = EMPTY;
        captured[end++] = beside;
      }
    }
    this.#capturedEnd = end;
  }

  /** Whether a chain has a liberty: most have one beside the stone that is asked about. */
  #hasLiberty(stone: number): boolean {
    const colour = this.#colour;
    const stride = this.#stride;
    return (
      colour[stone - stride] === EMPTY ||
      colour[stone - 1] === EMPTY ||
      colour[stone + 1] === EMPTY ||
      colour[stone + stride] === EMPTY ||
      this.#count(stone, 1) > 0
    );
  }

  /** Whether a chain is in atari; leaves its liberty in `#first`. Most stones have two empty points beside them. */
  #inAtari(stone: number): boolean {
    const colour = this.#colour;
    const stride = this.#stride;
    const beside =
      (colour[stone - stride] === EMPTY ? 1 : 0) +
      (colour[stone - 1] === EMPTY ? 1 : 0) +
      (colour[stone + 1] === EMPTY ? 1 : 0) +
      (colour[stone + stride] === EMPTY ? 1 : 0);
    return beside < 2 && this.#count(stone, 2) === 1;
  }

  /** The liberties of a chain, counted up to `limit`; leaves the first two in `#first` and `#second`. */
  #count(stone: number, limit: number): number {
    const colour = this.#colour;
    const steps = this.#steps;
    const mark = this.#marks.wipe();
    const marks = this.#marks.of;
    const stack = this.#stack;
    const own = colour[stone]!;
    let count = 0;
    let depth = 0;
    marks[stone] = mark;
    stack[depth++] = stone;
    while (depth > 0) {
      const cell = stack[--depth]!;
      for (let side = 0; side < 4; side++) {
        const beside = cell + steps[side]!;
        const there = colour[beside]!;
        if (there === EMPTY) {
          if (marks[beside] === mark) continue;
          marks[beside] = mark;
          if (count === 0) this.#first = beside;
          else if (count === 1) this.#second = beside;
          if (++count >= limit) return count;
        } else if (there === own && marks[beside] !== mark) {
          marks[beside] = mark;
          stack[depth++] = beside;
        }
      }
    }
    return count;
  }

  /** Appends the moves that capture a chain beside the prey, each once, to `#counters` from `start`; returns the new end. */
  #listCounters(prey: number, start: number): number {
    const colour = this.#colour;
    const steps = this.#steps;
    const mark = this.#seen.wipe();
    const seen = this.#seen.of;
    const stones = this.#preyStack;
    const own = colour[prey]!;
    const enemy = 3 - own;
    let end = start;
    let depth = 0;
    seen[prey] = mark;
    stones[depth++] = prey;
    while (depth > 0) {
      const cell = stones[--depth]!;
      for (let side = 0; side < 4; side++) {
        const beside = cell + steps[side]!;
        const there = colour[beside]!;
        if ((there !== own && there !== enemy) || seen[beside] === mark) continue;
        seen[beside] = mark;
        if (there === own) stones[depth++] = beside;
        else if (this.#inAtari(beside)) {
          let known = start;
          while (known < end && this.#counters[known] !== this.#first) known++;
          if (known === end && end < this.#counters.length) this.#counters[end++] = this.#first;
        }
      }
    }
    return end;
  }
}
