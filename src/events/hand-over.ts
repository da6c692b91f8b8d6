import { auditTime, exhaustMap, type Observable, type Subscription } from "rxjs";

/** The share of the main thread's time that one observer may take. */
const SHARE = 0.02;
/** Things are handed over until so much time has passed; then other work comes first. In milliseconds. */
const SLICE_MS = 4;

/** What is handed over, and its observer. */
export interface Handed<T> {
  /** Emits whenever something new waits; it may wait until the observer has time. */
  readonly arrivals: Observable<unknown>;
  /** Takes out what comes next; undefined if nothing waits. */
  readonly take: () => T | undefined;
  /** The observer. What comes next waits until the promise that it may return is settled. */
  readonly listener: (thing: T) => void | Promise<void>;
  /** The least time from an arrival to its hand-over, in milliseconds: what arrives meanwhile is handed over with it. */
  readonly every: number;
  /** Called once if the observer throws or rejects; then it gets nothing more. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Hands things to one observer, between the other work of the main thread.
 *
 * After each 4 ms that an observer has taken, it pauses for 50 times as long: so it takes less than 2% of the main thread's
 * time. A call that takes longer than 4 ms cannot be cut, and has a longer pause after it.
 */
export class HandOver<T> {
  readonly #handed: Handed<T>;
  readonly #subscription: Subscription;
  #delivery: Promise<void> | undefined;
  #left = false;
  /** The time when even what still waits is dropped; known at the end of the run. */
  #deadline: number | undefined;
  /** Milliseconds that the observer has taken since the last pause. */
  #took = 0;
  #wake = () => {};

  constructor(handed: Handed<T>) {
    this.#handed = handed;
    this.#subscription = handed.arrivals
      .pipe(
        // The timer makes the call: the stage that has emitted an event continues at once.
        auditTime(handed.every),
        // While the observer is busy or pauses, all that arrives waits for the running delivery.
        exhaustMap(() => this.#deliver()),
      )
      .subscribe();
  }

  /** Ends the hand-over at once; what waits is dropped. */
  leave(): void {
    this.#left = true;
    this.#subscription.unsubscribe();
    this.#wake();
  }

  /**
   * Hands over what waits, without pauses and without waiting for promises, until the time `deadline` (of
   * `performance.now()`); then leaves.
   */
  async finish(deadline: number): Promise<void> {
    this.#deadline = deadline;
    this.#wake();
    await this.#deliver();
    this.leave();
  }

  #deliver(): Promise<void> {
    return (this.#delivery ??= this.#deliverAll().finally(() => {
      this.#delivery = undefined;
    }));
  }

  async #deliverAll(): Promise<void> {
    try {
      while (await this.#slice()) await this.#pause();
    } catch (error) {
      if (this.#left) return;
      this.leave();
      this.#handed.onFailure(error);
    }
  }

  /** Hands over what waits until the observer has taken `SLICE_MS`; returns whether it has. */
  async #slice(): Promise<boolean> {
    while (this.#took < SLICE_MS) {
      if (this.#left || performance.now() >= (this.#deadline ?? Infinity)) return false;
      const thing = this.#handed.take();
      if (thing === undefined) return false;
      const begun = performance.now();
      const settled = this.#handed.listener(thing);
      // Only the call takes the main thread's time; until the promise is settled, other work is done.
      this.#took += performance.now() - begun;
      if (settled === undefined) continue;
      if (this.#deadline === undefined) await this.#unlessWoken(settled);
      else settled.catch(() => this.leave());
    }
    return !this.#left;
  }

  /** Lets other work go first. */
  async #pause(): Promise<void> {
    const wait = this.#deadline === undefined ? this.#took / SHARE : 0;
    this.#took = 0;
    let timer: NodeJS.Timeout | undefined;
    await this.#unlessWoken(new Promise((resolve) => (timer = setTimeout(resolve, wait))));
    clearTimeout(timer);
  }

  /** Waits for a promise, at most until the run ends or the observer leaves. */
  #unlessWoken(promise: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      promise.then(resolve, reject);
    });
  }
}
