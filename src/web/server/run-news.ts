import type { FollowedRun } from "./followed-run.ts";
import { type Frame, frameOf } from "./event-stream.ts";
import { figuresOfRun } from "./run-figures.ts";
import { flowOf, graphOf, timelineOf } from "./run-flow.ts";
import { headOf } from "./run-row.ts";

/** The share of the server's time that each message about one run may take. */
const SHARE = 0.001;
/** Maximum age of messages in milliseconds: of states, by which pages say how the run is; of timelines; of figures. */
const OLDEST_STATE_MS = 2000;
const OLDEST_TIMELINE_MS = 15_000;
const OLDEST_FIGURES_MS = 8000;
/** Timelines are made anew after this time at the earliest. In milliseconds. */
const FRESH_TIMELINE_MS = 5000;
/** The most lines of events that a page gets at once, when it opens. */
const MOST_LINES = 1000;

/** What was sent of a run to one page. */
export interface SentOfRun {
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

/** The messages about a run. */
export function newsOf(run: FollowedRun): RunNews {
  const known = news.get(run) ?? new RunNews(run);
  news.set(run, known);
  return known;
}

/** Builds each message about a run once and sends it to all pages that look at it; seldom if building takes long. */
class RunNews {
  readonly #run: FollowedRun;
  readonly #states: ReadonlyMap<string, Paced<Frame>>;
  readonly #figures: Paced<FigureTexts>;
  /** The last messages of lines and figures: most pages need the same ones. */
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
      state("graph", () => graphOf(run), OLDEST_STATE_MS),
      state("head", () => headOf(run), OLDEST_STATE_MS),
      state("flow", () => flowOf(run), OLDEST_STATE_MS),
      state("timeline", () => timelineOf(run), OLDEST_TIMELINE_MS, FRESH_TIMELINE_MS),
    ]);
    this.#figures = new Paced(
      () => {
        const figures = figuresOfRun(run);
        return {
          order: figures.map(({ figure }) => figure.id),
          texts: new Map(figures.map((each) => [each.figure.id, JSON.stringify(each)])),
        };
      },
      () => run.version,
      { oldestMs: OLDEST_FIGURES_MS, freshMs: 0 },
    );
  }

  /** The messages of what has changed since the last ones to a page; `sent` is brought up to date. */
  since(sent: SentOfRun): Frame[] {
    const frames: Frame[] = [];
    for (const [event, paced] of this.#states) {
      const frame = paced.value;
      if (sent.states.get(event) === frame) continue;
      sent.states.set(event, frame);
      frames.push(frame);
    }
    const lines = this.#linesSince(sent.lines);
    if (lines !== undefined) frames.push(lines);
    sent.lines = this.#run.log.lines.length;
    const figures = this.#figures.value;
    if (figures !== sent.figures) {
      const changed = this.#figuresSince(sent.figures, figures);
      if (changed !== undefined) frames.push(changed);
      sent.figures = figures;
    }
    return frames;
  }

  #linesSince(before: number | undefined): Frame | undefined {
    const to = this.#run.log.lines.length;
    if (before === to) return undefined;
    // A run that was read anew has fewer.
    const from = before === undefined || before > to ? Math.max(0, to - MOST_LINES) : before;
    if (this.#lines?.from !== from || this.#lines.to !== to)
      this.#lines = {
        from,
        to,
        frame: frameOf("lines", JSON.stringify({ from, total: to, lines: this.#run.log.lines.slice(from) })),
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
  /** After this time it is made anew if its version has changed, however long that takes. */
  readonly oldestMs: number;
  /** Before this time it is not made anew. */
  readonly freshMs: number;
}

/** A value that is made anew when its version has changed, but not more often than its share of time allows. */
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
