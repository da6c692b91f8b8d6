import { notify } from "./mailbox.ts";

const IDLE = 0;
const SUBMITTED = 1;
const TAKEN = 2;
const FAILED = 3;

/** Indices into the control words of a slot. */
const STATE = 0;
const ROWS = 1;
const VERSION = 2;

/** In place of the version of all rows of a request: the rows are for different versions of the weights. */
export const MIXED = -1;

/**
 * Shared memory for the evaluation requests of one thread. The thread writes rows of packed planes, submits them, and
 * continues or blocks until the evaluator has written the response rows. There is no message; a round trip takes 12
 * microseconds.
 *
 * A row can have tens of thousands of logits. The response holds the priors of those named by the gather indices.
 */
export interface Slot {
  /** [state, number of submitted rows, the version of the weights that all of them are for, or `MIXED`]. */
  readonly control: Int32Array;
  /** By row: the version of the net's weights that it is evaluated with: [capacity]. */
  readonly versions: Int32Array;
  /** Packed planes, row-major [capacity, bytes]. */
  readonly bytes: Uint8Array;
  /** Packed planes, row-major [capacity, floats]. */
  readonly floats: Float32Array;
  /** The response: values, row-major [capacity, values]. */
  readonly values: Float32Array;
  /** Row r has the gather indices from `starts[r]` to `starts[r + 1]`: [capacity + 1]. */
  readonly starts: Int32Array;
  /** Gather indices: the requested logits, by number, row after row; length 0 for nets without a policy. */
  readonly gather: Int32Array;
  /** The response: the priors of the gather indices, in the same order; they sum to 1 in each row. */
  readonly priors: Float32Array;
  /** The response: [processor seconds that the evaluator took for the rows of this request; NaN if they are not known]. */
  readonly seconds: Float64Array;
  /** Maximum number of rows. */
  readonly capacity: number;
}

/** The number of rows of a slot, and the sizes of one row. */
export interface SlotShape {
  readonly capacity: number;
  readonly bytes: number;
  readonly floats: number;
  readonly values: number;
  /** Maximum number of gather indices in a row. */
  readonly gather: number;
}

/** A slot in shared memory; it can be posted to any number of threads. */
export function newSlot({ capacity, bytes, floats: packedFloats, values, gather }: SlotShape): Slot {
  const floats = (count: number) => new Float32Array(new SharedArrayBuffer(4 * count));
  const words = (count: number) => new Int32Array(new SharedArrayBuffer(4 * count));
  return {
    control: words(3),
    versions: words(capacity),
    bytes: new Uint8Array(new SharedArrayBuffer(capacity * bytes)),
    floats: floats(capacity * packedFloats),
    values: floats(capacity * values),
    starts: words(capacity + 1),
    gather: words(capacity * gather),
    priors: floats(capacity * gather),
    seconds: new Float64Array(new SharedArrayBuffer(8)),
    capacity,
  };
}

/** The place where one thread submits requests to one evaluator. */
export interface EvaluatorEndpoint {
  /** The slots of this thread: it can fill one while another is being computed. */
  readonly slots: readonly Slot[];
  /** The notifier of the evaluator. */
  readonly notifier: Int32Array;
  /** [number of positions whose responses were in the cache of this thread]. */
  readonly hits: BigInt64Array;
}

/** The endpoints of one evaluator. */
export interface EvaluatorSlots {
  /** A new endpoint with this number of slots for a worker thread; it replaces the earlier endpoint of that worker. */
  readonly renew: (worker: number, slots: number) => EvaluatorEndpoint;
}

/** Submits the first `rows` rows of the slot, whose versions have been written, without waiting for the response. */
export function submit(slot: Slot, rows: number, notifier: Int32Array): void {
  slot.control[ROWS] = rows;
  slot.control[VERSION] = commonVersion(slot.versions, rows);
  Atomics.store(slot.control, STATE, SUBMITTED);
  notify(notifier);
}

/** Blocks until the submitted rows have their response; returns at once if none were submitted. Throws if the evaluator failed. */
export function collect(slot: Slot): void {
  for (;;) {
    const state = Atomics.load(slot.control, STATE);
    if (state === IDLE) return;
    if (state === FAILED) throw new Error("the evaluator failed");
    Atomics.wait(slot.control, STATE, state);
  }
}

/** Takes the request of a slot, so that no other thread takes it; returns its number of rows, or 0 if there is none. */
export function take(slot: Slot): number {
  const was = Atomics.compareExchange(slot.control, STATE, SUBMITTED, TAKEN);
  return was === SUBMITTED ? slot.control[ROWS]! : 0;
}

/** The version that all rows of a submitted request are for, or `MIXED`. */
export function versionOf(slot: Slot): number {
  return slot.control[VERSION]!;
}

/** Completes the response, which took these processor seconds, and wakes the owner of the slot. */
export function respond(slot: Slot, seconds: number): void {
  slot.seconds[0] = seconds;
  Atomics.store(slot.control, STATE, IDLE);
  Atomics.notify(slot.control, STATE);
}

/** Fails the request: `collect` throws in the owner of the slot. */
export function refuse(slot: Slot): void {
  Atomics.store(slot.control, STATE, FAILED);
  Atomics.notify(slot.control, STATE);
}

function commonVersion(versions: Int32Array, rows: number): number {
  const first = versions[0]!;
  for (let row = 1; row < rows; row++) if (versions[row] !== first) return MIXED;
  return first;
}
