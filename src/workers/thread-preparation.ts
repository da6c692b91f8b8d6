/** What every thread of the process runs before its own module: a module with a function `prepare`, and its argument. */
export interface ThreadPreparation {
  /** The URL of the module. Its `prepare(argument)` is called once and awaited; an error ends the thread. */
  readonly module: string;
  /** Copied into the thread as JSON. */
  readonly argument: unknown;
}

let preparation: ThreadPreparation | undefined;

/** Threads that are started from now on begin with this. */
export function prepareThreads(next: ThreadPreparation | undefined): void {
  preparation = next;
}

/** What a thread that starts now begins with; undefined for nothing. */
export function threadPreparation(): ThreadPreparation | undefined {
  return preparation;
}
