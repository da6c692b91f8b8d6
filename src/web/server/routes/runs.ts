import { type Frame, frameOf } from "../event-stream.ts";
import type { RunsUpdate } from "../../views/run-views.ts";
import { sendJson } from "../responses.ts";
import type { Route } from "../route.ts";
import type { Topic } from "../topic.ts";

/** What is sent of each update: most browsers get the same one. */
const frames = new WeakMap<Omit<RunsUpdate, "folder">, Frame>();

function frameOfUpdate(update: Omit<RunsUpdate, "folder">, folder: string): Frame {
  const known = frames.get(update) ?? frameOf("runs", JSON.stringify({ folder, ...update }));
  frames.set(update, known);
  return known;
}

/** `runs`: the list of runs, and then what changes in it. */
export const runsTopic: Topic = {
  name: "runs",
  follow: ({ send, site }) =>
    new Promise((resolve) => {
      const leave = site.runs.watchList((update) => {
        send([frameOfUpdate(update, site.folder)]);
        resolve(leave);
      });
    }),
};

/** The list of runs, once. */
export const runsRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/runs",
    answer: async ({ response, site }) =>
      sendJson(response, { folder: site.folder, runs: await site.runs.rows() }),
  },
];
