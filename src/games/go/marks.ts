import { MOST_CELLS } from "./board.ts";

/** Marks on cells that are all wiped at once: a cell is marked if `of[cell]` is the number that `wipe` gave last. */
export class Marks {
  readonly of = new Int32Array(MOST_CELLS);
  #mark = 0;

  /** Wipes all marks; returns the number that marks a cell from now on. */
  wipe(): number {
    if (this.#mark === 0x7fffffff) {
      this.of.fill(0);
      this.#mark = 0;
    }
    return ++this.#mark;
  }
}
