import { RequestRefused, sendJson } from "../responses.ts";
import type { Route } from "../route.ts";
import { figuresOfRun } from "../run-figures.ts";
import { newsOf, type SentOfRun } from "../run-news.ts";
import { runFolderAt } from "../run-paths.ts";
import { settingsOfRun } from "../run-settings.ts";
import type { Topic } from "../topic.ts";

/** `run/NAME/ID`: the newest state of a run. */
export const runTopic: Topic = {
  name: "run",
  follow: async ({ rest, send, site }) => {
    const folder = runFolderAt(site.folder, rest);
    let look = () => {};
    const { leave, run } = await site.runs.watch(folder, () => look());
    const sent: SentOfRun = { states: new Map(), lines: undefined, figures: undefined };
    look = () => send(newsOf(run).since(sent));
    look();
    return leave;
  },
};

/** One run: what does not change in it, and stretches of its figures. */
export const runRoutes: readonly Route[] = [
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
