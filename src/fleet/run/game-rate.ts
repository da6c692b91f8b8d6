/** Milliseconds that a rate is taken over, at most. */
const WINDOW_MS = 60_000;
/** Milliseconds of a part of the window, in which games are counted together. */
const PART_MS = 5000;
/** A shorter time gives no rate. */
const SHORTEST_MS = 1000;

/** Games a second in the last minute, or since the first call if that is less. */
export class GameRate {
  readonly #clock: () => number;
  readonly #begun: number;
  #parts: { readonly from: number; games: number }[] = [];

  /** `clock` gives milliseconds of a monotonic clock. */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#begun = clock();
  }

  /** Counts a game. */
  count(): void {
    const now = this.#clock();
    const part = this.#parts.at(-1);
    if (part === undefined || now - part.from >= PART_MS) this.#parts.push({ from: now, games: 1 });
    else part.games++;
  }

  get perSecond(): number {
    const now = this.#clock();
    this.#parts = this.#parts.filter(({ from }) => now - from < WINDOW_MS);
    const games = this.#parts.reduce((sum, part) => sum + part.games, 0);
    return (1000 * games) / Math.max(SHORTEST_MS, Math.min(WINDOW_MS, now - this.#begun));
  }
}
