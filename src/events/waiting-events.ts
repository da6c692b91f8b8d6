import { type EmittedEvent, isMomentary } from "./event.ts";
import { flowSubject, isFlow } from "./flow-event.ts";
import { joinedFlows } from "./flow-means.ts";
import type { RunState } from "./run-state.ts";

/** Reports to an observer that it was too slow for some events. No other observer gets this event. */
export interface EventsSkipped {
  readonly type: "skipped";
  /** Number of events that the observer has not got since the last one that it got. */
  readonly count: number;
}

/** An event with the state of the run after it. */
export interface EventAndState<E> {
  readonly event: E;
  readonly state: RunState;
}

/**
 * The events that wait for one observer, in order, with a bound.
 *
 * A newer event replaces an older one that still waits and has an earlier state of the same thing: progress and pace of a
 * stage. What flowed through a part of the run is added up: nothing that flowed is missing from the sums of an observer.
 * Beyond the bound the oldest event is dropped, and counted.
 */
export class WaitingEvents {
  readonly #bound: number;
  /** In the order of the events; by the subject of the event, or by its number if it has none. */
  readonly #waiting = new Map<string | number, EventAndState<EmittedEvent>>();
  #skipped = 0;

  constructor(bound: number) {
    this.#bound = bound;
  }

  /** Adds an event. */
  put(event: EmittedEvent, state: RunState): void {
    const key = subjectOf(event) ?? event.seq;
    const earlier = this.#waiting.get(key)?.event;
    this.#waiting.delete(key);
    this.#waiting.set(key, { event: earlier === undefined ? event : joined(earlier, event), state });
    if (this.#waiting.size <= this.#bound) return;
    const [oldest] = this.#waiting.keys();
    this.#waiting.delete(oldest!);
    this.#skipped++;
  }

  /** Takes out what comes next: the number of skipped events, if some were, then the oldest event that waits. */
  take(): EventAndState<EmittedEvent | EventsSkipped> | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [key, oldest] = first;
    if (this.#skipped > 0) {
      const count = this.#skipped;
      this.#skipped = 0;
      return { event: { type: "skipped", count }, state: oldest.state };
    }
    this.#waiting.delete(key);
    return oldest;
  }
}

/** Two events of the same subject as one, with the number and the time of the newer one. */
function joined(earlier: EmittedEvent, event: EmittedEvent): EmittedEvent {
  if (!isFlow(earlier) || !isFlow(event)) return event;
  return { ...event, ...joinedFlows(earlier, event) };
}

/** The subject of an event that a newer event about the same subject replaces or takes in; undefined for other events. */
function subjectOf(event: EmittedEvent): string | undefined {
  // The end of a round is a fact: the next event of the stage belongs to another round.
  if (event.type === "progress" && event.done >= event.total) return undefined;
  if (event.type === "run-progress") return event.type;
  if (isMomentary(event)) return `${event.type} ${event.stage}`;
  return isFlow(event) ? flowSubject(event) : undefined;
}
