import { Subject } from "rxjs";
import type { RunEvent } from "./event.ts";

/**
 * Where stages tell what happened and observers listen.
 *
 * An observer that throws is taken off the bus and reported once as a warning: telling never disturbs the data.
 */
export class EventBus {
  readonly #subject = new Subject<RunEvent>();

  /** Tells an event to everyone who listens now. */
  emit(event: RunEvent): void {
    this.#subject.next(event);
  }

  /** Adds an observer; it stays until the bus is closed, or until it throws. */
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
