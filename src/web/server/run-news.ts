import type { FollowedRun } from "./followed-run.ts";
import { type Frame, frameOf } from "./event-stream.ts";

/** The share of the server's time that each part of what is told of one run may take. */
const SHARE = 0.001;
/** Yet it is at most so old, in milliseconds: states, by which pages say how the run is; strips of minutes; figures. */
const OLDEST_STATE_MS = 2000;
const OLDEST_STRIP_MS = 15_000;
const OLDEST_FIGURES_MS = 8000;
/** Strips of minutes are made anew after this time, however little that takes. In milliseconds. */
const FRESH_STRIP_MS = 5000;
/** The most lines of events that a page gets at once, when it opens. */
const MOST_LINES = 1000;

/** What a page has been told of a run. */
export interface ToldOfRun {
  readonly states: Map<string, Frame>;
  lines: number | undefined;
  figures: FigureTexts | undefined;
}

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

/** What pages are told of a run: made once for all pages that look at it, and seldom if it takes long. */
class RunNews {
  readonly #run: FollowedRun;
  readonly #states: ReadonlyMap<string, Paced<Frame>>;
  readonly #figures: Paced<FigureTexts>;
  /** What was sent last of lines and figures: most pages have been told the same before. */
  #lines: { readonly from: number; readonly to: number; readonly frame: Frame } | undefined;
  #figuresFrame:
    | { readonly before: FigureTexts | undefined; readonly now: FigureTexts; readonly frame: Frame }
    | undefined;

  constructor(run: FollowedRun) {
    this.#run = run;
    const looks = () => run.looks;
    const state = (event: string, make: () => object, oldestMs: number, freshMs = 0) => {
      let before: { readonly key: string; readonly frame: Frame } | undefined;
      const frame = (): Frame => {
        const value = make();
        // Seconds at work are counted by the page.
        const key = JSON.stringify({ ...value, elapsed: undefined });
        if (before?.key !== key) before = { key, frame: frameOf(event, JSON.stringify(value)) };
        return before.frame;
      };
      return [event, new Paced(frame, looks, { oldestMs, freshMs })] as const;
    };
    this.#states = new Map([
      state("graph", () => run.graph(), OLDEST_STATE_MS),
      state("head", () => run.head(), OLDEST_STATE_MS),
      state("flow", () => run.flow(), OLDEST_STATE_MS),
      state("strip", () => run.strip(), OLDEST_STRIP_MS, FRESH_STRIP_MS),
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
      { oldestMs: OLDEST_FIGURES_MS, freshMs: 0 },
    );
  }

  /** What has changed since a page was told last; the page is told that. */
  since(told: ToldOfRun): Frame[] {
    const frames: Frame[] = [];
    for (const [event, paced] of this.#states) {
      const frame = paced.value;
      if (told.states.get(event) === frame) continue;
      told.states.set(event, frame);
      frames.push(frame);
    }
    const lines = this.#linesSince(told.lines);
    if (lines !== undefined) frames.push(lines);
    told.lines = this.#run.lineCount;
    const figures = this.#figures.value;
    if (figures !== told.figures) {
      const changed = this.#figuresSince(told.figures, figures);
      if (changed !== undefined) frames.push(changed);
      told.figures = figures;
    }
    return frames;
  }

  #linesSince(before: number | undefined): Frame | undefined {
    const to = this.#run.lineCount;
    if (before === to) return undefined;
    // A run that was read anew has fewer.
    const from = before === undefined || before > to ? Math.max(0, to - MOST_LINES) : before;
    if (this.#lines?.from !== from || this.#lines.to !== to)
      this.#lines = {
        from,
        to,
        frame: frameOf("lines", JSON.stringify({ from, total: to, lines: this.#run.lines(from) })),
      };
    return this.#lines.frame;
  }

  #figuresSince(before: FigureTexts | undefined, now: FigureTexts): Frame | undefined {
    const { order, texts } = now;
    const changed = [...texts].filter(([id, text]) => before?.texts.get(id) !== text);
    const gone = before !== undefined && before.order.some((id) => !texts.has(id));
    if (changed.length === 0 && !gone && order.length > 0) return undefined;
    if (this.#figuresFrame?.before !== before || this.#figuresFrame?.now !== now)
      this.#figuresFrame = {
        before,
        now,
        frame: frameOf(
          "figures",
          `{"order":${JSON.stringify(order)},"figures":[${changed.map(([, text]) => text).join()}]}`,
        ),
      };
    return this.#figuresFrame.frame;
  }
}

/** How old a value may be. */
interface Pace {
  /** It is made anew after this time where its version is another one, however long that takes. */
  readonly oldestMs: number;
  /** Before this time it is not made anew. */
  readonly freshMs: number;
}

/** A value that is made anew where its version is another one, but not more often than its share of time allows. */
class Paced<T> {
  readonly #make: () => T;
  readonly #versionNow: () => number;
  readonly #pace: Pace;
  #made: { readonly value: T; readonly version: number; readonly notBefore: number } | undefined;

  constructor(make: () => T, versionNow: () => number, pace: Pace) {
    this.#make = make;
    this.#versionNow = versionNow;
    this.#pace = pace;
  }

  get value(): T {
    const begun = performance.now();
    const version = this.#versionNow();
    if (this.#made === undefined || (version !== this.#made.version && begun >= this.#made.notBefore)) {
      const value = this.#make();
      const now = performance.now();
      const wait = Math.max(this.#pace.freshMs, Math.min((now - begun) / SHARE, this.#pace.oldestMs));
      this.#made = { value, version, notBefore: now + wait };
    }
    return this.#made.value;
  }
}
