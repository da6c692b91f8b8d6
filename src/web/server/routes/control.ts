import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { readSource } from "../../../graph/yaml-source.ts";
import { experimentPath } from "../../../graph/shipped-experiments.ts";
import { isRunFolder } from "../../../runs/find-runs.ts";
import { offeredExperiments } from "../experiment-files.ts";
import type { FollowedRun } from "../followed-run.ts";
import { type LudoflowProcess, startLudoflow } from "../ludoflow-process.ts";
import { RequestRefused, sendJson } from "../responses.ts";
import type { Request, Route } from "../route.ts";
import { runFolderAt, runPath } from "../run-paths.ts";

/** The interval of looks whether a run has begun. In milliseconds. */
const LOOK_MS = 100;
/** The time for which a run that cannot be reached is tried again. In milliseconds. */
const PATIENCE_MS = 10_000;

/** Starting, stopping and resuming runs: by the commands that a user would type, with their checks and messages. */
export const controlRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/experiments",
    answer: ({ response }) => sendJson(response, { experiments: offeredExperiments() }),
  },
  {
    method: "POST",
    path: "/api/check",
    answer: async ({ body, response }) => {
      const { ended, text } = startLudoflow(["check", offered(body)]);
      sendJson(response, { ok: (await ended) === 0, text: text() });
    },
  },
  {
    method: "POST",
    path: "/api/start",
    answer: async ({ body, response, site }) => {
      const given = offered(body);
      const { name, seed } = readSource(experimentPath(given)).value;
      // The command refuses a file whose name cannot be that of a folder.
      const label = typeof name === "string" && /^[\w.-]+$/.test(name) ? name : "run";
      const folder = join(site.folder, label, `${timeStamp(new Date())}-seed${Number(seed) || 0}`);
      await begun(startLudoflow(["run", given, "--out", folder], true), () => isRunFolder(folder));
      site.runs.lookAnew();
      sendJson(response, { path: runPath(site.folder, folder) });
    },
  },
  {
    method: "POST",
    path: "/api/stop",
    answer: async (request) => {
      const run = await request.site.runs.open(folderOf(request));
      if (run.process === undefined) throw new RequestRefused(409, "This run is not at work.");
      if (!(await stopped(run)))
        throw new RequestRefused(
          409,
          "The process of this run cannot be reached from here: stop it by Ctrl-C in the terminal that started it.",
        );
      sendJson(request.response, {});
    },
  },
  {
    method: "POST",
    path: "/api/resume",
    answer: async (request) => {
      const folder = folderOf(request);
      const run = await request.site.runs.open(folder);
      if (run.process !== undefined) throw new RequestRefused(409, "This run is at work already.");
      await begun(startLudoflow(["resume", folder], true), () => run.process !== undefined);
      request.site.runs.lookAnew();
      sendJson(request.response, {});
    },
  },
];

/** Asks a run to stop. A run that has just begun cannot be reached yet: it is tried for a while. */
async function stopped(run: FollowedRun): Promise<boolean> {
  for (let tried = 0; tried < PATIENCE_MS && run.process !== undefined; tried += LOOK_MS) {
    if (await run.stop()) return true;
    await after(LOOK_MS);
  }
  return false;
}

/** Waits until a run has begun. Throws RequestRefused with the words of the command if it does not begin. */
async function begun({ ended, text }: LudoflowProcess, hasBegun: () => boolean): Promise<void> {
  let code: number | undefined;
  while (!hasBegun() && code === undefined) code = await Promise.race([ended, after(LOOK_MS, undefined)]);
  if (code !== undefined && code !== 0)
    throw new RequestRefused(409, text().trim() || `the command has ended with exit code ${code}`);
}

/** The experiment that a request names; only those that are offered can be started. Throws RequestRefused. */
function offered(body: unknown): string {
  const { experiment } = Object(body) as { readonly experiment?: unknown };
  const found = offeredExperiments().find(({ given }) => given === experiment);
  if (found === undefined || (!found.shipped && !existsSync(found.given)))
    throw new RequestRefused(404, "There is no such experiment in this folder.");
  return found.given;
}

function folderOf({ body, site }: Request): string {
  const { run } = Object(body) as { readonly run?: unknown };
  if (typeof run !== "string") throw new RequestRefused(400, "The request names no run.");
  return runFolderAt(site.folder, run.split("/"));
}

/** `20260101-120000`, as in the names of runs. */
function timeStamp(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}
