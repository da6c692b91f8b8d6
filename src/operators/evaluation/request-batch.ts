import type { Inference } from "../../models/nets/inference.ts";
import type { Net } from "../../models/net.ts";
import { MIXED, respond, type Slot, take, versionOf } from "../../workers/slots.ts";

/** Rows of one slot, next to each other, that are for one version of the weights. */
interface RowRun {
  readonly slot: Slot;
  /** The first of these rows in the slot. */
  readonly first: number;
  readonly rows: number;
}

/**
 * The requests of one or more slots, computed in a batch for each version of the weights that their rows are for. Where
 * such a batch is the whole request of a single slot, it is computed in place; otherwise its rows are concatenated first.
 * Rows of logits stay here; a slot gets the logits at its gather indices.
 */
export class RequestBatch {
  /** Numbers in a row of logits; 0 for nets without a policy. */
  readonly #width: number;
  readonly #taken: Slot[] = [];
  /** By version of the weights: the rows taken. */
  readonly #runs = new Map<number, RowRun[]>();
  #logits: Float32Array = new Float32Array(0);
  #features: Float32Array = new Float32Array(0);
  #values: Float32Array = new Float32Array(0);
  #start = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /**
   * Takes requests until there are `enough` rows, each time beginning with another slot; returns false if there are none.
   * The slots have the same shape, but may differ in capacity.
   */
  take(slots: readonly Slot[], enough: number): boolean {
    this.#taken.length = 0;
    this.#runs.clear();
    this.#start++;
    for (let i = 0, all = 0; i < slots.length && all < enough; i++) {
      const slot = slots[(this.#start + i) % slots.length]!;
      const rows = take(slot);
      if (rows === 0) continue;
      this.#taken.push(slot);
      this.#addRuns(slot, rows);
      all += rows;
    }
    return this.#taken.length > 0;
  }

  /** The versions of the weights that the requests taken are for. */
  get versions(): number[] {
    return [...this.#runs.keys()];
  }

  /** Computes the rows that are for one of these versions, with its weights; returns their number. */
  async compute(version: number, inference: Inference): Promise<number> {
    const runs = this.#runs.get(version)!;
    const total = runs.reduce((sum, { rows }) => sum + rows, 0);
    const { slot } = runs[0]!;
    const alone = runs.length === 1 && versionOf(slot) === version;
    if (!alone) this.#concatenate(runs, total);
    const features = alone ? slot.features : this.#features;
    const values = alone ? slot.values : this.#values;
    this.#logits = atLeast(this.#logits, total * this.#width);
    const out = this.#width === 0 ? { value: values } : { value: values, policy: this.#logits };
    await inference.run(features, total, out);
    let row = 0;
    for (const run of runs) {
      if (!alone) {
        const width = run.slot.values.length / run.slot.capacity;
        run.slot.values.set(values.subarray(row * width, (row + run.rows) * width), run.first * width);
      }
      this.#gatherLogits(run, row);
      row += run.rows;
    }
    return total;
  }

  /** Completes the responses, after all versions have been computed. */
  respond(): void {
    for (const slot of this.#taken) respond(slot);
  }

  /** Computes this number of rows of zeros, to measure the time. */
  async tryOut(inference: Inference, { input, seats }: Net, rows: number): Promise<void> {
    const [height, width, channels] = input;
    this.#features = atLeast(this.#features, rows * height * width * channels);
    this.#values = atLeast(this.#values, rows * seats);
    this.#logits = atLeast(this.#logits, rows * this.#width);
    const out = this.#width === 0 ? { value: this.#values } : { value: this.#values, policy: this.#logits };
    await inference.run(this.#features, rows, out);
  }

  #addRuns(slot: Slot, rows: number): void {
    const common = versionOf(slot);
    if (common !== MIXED) return this.#addRun(common, { slot, first: 0, rows });
    const { versions } = slot;
    for (let first = 0, row = 1; row <= rows; row++)
      if (row === rows || versions[row] !== versions[first]) {
        this.#addRun(versions[first]!, { slot, first, rows: row - first });
        first = row;
      }
  }

  #addRun(version: number, run: RowRun): void {
    const runs = this.#runs.get(version);
    if (runs === undefined) this.#runs.set(version, [run]);
    else runs.push(run);
  }

  #concatenate(runs: readonly RowRun[], total: number): void {
    const { features, values, capacity } = runs[0]!.slot;
    const width = features.length / capacity;
    this.#features = atLeast(this.#features, total * width);
    this.#values = atLeast(this.#values, (total * values.length) / capacity);
    let row = 0;
    for (const { slot, first, rows } of runs) {
      this.#features.set(slot.features.subarray(first * width, (first + rows) * width), row * width);
      row += rows;
    }
  }

  /** Copies the logits at the gather indices of rows of a slot, which were computed from row `from` on. */
  #gatherLogits({ slot, first, rows }: RowRun, from: number): void {
    const { starts, gather } = slot;
    for (let row = 0; row < rows; row++) {
      const logits = (from + row) * this.#width;
      const end = starts[first + row + 1]!;
      for (let at = starts[first + row]!; at < end; at++)
        slot.logits[at] = this.#logits[logits + gather[at]!]!;
    }
  }
}

function atLeast(room: Float32Array, length: number): Float32Array {
  return room.length >= length ? room : new Float32Array(length);
}
