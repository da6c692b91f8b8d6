import { filter, type Observable, scan, share, Subject, tap } from "rxjs";
import type { EmittedEvent, RunEvent } from "./event.ts";
import { isFlow } from "./flow-event.ts";
import { HandOver, type Handed } from "./hand-over.ts";
import { initialState, reduce, type RunState } from "./run-state.ts";
import { type EventAndState, type EventsSkipped, WaitingEvents } from "./waiting-events.ts";

/** What an observer gets: the events of the run, and the number of those that it was too slow for. */
export type ObservedEvent = EmittedEvent | EventsSkipped;

/**
 * Takes in one event, with the state of the run after it. It may return a promise: the next event then waits until the
 * promise is settled.
 */
export type Listener = (event: ObservedEvent, state: RunState) => void | Promise<void>;

/** What an observer of events asks for. */
export interface ObserverOptions {
  /** Whether the observer gets the flow events of each second. Default false. */
  readonly flows?: boolean;
  /** Maximum number of events that wait for the observer; beyond it the oldest are skipped. Default 1,000. */
  readonly bound?: number;
}

/** Keeps an event. It is called while the event is emitted: observers get an event only after it was kept. */
type Keep = (event: EmittedEvent) => void;

interface Sink {
  readonly keep: Keep;
  readonly onFailure: (error: unknown) => void;
}

/** Time that observers have, after the end of a run, for what still waits for them. In milliseconds. */
const DRAIN_MS = 1000;

/**
 * Passes the events of stages to the run's own files, which get every event at once, and to observers, which get them
 * later.
 *
 * An observer costs the run nothing: it may be slow, throw or leave ({@link HandOver}). An observer that throws is removed
 * and reported once as a warning.
 */
export class EventBus {
  readonly #emitted = new Subject<EmittedEvent>();
  /** Every event with the state after it, which is made once for all observers. */
  readonly #events: Observable<EventAndState<EmittedEvent>>;
  #state: RunState;
  readonly #sinks = new Set<Sink>();
  readonly #observers = new Set<Pick<HandOver<never>, "leave" | "finish">>();
  readonly #before: number;
  #begun = performance.now();
  #seq = 0;
  /** Whether the reducer has failed, and its message until it is reported. */
  #mistaken = false;
  #mistake: string | undefined;

  /** `earlier` is the state at the end of the earlier parts of the run. */
  constructor(earlier: RunState = initialState) {
    this.#before = earlier.elapsed;
    this.#state = earlier;
    this.#events = this.#emitted.pipe(
      scan<EmittedEvent, EventAndState<EmittedEvent>, Pick<EventAndState<EmittedEvent>, "state">>(
        ({ state }, event) => ({ event, state: this.#reduced(state, event) }),
        { state: earlier },
      ),
      share(),
    );
    this.#events.subscribe(({ state }) => (this.#state = state));
  }

  /** The state of the run now, earlier parts included. */
  get state(): RunState {
    return this.#state;
  }

  /** Starts the clock of this part of the run. */
  begin(): void {
    this.#begun = performance.now();
  }

  /**
   * Adds a sink, which gets every event from now on, at once and in order, until the returned function is called. If it
   * throws, it gets no further events, and `onFailure` is called once.
   */
  keep(keep: Keep, onFailure: (error: unknown) => void): () => void {
    const sink = { keep, onFailure };
    this.#sinks.add(sink);
    return () => void this.#sinks.delete(sink);
  }

  /** Numbers an event, has it kept, and leaves it to the observers. It takes microseconds, whatever observers do. */
  emit(event: RunEvent): void {
    const emitted: EmittedEvent = {
      seq: ++this.#seq,
      time: new Date().toISOString(),
      elapsed: this.#before + (performance.now() - this.#begun) / 1000,
      ...event,
    };
    const failed: (() => void)[] = [];
    for (const sink of this.#sinks)
      try {
        sink.keep(emitted);
      } catch (error) {
        this.#sinks.delete(sink);
        failed.push(() => sink.onFailure(error));
      }
    this.#emitted.next(emitted);
    // A failure is reported after the event that could not be kept.
    for (const report of failed) report();
    const mistake = this.#mistake;
    this.#mistake = undefined;
    if (mistake !== undefined) this.#warn(`what is shown of the run may be wrong from here on: ${mistake}`);
  }

  /** The state after one more event. An error in the reducer does not end the run: it is reported once, and the event is left out. */
  #reduced(before: RunState, event: EmittedEvent): RunState {
    try {
      return reduce(before, event);
    } catch (error) {
      if (!this.#mistaken) this.#mistake = textOf(error);
      this.#mistaken = true;
      return { ...before, seq: event.seq, elapsed: event.elapsed };
    }
  }

  #warn(message: string): void {
    this.emit({ type: "note", level: "warning", message });
  }

  /** Adds an observer of events until it leaves by the returned function, throws, or the bus is closed. */
  observe(
    name: string,
    listener: Listener,
    { flows = false, bound = 1000 }: ObserverOptions = {},
  ): () => void {
    const waiting = new WaitingEvents(bound);
    const arrivals = this.#events.pipe(
      filter(({ event }) => flows || !isFlow(event)),
      tap(({ event, state }) => waiting.put(event, state)),
    );
    return this.#hand(name, {
      arrivals,
      take: () => waiting.take(),
      listener: ({ event, state }) => listener(event, state),
      every: 0,
    });
  }

  /**
   * Adds an observer of the state, which gets the newest state, at most once in `every` milliseconds and only after an
   * event, until it leaves by the returned function, throws, or the bus is closed.
   */
  watch(name: string, listener: (state: RunState) => void | Promise<void>, every: number): () => void {
    let newest: RunState | undefined;
    const arrivals = this.#events.pipe(tap(({ state }) => (newest = state)));
    const take = () => {
      const state = newest;
      newest = undefined;
      return state;
    };
    return this.#hand(name, { arrivals, take, listener, every });
  }

  #hand<T>(name: string, handed: Omit<Handed<T>, "onFailure">): () => void {
    const observer = new HandOver<T>({
      ...handed,
      onFailure: (error) => {
        this.#observers.delete(observer);
        this.#warn(`${name} was switched off: ${textOf(error)}`);
      },
    });
    this.#observers.add(observer);
    return () => {
      this.#observers.delete(observer);
      observer.leave();
    };
  }

  /** Hands over what still waits, for at most a second, and ends all observation. */
  async close(): Promise<void> {
    const deadline = performance.now() + DRAIN_MS;
    await Promise.all([...this.#observers].map((observer) => observer.finish(deadline)));
    this.#observers.clear();
    this.#emitted.complete();
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
