/**
 * Gathers messages to be sent: all callers that wait for a turn get it at once. Messages of one turn of the event loop leave in
 * one piece, which takes a fraction of the processor time of separate ones: here, at the server and at the receiver.
 */
export class Gathered {
  readonly #most: () => number;
  readonly #milliseconds: number;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** A turn comes after these milliseconds at the latest (0: when this turn of the event loop ends), or when so many as `most` says wait for it. */
  constructor(milliseconds: number, most = () => Infinity) {
    this.#milliseconds = milliseconds;
    this.#most = most;
  }

  /** Resolves at the next turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length >= this.#most()) this.#release();
      else if (this.#waiting.length > 1) return;
      else if (this.#milliseconds === 0) setImmediate(() => this.#release());
      else this.#timer = setTimeout(() => this.#release(), this.#milliseconds);
    });
  }

  #release(): void {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
