import { relative } from "node:path";
import { EventBus } from "../events/bus.ts";
import { CheckpointUnusable, RunFailed } from "../operators/run/run-error.ts";
import type { StartsRead } from "../operators/training/starting-point.ts";
import { StopSignal } from "../operators/run/stop-signal.ts";
import { FileNotWritten } from "../formats/file-not-written.ts";
import { WorkerCrashed } from "../workers/worker-thread.ts";
import type { CheckedGraph } from "../graph/check-graph.ts";
import { claimRunFolder } from "../graph/run-folder.ts";
import { runExperiment } from "../graph/run-experiment.ts";
import { writeReport } from "../report/report.ts";
import { complain } from "./complaint.ts";
import { Progress } from "./progress.ts";

/** Runs a graph before the user's eyes: progress, interruption, outcome, report. Returns the exit code. */
export async function follow(
  graph: CheckedGraph,
  folder: string,
  { json, starts }: { readonly json: boolean; readonly starts?: StartsRead },
): Promise<number> {
  const release = claimRunFolder(folder);
  const bus = new EventBus();
  const stop = new StopSignal();
  const shown = relative(".", folder) || ".";
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const progress = new Progress(process.stderr);
  bus.observe("progress", (event) => progress.listen(event));
  if (json) bus.observe("json", (event) => void process.stdout.write(`${JSON.stringify(event)}\n`));
  const interrupt = (signal: NodeJS.Signals) => {
    if (stop.requested) {
      // As if nobody had listened: to end the threads first, as an exit does, is fatal to one in native code.
      process.off(signal, interrupt);
      process.kill(process.pid, signal);
      return;
    }
    say("\nfinishing the running step and saving; press Ctrl-C again to stop at once");
    stop.request();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  say(`${graph.opened.experiment.name}: writing to ${shown}`);
  const outcome = await runExperiment(graph, folder, {
    bus,
    stop,
    ...(starts === undefined ? {} : { starts }),
  }).finally(release);
  progress.end();
  bus.close();
  process.off("SIGINT", interrupt);
  process.off("SIGTERM", interrupt);
  if (outcome.outcome === "failed") {
    const { error } = outcome;
    const told = [RunFailed, CheckpointUnusable, WorkerCrashed, FileNotWritten].some(
      (kind) => error instanceof kind,
    );
    if (told) say(`the run has failed: ${error.message}`);
    else complain(error);
    say(`what was saved is in ${shown}; go on from there with: ludoflow resume ${shown}`);
    return 1;
  }
  const report = writeReport(folder);
  if (outcome.outcome === "interrupted") {
    say(`interrupted; everything is saved. Go on with: ludoflow resume ${shown}`);
    return 130;
  }
  (json ? process.stderr : process.stdout).write(`done. Report: ${relative(".", report)}\n`);
  return 0;
}
