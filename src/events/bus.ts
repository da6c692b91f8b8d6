import { Subject } from "rxjs";
import type { EmittedEvent, RunEvent } from "./event.ts";
import { HandOver, type Listener, type ObserverOptions } from "./hand-over.ts";

/** Keeps an event. It is called while the event is emitted: what an observer is told has been kept before. */
type Keep = (event: EmittedEvent) => void;

interface Sink {
  readonly keep: Keep;
  readonly onFailure: (error: unknown) => void;
}

/** Time that observers have, after the end of a run, for the events that still wait for them. In milliseconds. */
const DRAIN_MS = 1000;

/**
 * Passes the events of stages to the run's own files, which get every event at once, and to observers, which get them
 * later.
 *
 * An observer costs the run nothing: it may be slow, throw or leave ({@link HandOver}). An observer that throws is removed
 * and reported once as a warning.
 */
export class EventBus {
  readonly #events = new Subject<EmittedEvent>();
  readonly #sinks = new Set<Sink>();
  readonly #observers = new Set<HandOver>();
  #seq = 0;
  #before = 0;
  #begun = performance.now();

  /** Starts the clock of this part of the run. `before`: seconds that earlier parts took. */
  begin(before: number): void {
    this.#before = before;
    this.#begun = performance.now();
  }

  /**
   * Adds a sink, which gets every event from now on, at once and in order. If it throws, it gets nothing any more, and
   * `onFailure` is called once.
   */
  keep(keep: Keep, onFailure: (error: unknown) => void): void {
    this.#sinks.add({ keep, onFailure });
  }

  /** Numbers an event, has it kept, and leaves it to the observers. It takes microseconds, whatever observers do. */
  emit(event: RunEvent): void {
    const recorded: EmittedEvent = {
      seq: ++this.#seq,
      time: new Date().toISOString(),
      elapsed: this.#before + (performance.now() - this.#begun) / 1000,
      ...event,
    };
    const failed: (() => void)[] = [];
    for (const sink of this.#sinks)
      try {
        sink.keep(recorded);
      } catch (error) {
        this.#sinks.delete(sink);
        failed.push(() => sink.onFailure(error));
      }
    this.#events.next(recorded);
    // What follows from a failure is told after the event that could not be kept.
    for (const tell of failed) tell();
  }

  /** Adds an observer until it leaves by the returned function, throws, or the bus is closed. */
  observe(name: string, listener: Listener, options: ObserverOptions = {}): () => void {
    const observer = new HandOver(this.#events, listener, options, (error) => {
      this.#observers.delete(observer);
      const reason = error instanceof Error ? error.message : String(error);
      this.emit({ type: "note", level: "warning", message: `${name} was switched off: ${reason}` });
    });
    this.#observers.add(observer);
    return () => {
      this.#observers.delete(observer);
      observer.leave();
    };
  }

  /** Hands over the events that still wait, for at most a second, and ends all observation. */
  async close(): Promise<void> {
    const deadline = performance.now() + DRAIN_MS;
    await Promise.all([...this.#observers].map((observer) => observer.finish(deadline)));
    this.#observers.clear();
    this.#events.complete();
  }
}
