import { ring } from "./mailbox.ts";

const IDLE = 0;
const ASKED = 1;
const FAILED = 2;

/**
 * One thread's shared-memory place for evaluation requests: it writes feature rows, rings, and blocks until the
 * evaluator has written the reply rows. No copy, no message: 12 microseconds a round trip.
 */
export interface Slot {
  /** [state, rows asked]. */
  readonly control: Int32Array;
  /** Row-major [capacity, features]. */
  readonly features: Float32Array;
  /** Row-major [capacity, values]. */
  readonly values: Float32Array;
  /** Row-major [capacity, actions]; length 0 for nets without a policy. */
  readonly policy: Float32Array;
  /** Rows that fit. */
  readonly capacity: number;
}

/** Sizes of one row of a slot. */
export interface SlotShape {
  readonly capacity: number;
  readonly features: number;
  readonly values: number;
  readonly policy: number;
}

/** A slot in shared memory; it can be posted to any number of threads. */
export function newSlot(shape: SlotShape): Slot {
  const floats = (perRow: number) => new Float32Array(new SharedArrayBuffer(4 * shape.capacity * perRow));
  return {
    control: new Int32Array(new SharedArrayBuffer(8)),
    features: floats(shape.features),
    values: floats(shape.values),
    policy: floats(shape.policy),
    capacity: shape.capacity,
  };
}

/** Where worker threads ask one evaluator. */
export interface EvaluatorSlots {
  /** Rung by those who ask. */
  readonly bell: Int32Array;
  /** A fresh slot for a worker thread, in place of the one that it, or a thread before it, had. */
  readonly renew: (worker: number) => Slot;
}

/** Asks for the first `rows` rows of the slot and blocks until they are answered. Throws if the evaluator failed. */
export function ask(slot: Slot, rows: number, evaluatorBell: Int32Array): void {
  slot.control[1] = rows;
  Atomics.store(slot.control, 0, ASKED);
  ring(evaluatorBell);
  Atomics.wait(slot.control, 0, ASKED);
  if (Atomics.load(slot.control, 0) === FAILED) throw new Error("the evaluator failed");
}

/** The rows that the slot's owner waits for; 0 when it waits for none. */
export function asked(slot: Slot): number {
  return Atomics.load(slot.control, 0) === ASKED ? slot.control[1]! : 0;
}

/** Hands the reply over and lets the owner go on. */
export function answer(slot: Slot): void {
  Atomics.store(slot.control, 0, IDLE);
  Atomics.notify(slot.control, 0);
}

/** Lets the owner go on with an error. */
export function refuse(slot: Slot): void {
  Atomics.store(slot.control, 0, FAILED);
  Atomics.notify(slot.control, 0);
}
