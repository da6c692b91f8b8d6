import { EventStream } from "../event-stream.ts";
import type { FollowedRun } from "../followed-run.ts";
import { sendJson } from "../responses.ts";
import type { Route } from "../route.ts";
import { newsOf } from "../run-news.ts";
import { runFolderAt } from "../run-paths.ts";

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
  /** The figures that were looked at last, and what was told of each. */
  #figures: unknown;
  readonly #toldFigures = new Map<string, string>();
  #lines: number | undefined;

  constructor(run: FollowedRun, stream: EventStream) {
    this.#run = run;
    this.#stream = stream;
  }

  tell(): void {
    for (const [event, text] of newsOf(this.#run).states()) {
      if (this.#told.get(event) === text) continue;
      this.#told.set(event, text);
      this.#stream.sendText(event, text);
    }
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

  #tellFigures(): void {
    const figures = newsOf(this.#run).figures();
    if (figures === this.#figures) return;
    this.#figures = figures;
    const { order, texts } = figures;
    const changed = [...texts].filter(([id, text]) => this.#toldFigures.get(id) !== text);
    for (const [id, text] of changed) this.#toldFigures.set(id, text);
    if (changed.length > 0 || order.length === 0)
      this.#stream.sendText(
        "figures",
        `{"order":${JSON.stringify(order)},"figures":[${changed.map(([, text]) => text).join()}]}`,
      );
  }
}
