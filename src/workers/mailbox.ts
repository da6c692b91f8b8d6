import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";

/** A notifier of one blocking thread, in shared memory: a counter of the notifications that it has had. */
export function newNotifier(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** Wakes the thread that waits on the notifier. Call it after the work is in place, not before. */
export function notify(notifier: Int32Array): void {
  Atomics.add(notifier, 0, 1);
  Atomics.notify(notifier, 0);
}

/**
 * Messages for a thread that never returns to its event loop.
 *
 * A search is plain code that blocks its thread while it waits for evaluations. So the thread fetches its messages
 * between steps.
 */
export class Mailbox<M> {
  readonly #port: MessagePort;
  readonly #notifier: Int32Array;

  constructor(port: MessagePort, notifier: Int32Array) {
    this.#port = port;
    this.#notifier = notifier;
  }

  /** The next message, or undefined if there is none yet. */
  poll(): M | undefined {
    return receiveMessageOnPort(this.#port)?.message as M | undefined;
  }

  /** The next message; blocks the thread until there is one. */
  take(): M {
    for (;;) {
      const notifications = Atomics.load(this.#notifier, 0);
      const message = this.poll();
      if (message !== undefined) return message;
      Atomics.wait(this.#notifier, 0, notifications);
    }
  }

  /** The next message, or undefined if none arrives within this time; blocks the thread meanwhile. */
  takeWithin(milliseconds: number): M | undefined {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const notifications = Atomics.load(this.#notifier, 0);
      const message = this.poll();
      if (message !== undefined) return message;
      const left = deadline - performance.now();
      if (left <= 0) return undefined;
      Atomics.wait(this.#notifier, 0, notifications, left);
    }
  }
}
