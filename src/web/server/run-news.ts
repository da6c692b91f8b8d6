import type { FollowedRun } from "./followed-run.ts";

/** The share of the server's time that each part of what is told of one run may take. */
const SHARE = 0.002;
/** Yet it is at most so old, in milliseconds: states, by which pages say how the run is, and figures. */
const OLDEST_STATE_MS = 3000;
const OLDEST_FIGURES_MS = 5000;

/** The figures of a run: their order, and each as JSON by its name. */
interface FigureTexts {
  readonly order: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

const news = new WeakMap<FollowedRun, RunNews>();

/** What pages are told of a run. */
export function newsOf(run: FollowedRun): RunNews {
  const known = news.get(run) ?? new RunNews(run);
  news.set(run, known);
  return known;
}

/** What pages are told of a run, as JSON: made once for all pages that look at it, and seldom if it takes long. */
class RunNews {
  readonly #states: ReadonlyMap<string, Paced<string>>;
  readonly #figures: Paced<FigureTexts>;

  constructor(run: FollowedRun) {
    const looks = () => run.looks;
    const state = (make: () => unknown) => new Paced(() => JSON.stringify(make()), looks, OLDEST_STATE_MS);
    this.#states = new Map([
      ["graph", state(() => run.graph())],
      ["head", state(() => run.head())],
      ["flow", state(() => run.flow())],
    ]);
    this.#figures = new Paced(
      () => {
        const figures = run.figures();
        return {
          order: figures.map(({ figure }) => figure.id),
          texts: new Map(figures.map((each) => [each.figure.id, JSON.stringify(each)])),
        };
      },
      () => run.version,
      OLDEST_FIGURES_MS,
    );
  }

  /** What is told as a whole whenever it has changed, by the name of its event. */
  states(): readonly (readonly [event: string, text: string])[] {
    return [...this.#states].map(([event, paced]) => [event, paced.value] as const);
  }

  /** The figures; another object where they have been made anew, from new facts. */
  figures(): FigureTexts {
    return this.#figures.value;
  }
}

/** A value that is made anew where its version is another one, but not more often than its share of time allows. */
class Paced<T> {
  readonly #make: () => T;
  readonly #versionNow: () => number;
  readonly #oldestMs: number;
  #made: { readonly value: T; readonly version: number; readonly notBefore: number } | undefined;

  constructor(make: () => T, versionNow: () => number, oldestMs: number) {
    this.#make = make;
    this.#versionNow = versionNow;
    this.#oldestMs = oldestMs;
  }

  get value(): T {
    const begun = performance.now();
    const version = this.#versionNow();
    if (this.#made === undefined || (version !== this.#made.version && begun >= this.#made.notBefore)) {
      const value = this.#make();
      const now = performance.now();
      this.#made = { value, version, notBefore: now + Math.min((now - begun) / SHARE, this.#oldestMs) };
    }
    return this.#made.value;
  }
}
