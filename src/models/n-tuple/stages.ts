import { exponentIn, GREATEST_EXPONENT } from "../../games/2048/lines.ts";

/**
 * The stages of a multi-stage network: tables of its own for boards whose greatest tile is at least so large (Yeh et al.
 * 2016), begun with what the stage before has learned (weight promotion: Jaskowski 2018, section III-D) or by themselves.
 *
 * The tables of the stages lie one after the other. With promotion 0 says in those behind the first that a weight is
 * untouched: it counts as that of the stage before does. A step first copies what it touches. A touched weight is never 0:
 * see `TOUCHED`.
 */
export class Stages {
  /** How many there are, 1 or more. */
  readonly count: number;
  /** Weights of a stage. */
  readonly size: number;
  /** Whether untouched weights of later stages count as those before: never so with one stage. */
  readonly promotes: boolean;
  /** How many stages, from the first on, begin with the initial weight: with promotion the others begin with theirs. */
  readonly initialised: number;
  /** For each exponent the stage of boards of which it is the greatest. */
  readonly #stageOf: Uint8Array;

  /** `tiles` are the greatest tiles that stages behind the first begin with, in increasing order. */
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

  /** The stage that a line's greatest tile makes for. */
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

  /** The value of a weight: its own, or that of the last stage before that has touched it. */
  promoted(weights: Float32Array, index: number): number {
    let at = index;
    while (weights[at] === 0 && at >= this.size) at -= this.size;
    return weights[at]!;
  }

  /** Gives untouched weights of the stages behind the first the value that they count as, before a step. */
  promote(weights: Float32Array, indices: Int32Array): void {
    for (const index of indices)
      if (weights[index] === 0 && index >= this.size)
        weights[index] = this.promoted(weights, index) || TOUCHED;
  }

  /** Keeps weights that a step has made 0 from being taken for untouched. */
  touch(weights: Float32Array, indices: Int32Array): void {
    for (const index of indices) if (weights[index] === 0) weights[index] = TOUCHED;
  }
}

/** What stands for 0 in a network of several stages with promotion: the least positive float32. */
export const TOUCHED = 2 ** -149;
