import { EventStream } from "../event-stream.ts";
import { sendJson } from "../responses.ts";
import type { Route } from "../route.ts";

/** The list of runs: once, and as a stream of lists. */
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
      leave = site.runs.watchList((runs) => stream.send("runs", { folder: site.folder, runs }));
    },
  },
];
