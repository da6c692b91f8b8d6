import * as Effect from "effect/Effect";
import type { Envelope, Reply } from "./serve.ts";
import type { WorkerCrashed, WorkerThread } from "./worker-thread.ts";

/** Whoever waits for an answer. */
interface Waiter<R, N> {
  readonly respond: (reply: Reply<R>) => void;
  readonly note: (note: N) => void;
  readonly crash: (crash: WorkerCrashed) => void;
}

/**
 * Questions and answers over one thread: each question gets one answer, with any number of notes before it.
 *
 * A thread that reports an error, or crashes, fails the question; interruption abandons it.
 */
export class Requests<M, R, N = never> {
  readonly #thread: WorkerThread<Envelope<M>, Reply<R>>;
  readonly #waiting = new Map<number, Waiter<R, N>>();
  #tickets = 0;
  #crash: WorkerCrashed | undefined;

  constructor(thread: WorkerThread<Envelope<M>, Reply<R>>) {
    this.#thread = thread;
    thread.onMessage((reply) => {
      const waiter = this.#waiting.get(reply.ticket);
      if (waiter === undefined) return;
      if ("note" in reply) waiter.note(reply.note as N);
      else {
        this.#waiting.delete(reply.ticket);
        waiter.respond(reply);
      }
    });
    thread.onCrash((crash) => {
      this.#crash = crash;
      for (const waiter of this.#waiting.values()) waiter.crash(crash);
      this.#waiting.clear();
    });
  }

  /** Asks, and waits for the answer. */
  submit<E>(
    body: M,
    options: {
      readonly onError: (message: string) => E;
      readonly onNote?: (note: N) => void;
      readonly transfer?: readonly ArrayBuffer[];
    },
  ): Effect.Effect<R, E | WorkerCrashed> {
    return Effect.callback<R, E | WorkerCrashed>((resume) => {
      if (this.#crash !== undefined) return resume(Effect.fail(this.#crash));
      const ticket = this.#tickets++;
      this.#waiting.set(ticket, {
        respond: (reply) => {
          if ("error" in reply) resume(Effect.fail(options.onError(reply.error)));
          else if ("body" in reply) resume(Effect.succeed(reply.body));
        },
        note: (note) => options.onNote?.(note),
        crash: (crash) => resume(Effect.fail(crash)),
      });
      this.#thread.post({ ticket, body }, options.transfer);
      return Effect.sync(() => void this.#waiting.delete(ticket));
    });
  }
}
