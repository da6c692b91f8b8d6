import { EventStream } from "../event-stream.ts";
import { RequestRefused, sendJson } from "../responses.ts";
import type { Route } from "../route.ts";
import { figuresOfRun } from "../run-figures.ts";
import { newsOf, type SentOfRun } from "../run-news.ts";
import { runFolderAt } from "../run-paths.ts";
import { settingsOfRun } from "../run-settings.ts";

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
      const sent: SentOfRun = { states: new Map(), lines: undefined, figures: undefined };
      look = () => stream.sendFrames(newsOf(watching.run).since(sent));
      look();
    },
  },
  {
    method: "GET",
    path: "/api/run-figures",
    answer: async ({ query, response, rest, site }) => {
      const [low, high] = ["low", "high"].map((end) => Number(query.get(end) ?? "x")) as [number, number];
      const axis = query.get("axis") ?? "";
      if (axis === "" || !(low < high))
        throw new RequestRefused(400, "The request names no stretch of an axis.");
      const run = await site.runs.open(runFolderAt(site.folder, rest));
      sendJson(response, { figures: figuresOfRun(run, { axis, low, high }) });
    },
  },
  {
    method: "GET",
    path: "/api/run-settings",
    answer: async ({ response, rest, site }) => {
      const run = await site.runs.open(runFolderAt(site.folder, rest));
      sendJson(response, settingsOfRun(run));
    },
  },
];
