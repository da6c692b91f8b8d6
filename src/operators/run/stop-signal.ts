import * as Effect from "effect/Effect";
import * as Latch from "effect/Latch";

/** A request to end the run soon in good order: running steps finish, the state is saved, and nothing new begins. */
export class StopSignal {
  readonly #latch = Latch.makeUnsafe(false);
  /** For threads: becomes 1. */
  readonly flag = new Int32Array(new SharedArrayBuffer(4));

  /** True from the first `request` on. */
  get requested(): boolean {
    return Atomics.load(this.flag, 0) !== 0;
  }

  /** Asks for the end. */
  request(): void {
    Atomics.store(this.flag, 0, 1);
    this.#latch.openUnsafe();
  }

  /** Waits for the request. */
  readonly wait: Effect.Effect<void> = Effect.suspend(() => this.#latch.await);
}
