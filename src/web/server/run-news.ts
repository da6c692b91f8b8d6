import type { FollowedRun } from "./followed-run.ts";

/** The share of the server's time that the figures of one run may take. */
const SHARE = 0.02;

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

/** What pages are told of a run, as JSON: made once for all pages that look at it, after each look at its files. */
class RunNews {
  readonly #run: FollowedRun;
  #looks = -1;
  #states: ReadonlyMap<string, string> = new Map();
  #version = -1;
  #figures: FigureTexts = { order: [], texts: new Map() };
  /** When the figures may be made again, in the time of `performance.now()`. */
  #notBefore = 0;

  constructor(run: FollowedRun) {
    this.#run = run;
  }

  /** What is told as a whole whenever it has changed, by the name of its event. */
  states(): ReadonlyMap<string, string> {
    if (this.#looks === this.#run.looks) return this.#states;
    this.#looks = this.#run.looks;
    return (this.#states = new Map([
      ["graph", JSON.stringify(this.#run.graph())],
      ["head", JSON.stringify(this.#run.head())],
      ["flow", JSON.stringify(this.#run.flow())],
    ]));
  }

  /** The figures; another object where they have been made anew: where facts are new, and seldom if they take long. */
  figures(): FigureTexts {
    const begun = performance.now();
    const { version } = this.#run;
    if (version === this.#version || begun < this.#notBefore) return this.#figures;
    this.#version = version;
    const figures = this.#run.figures();
    this.#figures = {
      order: figures.map(({ figure }) => figure.id),
      texts: new Map(figures.map((each) => [each.figure.id, JSON.stringify(each)])),
    };
    const now = performance.now();
    this.#notBefore = now + (now - begun) / SHARE;
    return this.#figures;
  }
}
