import { EventStream, type Frame, frameOf } from "../event-stream.ts";
import type { RunsUpdate } from "../../views/run-views.ts";
import { sendJson } from "../responses.ts";
import type { Route } from "../route.ts";

/** What is sent of each update: most pages get the same one. */
const frames = new WeakMap<Omit<RunsUpdate, "folder">, Frame>();

function frameOfUpdate(update: Omit<RunsUpdate, "folder">, folder: string): Frame {
  const known = frames.get(update) ?? frameOf("runs", JSON.stringify({ folder, ...update }));
  frames.set(update, known);
  return known;
}

/** The list of runs: once, and as a stream of what has changed in it. */
export const runsRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/runs",
    answer: async ({ response, site }) =>
      sendJson(response, { folder: site.folder, runs: await site.runs.rows() }),
  },
  {
    method: "GET",
    path: "/api/runs-stream",
    answer: ({ response, site }) => {
      let leave = () => {};
      const stream = new EventStream(response, () => leave());
      leave = site.runs.watchList((update) => stream.sendFrames([frameOfUpdate(update, site.folder)]));
    },
  },
];
