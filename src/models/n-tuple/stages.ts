import { exponentIn, GREATEST_EXPONENT } from "../../games/2048/lines.ts";

/**
 * The stages of a multi-stage network: boards whose greatest tile has reached a limit have tables of their own (Yeh et al.
 * 2016). Later tables start from the stage before (weight promotion: Jaskowski 2018, section III-D) or from the initial value.
 *
 * The tables of the stages lie one after the other. With promotion, a 0 in a later stage marks an untouched weight, which
 * counts as the weight of the stage before. A step first copies the weights that it touches. A touched weight is never 0: see
 * `TOUCHED`.
 */
export class Stages {
  /** Number of stages, 1 or more. */
  readonly count: number;
  /** Weights of a stage. */
  readonly size: number;
  /** Whether untouched weights of later stages count as those of the stage before; false with one stage. */
  readonly promotes: boolean;
  /** Number of stages, from the first on, whose weights begin at the initial weight: 1 with promotion, else all. */
  readonly initialised: number;
  /** By exponent: the stage of boards in which this exponent is the greatest. */
  readonly #stageOf: Uint8Array;

  /** `tiles` are the greatest tiles with which the stages after the first begin, in increasing order. */
  constructor(tiles: readonly number[], size: number, promotion = true) {
    this.count = tiles.length + 1;
    this.size = size;
    this.promotes = promotion && this.count > 1;
    this.initialised = this.promotes ? 1 : this.count;
    this.#stageOf = Uint8Array.from(
      { length: GREATEST_EXPONENT + 1 },
      (_, exponent) => tiles.filter((tile) => tile <= 2 ** exponent).length,
    );
  }

  /** The stage that belongs to the greatest tile of a line. */
  ofLine(line: number): number {
    let stage = 0;
    for (let cell = 0; cell < 4; cell++) stage = Math.max(stage, this.#stageOf[exponentIn(line, cell)]!);
    return stage;
  }

  /** The stage of the board whose eight lines begin at `offset`. */
  of(lines: Int32Array, offset: number): number {
    if (this.count === 1) return 0;
    let stage = 0;
    for (let row = 0; row < 4; row++) stage = Math.max(stage, this.ofLine(lines[offset + row]!));
    return stage;
  }

  /** The value of a weight: its own, or that of the latest earlier stage in which it was touched. */
  promoted(weights: Float32Array, index: number): number {
    let at = index;
    while (weights[at] === 0 && at >= this.size) at -= this.size;
    return weights[at]!;
  }

  /** Before a step: gives untouched weights of later stages the value that they count as. */
  promote(weights: Float32Array, indices: Int32Array): void {
    for (const index of indices)
      if (weights[index] === 0 && index >= this.size)
        weights[index] = this.promoted(weights, index) || TOUCHED;
  }

  /** After a step: replaces 0 by `TOUCHED`, so that these weights do not look untouched. */
  touch(weights: Float32Array, indices: Int32Array): void {
    for (const index of indices) if (weights[index] === 0) weights[index] = TOUCHED;
  }
}

/** Represents 0 in networks with promotion: the least positive float32. */
export const TOUCHED = 2 ** -149;
