import * as Effect from "effect/Effect";
import type { ThreadsFlow } from "../../events/flow-event.ts";
import type { Now } from "./stage-clock.ts";

/** Measures how long the threads of a stage computed, by their requests: each thread computes one request at a time. */
export class BusyThreads {
  readonly #group: string;
  readonly #threads: number;
  readonly #now: Now;
  #busy = 0;
  #since: number;
  #milliseconds = 0;

  constructor(group: string, threads: number, now: Now = () => performance.now()) {
    this.#group = group;
    this.#threads = threads;
    this.#now = now;
    this.#since = now();
  }

  /** Counts the time of a request to one of the threads. */
  request<A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.#change(1);
      return Effect.onExit(request, () => Effect.sync(() => this.#change(-1)));
    });
  }

  /** What the threads did since the last call, `seconds` ago. */
  flow(seconds: number): readonly ThreadsFlow[] {
    this.#change(0);
    const worked = this.#milliseconds / 1000;
    this.#milliseconds = 0;
    return [{ type: "threads-flow", group: this.#group, threads: this.#threads, seconds, worked, waited: 0 }];
  }

  #change(by: number): void {
    const now = this.#now();
    this.#milliseconds += Math.min(this.#busy, this.#threads) * (now - this.#since);
    this.#since = now;
    this.#busy += by;
  }
}
