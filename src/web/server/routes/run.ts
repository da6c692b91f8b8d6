import { EventStream } from "../event-stream.ts";
import type { FollowedRun } from "../followed-run.ts";
import { sendJson } from "../responses.ts";
import type { Route } from "../route.ts";
import { runFolderAt } from "../run-paths.ts";

/** The share of the server's time that the figures of one run may take. */
const SHARE = 0.02;
/** The most lines of events that a page gets at once, when it opens. */
const MOST_LINES = 1000;

/** One run: a stream of its newest state, and what does not change in it. */
export const runRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/run-stream",
    answer: async ({ response, rest, site }) => {
      const folder = runFolderAt(site.folder, rest);
      let look = () => {};
      const watching = await site.runs.watch(folder, () => look());
      let stream: EventStream;
      try {
        stream = new EventStream(response, watching.leave);
      } catch (error) {
        watching.leave();
        throw error;
      }
      const teller = new RunTeller(watching.run, stream);
      look = () => teller.tell();
      look();
    },
  },
  {
    method: "GET",
    path: "/api/run-settings",
    answer: async ({ response, rest, site }) => {
      const run = await site.runs.open(runFolderAt(site.folder, rest));
      sendJson(response, run.settings());
    },
  },
];

/** Tells one page what has changed in a run since it was told last. */
class RunTeller {
  readonly #run: FollowedRun;
  readonly #stream: EventStream;
  /** What was told, by the name of the event. */
  readonly #told = new Map<string, string>();
  readonly #figures = new Map<string, string>();
  #lines: number | undefined;
  #version = -1;
  /** When the figures may be made again, in the time of `performance.now()`. */
  #notBefore = 0;

  constructor(run: FollowedRun, stream: EventStream) {
    this.#run = run;
    this.#stream = stream;
  }

  tell(): void {
    this.#send("graph", this.#run.graph());
    this.#send("head", this.#run.head());
    this.#send("flow", this.#run.flow());
    this.#tellLines();
    this.#tellFigures();
  }

  #tellLines(): void {
    const all = this.#run.lines();
    // A run that was read anew has fewer.
    const from =
      this.#lines === undefined || this.#lines > all.length
        ? Math.max(0, all.length - MOST_LINES)
        : this.#lines;
    if (this.#lines === all.length) return;
    this.#lines = all.length;
    this.#stream.send("lines", { from, total: all.length, lines: all.slice(from) });
  }

  /** Figures take longest: they are made where facts are new, and seldom if they are many. */
  #tellFigures(): void {
    const begun = performance.now();
    const { version } = this.#run;
    if (version === this.#version || begun < this.#notBefore) return;
    this.#version = version;
    const figures = this.#run.figures();
    const changed = figures.filter((each) => {
      const text = JSON.stringify(each);
      const same = this.#figures.get(each.figure.id) === text;
      this.#figures.set(each.figure.id, text);
      return !same;
    });
    if (changed.length > 0 || figures.length === 0)
      this.#stream.send("figures", { order: figures.map(({ figure }) => figure.id), figures: changed });
    const now = performance.now();
    this.#notBefore = now + (now - begun) / SHARE;
  }

  #send(event: string, value: unknown): void {
    const text = JSON.stringify(value);
    if (this.#told.get(event) === text) return;
    this.#told.set(event, text);
    this.#stream.send(event, value);
  }
}
