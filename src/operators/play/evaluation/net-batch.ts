import type { Device } from "../../../compute/engine.ts";
import { NO_INDEX } from "../../../models/nets/gather-logits.ts";
import type { Inference } from "../../../models/net.ts";
import { gatherWidth } from "../../../models/nets/gather-width.ts";
import { MIXED, type Slot, type SlotShape, versionOf } from "../../../workers/slots.ts";

/** Rows of one slot, next to each other. */
export interface RowRun {
  readonly slot: Slot;
  /** The first of these rows in the slot. */
  readonly first: number;
  readonly rows: number;
}

/** The sizes of one row of a slot. */
type RowSizes = Omit<SlotShape, "capacity">;

/**
 * Computes rows of slots in batches of a net.
 *
 * If a batch has a single run of rows, and the run begins its slot, planes are read and values written in place. Otherwise
 * they are copied. Gather indices and priors lie one after another in a slot and in rows of one width here.
 */
export class NetBatch {
  readonly #sizes: RowSizes;
  readonly #device: Device;
  #bytes: Uint8Array = new Uint8Array(0);
  #floats: Float32Array = new Float32Array(0);
  #values: Float32Array = new Float32Array(0);
  #gather: Int32Array = new Int32Array(0);
  #priors: Float32Array = new Float32Array(0);

  constructor(sizes: RowSizes, device: Device) {
    this.#sizes = sizes;
    this.#device = device;
  }

  /** Computes the rows of the runs as one batch and writes the responses; returns the number of rows. */
  async compute(inference: Inference, runs: readonly RowRun[]): Promise<number> {
    const total = runs.reduce((sum, { rows }) => sum + rows, 0);
    const rows = shapeOf(total, this.#device);
    const [{ slot, first }] = runs as [RowRun];
    const alone = runs.length === 1 && first === 0;
    // Rows that fill up a shape must not be those of another version, which may have their response already.
    const inPlace = alone && (rows === total || (rows <= slot.capacity && versionOf(slot) !== MIXED));
    const width = gatherWidth(mostIndices(runs), this.#sizes.gather);
    this.#makeRoom(rows, width);
    if (!inPlace) this.#copyPlanes(runs);
    this.#layOutIndices(runs, rows, width);
    const { bytes, floats, values } = inPlace
      ? slot
      : { bytes: this.#bytes, floats: this.#floats, values: this.#values };
    const batch = { bytes, floats, gather: this.#gather, width };
    await inference.run(batch, rows, { value: values, prior: this.#priors });
    let row = 0;
    for (const run of runs) {
      if (!inPlace) this.#copyValues(run, row);
      this.#copyPriors(run, row, width);
      row += run.rows;
    }
    return total;
  }

  /** Computes this number of empty positions, to measure the time. */
  async tryOut(inference: Inference, rows: number): Promise<void> {
    const shape = shapeOf(rows, this.#device);
    const width = gatherWidth(0, this.#sizes.gather);
    this.#makeRoom(shape, width);
    this.#gather.fill(NO_INDEX);
    const batch = { bytes: this.#bytes, floats: this.#floats, gather: this.#gather, width };
    await inference.run(batch, shape, { value: this.#values, prior: this.#priors });
  }

  #makeRoom(rows: number, width: number): void {
    const { bytes, floats, values } = this.#sizes;
    if (this.#bytes.length < rows * bytes) this.#bytes = new Uint8Array(rows * bytes);
    if (this.#floats.length < rows * floats) this.#floats = new Float32Array(rows * floats);
    if (this.#values.length < rows * values) this.#values = new Float32Array(rows * values);
    if (this.#gather.length >= rows * width) return;
    this.#gather = new Int32Array(rows * width);
    this.#priors = new Float32Array(rows * width);
  }

  #copyPlanes(runs: readonly RowRun[]): void {
    const { bytes, floats } = this.#sizes;
    let row = 0;
    for (const { slot, first, rows } of runs) {
      const end = first + rows;
      this.#bytes.set(slot.bytes.subarray(first * bytes, end * bytes), row * bytes);
      this.#floats.set(slot.floats.subarray(first * floats, end * floats), row * floats);
      row += rows;
    }
  }

  #layOutIndices(runs: readonly RowRun[], rows: number, width: number): void {
    this.#gather.fill(NO_INDEX, 0, rows * width);
    let row = 0;
    for (const { slot, first, rows: count } of runs)
      for (let at = first; at < first + count; at++)
        this.#gather.set(slot.gather.subarray(slot.starts[at], slot.starts[at + 1]), width * row++);
  }

  #copyValues({ slot, first, rows }: RowRun, row: number): void {
    const { values } = this.#sizes;
    slot.values.set(this.#values.subarray(row * values, (row + rows) * values), first * values);
  }

  #copyPriors({ slot, first, rows }: RowRun, row: number, width: number): void {
    for (let i = 0; i < rows; i++) {
      const start = slot.starts[first + i]!;
      const from = (row + i) * width;
      slot.priors.set(this.#priors.subarray(from, from + slot.starts[first + i + 1]! - start), start);
    }
  }
}

/**
 * The number of rows that a batch is computed with. On a GPU it is one of few (1, 2, 3, 4, 6, 8, 12, ...), since it prepares
 * each shape once; the remaining rows are padding. On the CPU a new shape costs nothing, but each row takes time.
 */
export function shapeOf(rows: number, device: Device): number {
  if (device === "cpu") return rows;
  let shape = 1;
  while (shape < rows) shape *= 2;
  return rows <= 0.75 * shape ? 0.75 * shape : shape;
}

function mostIndices(runs: readonly RowRun[]): number {
  let most = 0;
  for (const { slot, first, rows } of runs)
    for (let row = first; row < first + rows; row++)
      most = Math.max(most, slot.starts[row + 1]! - slot.starts[row]!);
  return most;
}
