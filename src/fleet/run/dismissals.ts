/** Bad results of a joiner after which it must leave. */
const MOST_BAD = 3;

/** Milliseconds for which each heartbeat repeats a dismissal: messages may be lost. */
const REPEAT_MS = 10_000;

/** The joiners that may not play for a run any more, and those that are on the way there. */
export class Dismissals {
  readonly #why = new Map<string, string>();
  readonly #since = new Map<string, number>();
  readonly #bad = new Map<string, number>();
  readonly #onDismissal: (joiner: string, why: string) => void;

  /** `onDismissal` is called once for each joiner that is dismissed. */
  constructor(onDismissal: (joiner: string, why: string) => void) {
    this.#onDismissal = onDismissal;
  }

  /** Why a joiner may not play; undefined if it may. */
  why(joiner: string): string | undefined {
    return this.#why.get(joiner);
  }

  /** By joiner: the reason of each dismissal that the joiner may not have received yet. */
  latest(): Record<string, string> {
    const latest = [...this.#since].filter(([, since]) => performance.now() - since < REPEAT_MS);
    return Object.fromEntries(latest.map(([joiner]) => [joiner, this.#why.get(joiner)!]));
  }

  /** Sends a joiner away for good; returns the reason, which is the first one if there are several. */
  dismiss(joiner: string, why: string): string {
    const before = this.#why.get(joiner);
    if (before !== undefined) return before;
    this.#why.set(joiner, why);
    this.#since.set(joiner, performance.now());
    this.#onDismissal(joiner, why);
    return why;
  }

  /** Counts a result that was refused. Returns why its joiner is dismissed for it; undefined if it may continue. */
  countBad(joiner: string, message: string): string | undefined {
    const bad = (this.#bad.get(joiner) ?? 0) + 1;
    this.#bad.set(joiner, bad);
    return bad < MOST_BAD
      ? undefined
      : this.dismiss(joiner, `${bad} of its results were refused, the last one because ${message}`);
  }
}
