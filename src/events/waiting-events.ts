import type { EmittedEvent } from "./event.ts";
import { flowSubject, isFlow } from "./flow-event.ts";

/** Tells an observer that it was too slow for some events. No other observer gets this event. */
export interface EventsSkipped {
  readonly type: "skipped";
  /** Number of events that the observer has not got since the last one that it got. */
  readonly count: number;
}

/**
 * The events that wait for one observer, in order, with a bound.
 *
 * A newer state replaces an older one that still waits: progress of a stage, and what flowed through a part of the run.
 * Beyond the bound the oldest event gives way, and is counted.
 */
export class WaitingEvents {
  readonly #bound: number;
  /** In the order of the events. A state has the name of what it is about as its key, any other event its number. */
  readonly #events = new Map<string | number, EmittedEvent>();
  #skipped = 0;

  constructor(bound: number) {
    this.#bound = bound;
  }

  /** Whether nothing waits. */
  get empty(): boolean {
    return this.#events.size === 0 && this.#skipped === 0;
  }

  /** Adds an event. */
  put(event: EmittedEvent): void {
    const key = subjectOf(event) ?? event.seq;
    this.#events.delete(key);
    this.#events.set(key, event);
    if (this.#events.size <= this.#bound) return;
    const [oldest] = this.#events.keys();
    this.#events.delete(oldest!);
    this.#skipped++;
  }

  /** Takes out the next event: the number of skipped events, if some were, then the oldest that waits. */
  take(): EmittedEvent | EventsSkipped | undefined {
    if (this.#skipped > 0) {
      const count = this.#skipped;
      this.#skipped = 0;
      return { type: "skipped", count };
    }
    const [first] = this.#events;
    if (first === undefined) return undefined;
    this.#events.delete(first[0]);
    return first[1];
  }
}

/** What a state is about, of events whose newest makes the older ones of the same subject worthless; else undefined. */
function subjectOf(event: EmittedEvent): string | undefined {
  // The end of a round is a fact: the next event of the stage belongs to another round.
  if (event.type === "progress" && event.done >= event.total) return undefined;
  if (event.type === "progress" || event.type === "pace") return `${event.type} ${event.stage}`;
  return isFlow(event) ? flowSubject(event) : undefined;
}
