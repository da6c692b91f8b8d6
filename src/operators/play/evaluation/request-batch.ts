import type { Inference } from "../../../models/net.ts";
import { MIXED, respond, type Slot, take, versionOf } from "../../../workers/slots.ts";
import type { NetBatch, RowRun } from "./net-batch.ts";

/** The requests of one or more slots, computed in a batch for each version of the weights that their rows are for. */
export class RequestBatch {
  readonly #batch: NetBatch;
  readonly #taken: { readonly slot: Slot; readonly rows: number }[] = [];
  /** By version of the weights: the rows taken. */
  readonly #runs = new Map<number, RowRun[]>();
  #start = 0;

  constructor(batch: NetBatch) {
    this.#batch = batch;
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
      this.#taken.push({ slot, rows });
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
  compute(version: number, inference: Inference): Promise<number> {
    return this.#batch.compute(inference, this.#runs.get(version)!);
  }

  /** Completes the responses, after all versions have been computed in these processor seconds; each row took as long. */
  respond(seconds: number): void {
    const all = this.#taken.reduce((sum, { rows }) => sum + rows, 0);
    for (const { rows, slot } of this.#taken) respond(slot, (seconds * rows) / all);
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
}
