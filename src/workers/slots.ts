import { notify } from "./mailbox.ts";

const IDLE = 0;
const SUBMITTED = 1;
const TAKEN = 2;
const FAILED = 3;

/** Indices into the control words of a slot. */
const STATE = 0;
const ROWS = 1;
const WEIGHTS = 2;

/**
 * Shared memory for the evaluation requests of one thread. The thread writes rows of features, submits them, and
 * continues or blocks until the evaluator has written the response rows. There is no copy and no message; a round trip
 * takes 12 microseconds.
 *
 * A row can have tens of thousands of logits. The response holds only those named by the gather indices.
 */
export interface Slot {
  /** [state, number of submitted rows, version of the weights of the last response]. */
  readonly control: Int32Array;
  /** Row-major [capacity, features]. */
  readonly features: Float32Array;
  /** The response: values, row-major [capacity, values]. */
  readonly values: Float32Array;
  /** Row r has the gather indices from `starts[r]` to `starts[r + 1]`: [capacity + 1]. */
  readonly starts: Int32Array;
  /** Gather indices: the requested logits, by number, row after row; length 0 for nets without a policy. */
  readonly gather: Int32Array;
  /** The response: the logits at the gather indices, in the same order. */
  readonly logits: Float32Array;
  /** Maximum number of rows. */
  readonly capacity: number;
}

/** The number of rows of a slot, and the sizes of one row. */
export interface SlotShape {
  readonly capacity: number;
  readonly features: number;
  readonly values: number;
  /** Maximum number of gather indices in a row. */
  readonly gather: number;
}

/** A slot in shared memory; it can be posted to any number of threads. */
export function newSlot({ capacity, features, values, gather }: SlotShape): Slot {
  const floats = (count: number) => new Float32Array(new SharedArrayBuffer(4 * count));
  const words = (count: number) => new Int32Array(new SharedArrayBuffer(4 * count));
  return {
    control: words(3),
    features: floats(capacity * features),
    values: floats(capacity * values),
    starts: words(capacity + 1),
    gather: words(capacity * gather),
    logits: floats(capacity * gather),
    capacity,
  };
}

/** The place where one thread submits requests to one evaluator. */
export interface EvaluatorEndpoint {
  /** The slots of this thread: it can fill one while another is being computed. */
  readonly slots: readonly Slot[];
  /** The notifier of the evaluator. */
  readonly notifier: Int32Array;
  /** [version of the weights in use]. */
  readonly weights: Int32Array;
  /** [number of positions whose responses were in the cache of this thread]. */
  readonly hits: BigInt64Array;
}

/** The endpoints of one evaluator. */
export interface EvaluatorSlots {
  /** A new endpoint with this number of slots for a worker thread; it replaces the earlier endpoint of that worker. */
  readonly renew: (worker: number, slots: number) => EvaluatorEndpoint;
}

/** Submits the first `rows` rows of the slot, without waiting for the response. */
export function submit(slot: Slot, rows: number, notifier: Int32Array): void {
  slot.control[ROWS] = rows;
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

/** Completes the response, computed with this version of the weights, and wakes the owner of the slot. */
export function respond(slot: Slot, weights = 0): void {
  slot.control[WEIGHTS] = weights;
  Atomics.store(slot.control, STATE, IDLE);
  Atomics.notify(slot.control, STATE);
}

/** The version of the weights that the last response was computed with. */
export function responseVersion(slot: Slot): number {
  return slot.control[WEIGHTS]!;
}

/** Fails the request: `collect` throws in the owner of the slot. */
export function refuse(slot: Slot): void {
  Atomics.store(slot.control, STATE, FAILED);
  Atomics.notify(slot.control, STATE);
}
