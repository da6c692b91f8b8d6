import { auditTime, exhaustMap, type Observable, type Subscription } from "rxjs";

/** The share of the main thread's time that one observer may take. */
const SHARE = 0.02;
/** Time that an observer may take at once beyond its share: so quick observers never wait. In milliseconds. */
const BURST_MS = 100;
/** Things are handed over until so much time has passed; then other work comes first. In milliseconds. */
const SLICE_MS = 4;

/** What is handed over, and to whom. */
export interface Handed<T> {
  /** Emits whenever something new waits; it may wait until the observer has time. */
  readonly arrivals: Observable<unknown>;
  /** Takes out what comes next; undefined if nothing waits. */
  readonly take: () => T | undefined;
  /** The observer. What comes next waits until the promise that it may return is settled. */
  readonly listener: (thing: T) => void | Promise<void>;
  /** The least time from an arrival to its hand-over, in milliseconds: what arrives meanwhile is handed over with it. */
  readonly every: number;
  /** Called once if the observer throws or rejects; then it is told nothing any more. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Hands things to one observer, between the other work of the main thread.
 *
 * They are handed over in slices of 4 ms, with other work between the slices. In any t seconds an observer takes at most
 * 0.1 s + 2% of t of the main thread's time, and one call beyond that, since a running call cannot be cut. An observer
 * that has used up its share waits (a token bucket).
 */
export class HandOver<T> {
  readonly #handed: Handed<T>;
  readonly #subscription: Subscription;
  #delivery: Promise<void> | undefined;
  #left = false;
  /** The time when even what still waits is dropped; known at the end of the run. */
  #deadline: number | undefined;
  /** Milliseconds that the observer may take now, as of the time `#counted`. */
  #credit = BURST_MS;
  #counted = performance.now();
  #wake = () => {};

  constructor(handed: Handed<T>) {
    this.#handed = handed;
    this.#subscription = handed.arrivals
      .pipe(
        // The timer makes the call: the stage that has emitted an event goes on at once.
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
      while ((await this.#slice()) || this.#overdrawn) await this.#pause();
    } catch (error) {
      if (this.#left) return;
      this.leave();
      this.#handed.onFailure(error);
    }
  }

  /** Hands over what waits for about `SLICE_MS`; returns whether something may be left. */
  async #slice(): Promise<boolean> {
    let took = 0;
    while (took < SLICE_MS) {
      if (this.#left || performance.now() >= (this.#deadline ?? Infinity)) return false;
      const thing = this.#handed.take();
      if (thing === undefined) return false;
      const begun = performance.now();
      const settled = this.#handed.listener(thing);
      // Only the call takes the main thread's time; until the promise is settled, other work is done.
      const busy = performance.now() - begun;
      took += busy;
      this.#count(busy);
      if (settled === undefined) continue;
      if (this.#deadline === undefined) await this.#unlessWoken(settled);
      else settled.catch(() => this.leave());
    }
    return true;
  }

  /** Whether the observer has used up its share, though nothing waits for it: what arrives next must wait. */
  get #overdrawn(): boolean {
    return this.#credit < 0 && this.#deadline === undefined && !this.#left;
  }

  /** Takes milliseconds from the observer's credit, which grows by its share of the time that has passed. */
  #count(busy: number): void {
    const now = performance.now();
    const earned = (now - this.#counted) * SHARE;
    this.#credit = Math.min(BURST_MS, this.#credit + earned) - busy;
    this.#counted = now;
  }

  /** Lets other work go first, until the observer has credit again. */
  async #pause(): Promise<void> {
    const wait = this.#deadline === undefined ? Math.max(0, -this.#credit / SHARE) : 0;
    let timer: NodeJS.Timeout | undefined;
    await this.#unlessWoken(new Promise((resolve) => (timer = setTimeout(resolve, wait))));
    clearTimeout(timer);
    this.#count(0);
  }

  /** Waits for a promise, at most until the run ends or the observer leaves. */
  #unlessWoken(promise: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      promise.then(resolve, reject);
    });
  }
}
