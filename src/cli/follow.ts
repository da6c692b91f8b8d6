import { relative } from "node:path";
import { factsOf } from "../events/run-state.ts";
import { FileNotWritten } from "../formats/files/file-not-written.ts";
import type { RunOutcome } from "../graph/run-experiment.ts";
import type { Run } from "../graph/start-run.ts";
import { CheckpointUnusable, RunFailed } from "../operators/run/run-error.ts";
import { failedMatches } from "../report/matches.ts";
import { writeReportWithWarnings } from "./report-with-warnings.ts";
import { endBySignal, onStopSignal } from "../workers/stop-signals.ts";
import { WorkerCrashed } from "../workers/worker-thread.ts";
import { complain } from "./complaint.ts";
import { type Allotted, stopAfter } from "./flags/duration-flag.ts";
import { outputTo } from "./progress/output.ts";
import { Progress } from "./progress/progress.ts";

/** The least time between two paintings of the live lines. */
const LIVE_MS = 100;
/** Number of events that wait for a program that reads them slowly. */
const JSON_BOUND = 10_000;
/**
 * Starts a run and shows it to the user: progress, interruption, outcome, report. The run is stopped in time if
 * there is an `allotted` time, counted from the start of this process. Returns the exit code: never 2, since something has been written.
 */
export async function follow(
  run: Run,
  {
    json,
    allotted,
  }: {
    readonly json: boolean;
    readonly allotted?: Allotted | undefined;
  },
): Promise<number> {
  const { folder } = run;
  const shown = relative(".", folder) || ".";
  const progress = new Progress(outputTo(process.stderr));
  const say = (text: string) => void progress.say(text);
  run.observe("progress", (event, state) => progress.listen(event, state), { flows: true });
  if (progress.live) run.watch("live lines", (state) => progress.paint(state), LIVE_MS);
  const events = outputTo(process.stdout);
  if (json) run.observe("json", (event) => events.write(`${JSON.stringify(event)}\n`), { bound: JSON_BOUND });
  const interrupt = (signal: NodeJS.Signals) => {
    if (run.stopping) {
      // As without a handler. An exit would first end the threads, which is fatal for a thread in native code.
      endBySignal(signal);
      return;
    }
    say(
      signal === "SIGINT"
        ? "\nfinishing the running step and saving; press Ctrl-C again to stop at once"
        : "\nSIGTERM: finishing the running step and saving; a second signal stops at once",
    );
    run.stop();
  };
  const off = onStopSignal(interrupt);
  const timer =
    allotted === undefined
      ? undefined
      : setTimeout(
          () => {
            if (run.stopping) return;
            say(`\nthe time of --for ${allotted.text} is nearly over: finishing the running step and saving`);
            run.stop();
          },
          Math.max(0, 1000 * stopAfter(allotted) - performance.now()),
        );
  say(`${run.experiment.name}: writing to ${shown}`);
  for (const remark of run.remarks) say(remark);
  const outcome = await run
    .start()
    .catch((error: unknown): RunOutcome => {
      return { outcome: "failed", error: error instanceof Error ? error : new Error(String(error)) };
    })
    .finally(() => {
      off();
      clearTimeout(timer);
    });
  // A terminal that is stopped takes it later; the report is written meanwhile.
  const shownAll = progress.end(run.state);
  if (outcome.outcome === "failed") {
    await shownAll;
    const { error } = outcome;
    const expected = [RunFailed, CheckpointUnusable, WorkerCrashed, FileNotWritten].some(
      (kind) => error instanceof kind,
    );
    if (expected) say(`the run has failed: ${error.message}`);
    else complain(error);
    const mended =
      (run.experiment.plugins ?? []).length === 0
        ? ""
        : " (with --changed-plugins after a change of a plug-in)";
    say(`what was saved is in ${shown}; continue from there with: ludoflow resume ${shown}${mended}`);
    return 1;
  }
  let report: string | undefined;
  try {
    report = writeReportWithWarnings(folder);
  } catch (error) {
    await shownAll;
    complain(error);
    say(`the report is not written; write it with: ludoflow report ${shown}`);
  }
  if (outcome.outcome === "interrupted") {
    const further = allotted === undefined ? "" : ` --for ${allotted.text}`;
    say(`interrupted; everything is saved. Continue with: ludoflow resume ${shown}${further}`);
    return 130;
  }
  if (report === undefined) return 1;
  await shownAll;
  (json ? process.stderr : process.stdout).write(`done. Report: ${relative(".", report)}\n`);
  const failed = failedMatches({ events: factsOf(run.state) }).map(({ stage }) => `"${stage}"`);
  if (failed.length === 0) return 0;
  say(
    `no game of ${failed.join(", ")} counts, because a player failed in each of them; the warnings above say why`,
  );
  return 1;
}
