import type { Inference } from "../../models/nets/inference.ts";
import type { Net } from "../../models/net.ts";
import { respond, type Slot, take } from "../../workers/slots.ts";

/**
 * The requests of one or more slots as one batch of a net. The rows of a single slot are computed in place; the rows of
 * several slots are concatenated first. Rows of logits stay here; a slot gets the logits at its gather indices.
 */
export class RequestBatch {
  /** Numbers in a row of logits; 0 for nets without a policy. */
  readonly #width: number;
  readonly #taken: Slot[] = [];
  readonly #rows: number[] = [];
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
    this.#taken.length = this.#rows.length = 0;
    this.#start++;
    for (let i = 0, all = 0; i < slots.length && all < enough; i++) {
      const slot = slots[(this.#start + i) % slots.length]!;
      const rows = take(slot);
      if (rows === 0) continue;
      this.#taken.push(slot);
      this.#rows.push(rows);
      all += rows;
    }
    return this.#taken.length > 0;
  }

  /** Computes the rows of the requests taken; returns their number. */
  async compute(inference: Inference): Promise<number> {
    const total = this.#rows.reduce((sum, rows) => sum + rows, 0);
    const [first] = this.#taken;
    const alone = this.#taken.length === 1;
    if (!alone) this.#concatenate(total);
    const features = alone ? first!.features : this.#features;
    const values = alone ? first!.values : this.#values;
    this.#logits = atLeast(this.#logits, total * this.#width);
    const out = this.#width === 0 ? { value: values } : { value: values, policy: this.#logits };
    await inference.run(features, total, out);
    for (let i = 0, row = 0; i < this.#taken.length; row += this.#rows[i++]!) {
      const slot = this.#taken[i]!;
      if (!alone) {
        const width = slot.values.length / slot.capacity;
        slot.values.set(values.subarray(row * width, (row + this.#rows[i]!) * width));
      }
      this.#gatherLogits(slot, this.#rows[i]!, row);
    }
    return total;
  }

  /** Completes the responses, which were computed with this version of the weights. */
  respond(version: number): void {
    for (const slot of this.#taken) respond(slot, version);
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

  #concatenate(total: number): void {
    const { features, values, capacity } = this.#taken[0]!;
    const width = features.length / capacity;
    this.#features = atLeast(this.#features, total * width);
    this.#values = atLeast(this.#values, (total * values.length) / capacity);
    for (let i = 0, row = 0; i < this.#taken.length; row += this.#rows[i++]!)
      this.#features.set(this.#taken[i]!.features.subarray(0, this.#rows[i]! * width), row * width);
  }

  /** Copies the logits at the gather indices of a slot, whose rows were computed from row `first` on. */
  #gatherLogits(slot: Slot, rows: number, first: number): void {
    const { starts, gather } = slot;
    for (let row = 0; row < rows; row++) {
      const from = (first + row) * this.#width;
      const end = starts[row + 1]!;
      for (let at = starts[row]!; at < end; at++) slot.logits[at] = this.#logits[from + gather[at]!]!;
    }
  }
}

function atLeast(room: Float32Array, length: number): Float32Array {
  return room.length >= length ? room : new Float32Array(length);
}
