/** The process of one run of a sweep: `run-members.ts` starts it and sends it what to run. */
import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { MANIFEST } from "../../graph/folder/run-folder.ts";
import { newRun, resumedRun, type Run } from "../../graph/start-run.ts";
import type { Permit } from "../../graph/code/permission.ts";
import { permitAllowed } from "../../graph/code/permission.ts";
import { loadPlugins, pluginFilesOf } from "../../graph/code/named-plugins.ts";
import { checkSource } from "../../graph/experiment-file.ts";
import { readSource } from "../../graph/yaml-source.ts";
import { writeReport } from "../../report/report.ts";
import { onStopSignal } from "../../workers/stop-signals.ts";
import type { MemberJob, MemberMessage } from "./member-messages.ts";
import { clearUnbegun, memberSet } from "./sweep-folder.ts";

/** The least time between two messages about progress. */
const PROGRESS_MS = 1000;

module.enableCompileCache();
let run: Run | undefined;
let stopping = false;
const stop = () => {
  stopping = true;
  run?.stop();
};
// The sweep asks this process to stop. A signal to the whole group, or the end of the sweep's own process, means the same.
onStopSignal(stop);
process.once("disconnect", stop);
process.once("message", (job: MemberJob) => void work(job));

async function work(job: MemberJob): Promise<void> {
  const ended = await ending(job).catch((error: unknown): MemberMessage => {
    const { message, name, stack } = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`${stack ?? message}\n`);
    return { type: "ended", outcome: "failed", message: message === "" ? name : message };
  });
  send(ended);
  process.disconnect?.();
}

async function ending(job: MemberJob): Promise<MemberMessage> {
  const prepared = await prepare(job);
  if (prepared === undefined) return { type: "ended", outcome: "finished" };
  run = prepared;
  if (stopping) run.stop();
  run.watch("sweep", ({ progress }) => send({ type: "progress", share: progress?.share ?? 0 }), PROGRESS_MS);
  const outcome = await run.start();
  if (outcome.outcome === "finished") writeReport(job.folder);
  return {
    type: "ended",
    outcome: outcome.outcome,
    ...(outcome.outcome === "failed" ? { message: outcome.error.message } : {}),
  };
}

/** The run to start or to continue; undefined if it has finished. */
async function prepare({ allowCode, file, folder, from, set, workers }: MemberJob): Promise<Run | undefined> {
  const permit: Permit = allowCode ? () => undefined : permitAllowed;
  if (existsSync(join(folder, MANIFEST)))
    return await resumedRun(folder, { workers, asStarted: true, permit });
  clearUnbegun(folder);
  const source = readSource(file, set, from);
  // Its runs are separate experiments.
  const { sweep: _sweep, ...value } = source.value;
  const { files, problems } = pluginFilesOf(source);
  if (problems.length === 0) await loadPlugins(files, file, permit);
  const read = checkSource({ ...source, value: { ...value, workers } });
  return await newRun(read, { file, set: memberSet(set, workers), folder: from }, { out: folder, permit });
}

function send(message: MemberMessage): void {
  if (process.connected) process.send?.(message);
}
