import { bitCount } from "../bits.ts";
import type { Features } from "../game.ts";
import { completions, type ConnectFourBoard, type LineOfFour, linesOfFour } from "./board.ts";
import { type ConnectFourState, landingCells } from "./state.ts";

/** The value of a line in which the other seat has no stone, by the number of own stones in it. */
const VALUES = [0, 1, 4, 16, 1000];

/** Divides the numbers of lines with one, two and three own stones: few positions have more. */
const USUAL = [20, 12, 6];

/** What is computed from the lines of four of a position: a static evaluation, features, bounds of the returns. */
export class ConnectFourLines {
  /** The input of a linear value function: the lines that only one seat can still fill, by the stones in them. */
  readonly features: Features<ConnectFourState>;
  readonly #board: ConnectFourBoard;
  readonly #lines: readonly LineOfFour[];
  /** By seat and number of own stones: the lines without a stone of the other seat. */
  readonly #counts = new Int32Array(10);
  readonly #landing = new Int32Array(2);
  readonly #completing = new Int32Array(2);

  constructor(board: ConnectFourBoard) {
    this.#board = board;
    this.#lines = linesOfFour(board);
    this.features = {
      names: [
        "one",
        "to move",
        "own ones",
        "own twos",
        "own threes",
        "own fours",
        "their ones",
        "their twos",
        "their threes",
        "their fours",
      ],
      write: (state, seat, out) => {
        this.#count(state);
        out[0] = 1;
        out[1] = state.toMove === seat ? 1 : 0;
        for (const [of, side] of [seat, 1 - seat].entries())
          for (let stones = 1; stones <= 4; stones++)
            out[1 + 4 * of + stones] = this.#counts[5 * side + stones]! / (USUAL[stones - 1] ?? 1);
      },
    };
  }

  /** The static evaluation `lines`: the sum of the values of the lines that only this seat can still fill, or has filled. */
  evaluate(state: ConnectFourState, out: Float64Array): void {
    this.#count(state);
    for (let seat = 0; seat < 2; seat++) {
      out[seat] = 0;
      for (let stones = 1; stones <= 4; stones++)
        out[seat]! += VALUES[stones]! * this.#counts[5 * seat + stones]!;
    }
  }

  /**
   * Bounds of the returns at the end: a mover that can complete four wins, and a seat that can fill no line any more does
   * not win.
   */
  boundReturns(state: ConnectFourState, least: Float64Array, most: Float64Array): void {
    const mover = state.toMove;
    if (this.#wins(state)) {
      least[mover] = most[mover] = 1;
      least[1 - mover] = most[1 - mover] = 0;
      return;
    }
    this.#count(state);
    for (let seat = 0; seat < 2; seat++) {
      let open = 0;
      for (let stones = 0; stones < 4; stones++) open += this.#counts[5 * seat + stones]!;
      most[seat] = open > 0 ? 1 : 0.5;
    }
    least[0] = 1 - most[1]!;
    least[1] = 1 - most[0]!;
  }

  /** Whether the mover can complete four at once. */
  #wins(state: ConnectFourState): boolean {
    const first = state.toMove === 0;
    landingCells(state, this.#board, this.#landing);
    completions(first ? state.low0 : state.low1, first ? state.high0 : state.high1, this.#completing);
    return ((this.#completing[0]! & this.#landing[0]!) | (this.#completing[1]! & this.#landing[1]!)) !== 0;
  }

  #count({ low0, high0, low1, high1 }: ConnectFourState): void {
    const counts = this.#counts;
    counts.fill(0);
    for (const { low, high } of this.#lines) {
      const first = bitCount(low & low0) + bitCount(high & high0);
      const second = bitCount(low & low1) + bitCount(high & high1);
      if (second === 0) counts[first]!++;
      if (first === 0) counts[5 + second]!++;
    }
  }
}
