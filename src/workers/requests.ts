import * as Effect from "effect/Effect";
import type { Envelope, Reply } from "./serve.ts";
import type { WorkerCrashed, WorkerThread } from "./worker-thread.ts";

/** The callbacks of a request that waits for its response. */
interface Waiter<R, N> {
  readonly respond: (reply: Reply<R>) => void;
  readonly note: (note: N) => void;
  readonly crash: (crash: WorkerCrashed) => void;
}

/**
 * Requests to one thread and their responses. Each request has one response, and any number of notes before it.
 *
 * A request fails if the thread reports an error or crashes, or if a note cannot be taken. Interruption abandons a request.
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

  /** Submits a request and waits for its response. */
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
        note: (note) => {
          try {
            options.onNote?.(note);
          } catch (error) {
            // The error fails the caller that waits, such as a run on a full disk, not the whole process.
            this.#waiting.delete(ticket);
            resume(Effect.die(error));
          }
        },
        crash: (crash) => resume(Effect.fail(crash)),
      });
      this.#thread.post({ ticket, body }, options.transfer);
      return Effect.sync(() => void this.#waiting.delete(ticket));
    });
  }
}
