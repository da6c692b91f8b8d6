import { Subject } from "rxjs";
import type { RunEvent } from "./event.ts";

/**
 * Passes the events of stages to observers.
 *
 * An observer that throws is removed and reported once as a warning, so an observer cannot stop a run.
 */
export class EventBus {
  readonly #subject = new Subject<RunEvent>();

  /** Passes an event to all observers. */
  emit(event: RunEvent): void {
    this.#subject.next(event);
  }

  /** Adds an observer until the bus is closed or the observer throws. */
  observe(name: string, listen: (event: RunEvent) => void): void {
    const subscription = this.#subject.subscribe((event) => {
      try {
        listen(event);
      } catch (error) {
        subscription.unsubscribe();
        const reason = error instanceof Error ? error.message : String(error);
        this.emit({ type: "note", level: "warning", message: `${name} was switched off: ${reason}` });
      }
    });
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#subject.complete();
  }
}
