import { auditTime, exhaustMap, filter, type Observable, type Subscription, tap } from "rxjs";
import type { EmittedEvent } from "./event.ts";
import { isFlow } from "./flow-event.ts";
import { type EventsSkipped, WaitingEvents } from "./waiting-events.ts";

/** What an observer gets: the events of the run, and the number of those that it was too slow for. */
export type ObservedEvent = EmittedEvent | EventsSkipped;

/** Takes in one event. It may return a promise: the next event then waits until the promise is settled. */
export type Listener = (event: ObservedEvent) => void | Promise<void>;

/** What an observer asks for. */
export interface ObserverOptions {
  /** Whether the observer gets the events that tell what flows, each second. Default false. */
  readonly flows?: boolean;
  /** Maximum number of events that wait for the observer. Default 1,000. */
  readonly bound?: number;
}

/** The share of the main thread's time that one observer may take. */
const SHARE = 0.02;
/** Time that an observer may take at once beyond its share: so quick observers never wait. In milliseconds. */
const BURST_MS = 100;
/** Events are handed over until so much time has passed; then other work comes first. In milliseconds. */
const SLICE_MS = 4;

/**
 * Hands the events of a run to one observer, between the other work of the main thread.
 *
 * Events wait in a queue with a bound. They are handed over in slices of 4 ms, with other work between the slices. In any t
 * seconds an observer takes at most 0.1 s + 2% of t of the main thread's time, and one call beyond that, since a running
 * call cannot be cut; an observer that has used up its share waits (a token bucket). Events that an observer is too slow for
 * are skipped, the oldest first; the observer is told their number before its next event.
 */
export class HandOver {
  readonly #listener: Listener;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: WaitingEvents;
  readonly #subscription: Subscription;
  #delivery: Promise<void> | undefined;
  #left = false;
  /** Milliseconds that the observer may take now, as of the time `#counted`. */
  #credit = BURST_MS;
  #counted = performance.now();
  /** Time until which events are handed over, from the moment when the run is over. */
  #deadline: number | undefined;
  #wake = () => {};

  /** A listener that throws or rejects is told nothing any more, and `onFailure` is called once. */
  constructor(
    events: Observable<EmittedEvent>,
    listener: Listener,
    { flows = false, bound = 1000 }: ObserverOptions,
    onFailure: (error: unknown) => void,
  ) {
    this.#listener = listener;
    this.#onFailure = onFailure;
    this.#waiting = new WaitingEvents(bound);
    this.#subscription = events
      .pipe(
        filter((event) => flows || !isFlow(event)),
        tap((event) => this.#waiting.put(event)),
        // A timer of its own, so that the emitting stage is never the caller.
        auditTime(0),
        // While the observer is busy or pauses, its events wait: the running delivery takes them.
        exhaustMap(() => this.#deliver()),
      )
      .subscribe();
  }

  /** Ends the hand-over at once; events that wait are dropped. */
  leave(): void {
    this.#left = true;
    this.#subscription.unsubscribe();
    this.#wake();
  }

  /** Hands over what waits, without pauses, until the time `deadline` (of `performance.now()`); then leaves. */
  async finish(deadline: number): Promise<void> {
    this.#deadline = deadline;
    this.#wake();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, deadline - performance.now());
    });
    await Promise.race([late, this.#deliver()]);
    clearTimeout(timer);
    this.leave();
  }

  #deliver(): Promise<void> {
    return (this.#delivery ??= this.#deliverAll().finally(() => {
      this.#delivery = undefined;
    }));
  }

  async #deliverAll(): Promise<void> {
    try {
      while (!this.#over) {
        this.#count(await this.#slice());
        if (!this.#over) await this.#pause();
      }
    } catch (error) {
      if (this.#left) return;
      this.leave();
      this.#onFailure(error);
    }
  }

  /** Takes the time of a slice from the observer's credit, which grows by its share of the time that has passed. */
  #count(took: number): void {
    const now = performance.now();
    const earned = (now - this.#counted) * SHARE;
    this.#credit = Math.min(BURST_MS, this.#credit + earned) - took;
    this.#counted = now;
  }

  get #over(): boolean {
    return this.#left || this.#waiting.empty || performance.now() >= (this.#deadline ?? Infinity);
  }

  /** Hands over events for about `SLICE_MS`; the milliseconds that the main thread was busy with it. */
  async #slice(): Promise<number> {
    let took = 0;
    while (!this.#over && took < SLICE_MS) {
      const event = this.#waiting.take()!;
      const begun = performance.now();
      const settled = this.#listener(event);
      took += performance.now() - begun;
      // Only the call takes the main thread's time; until the promise is settled, other work is done.
      if (settled !== undefined) await settled;
    }
    return took;
  }

  /** Lets other work go first, until the observer has credit again. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const wait = this.#deadline === undefined ? Math.max(0, -this.#credit / SHARE) : 0;
      const timer = setTimeout(resolve, wait);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
