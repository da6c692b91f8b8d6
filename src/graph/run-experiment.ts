import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { EventBus } from "../events/bus.ts";
import {
  type EmittedEvent,
  isMomentary,
  type Note,
  type RecordedEvent,
  type RunEvent,
} from "../events/event.ts";
import { isFlow } from "../events/flow-event.ts";
import { FlowMeans } from "../events/flow-means.ts";
import { MetricsFile } from "../events/metrics-file.ts";
import { TensorBoardSink } from "../events/tensorboard-sink.ts";
import { writing } from "../formats/files/file-not-written.ts";
import { openLocalThreads } from "../operators/play/local-threads.ts";
import type { OpenPlayHost } from "../operators/play/play-host.ts";
import { watchHeap } from "../operators/run/heap-watch.ts";
import { workerThreads } from "../operators/run/parallelism.ts";
import { RunFiles } from "../operators/run/run-files.ts";
import { SavedLogs } from "../operators/run/saved-logs.ts";
import type { StartsRead } from "../operators/run/weights/net-weights.ts";
import type { StopSignal } from "../operators/run/stop-signal.ts";
import { listenForUnrepeatable, unrepeatableMessage } from "../plugins/watched-globals.ts";
import type { CheckedGraph } from "./check-graph.ts";
import { compileGraph } from "./compile.ts";
import { planOfGraph, ProgressTracker } from "./cost/progress-tracker.ts";
import { metricsPath } from "./folder/run-folder.ts";

/** The end of a run, or of a part of it. */
export type RunOutcome =
  | { readonly outcome: "finished" | "interrupted" }
  | { readonly outcome: "failed"; readonly error: Error };

/** What a play host is given by the run that it is for. */
export interface HostedRun {
  readonly folder: string;
  /** Emits a message for the user, as an event of the run. */
  readonly note: (level: Note["level"], message: string) => void;
}

/** Chooses the play host of a run. */
export type HostOfRun = (run: HostedRun) => OpenPlayHost;

/**
 * Runs a checked graph in its folder until it ends, is asked to stop, or fails.
 *
 * If the folder holds an earlier part of the run, the run continues from there. All events go to the bus, to
 * `metrics.jsonl` (except progress and pace of stages; of flows a summary) and to TensorBoard files. A failure to write
 * `metrics.jsonl` ends the run. `starts` is what `checkInputs` has read. No other process may use the folder:
 * `start-run.ts` claims it.
 */
export async function runExperiment(
  graph: CheckedGraph,
  folder: string,
  {
    bus,
    stop,
    starts = new Map(),
    hostOf = () => openLocalThreads,
    tracker = new ProgressTracker(planOfGraph(graph)),
  }: {
    readonly bus: EventBus;
    readonly stop: StopSignal;
    readonly starts?: StartsRead;
    readonly hostOf?: HostOfRun;
    /** Absent: one that knows nothing of earlier parts of the run. */
    readonly tracker?: ProgressTracker;
  },
): Promise<RunOutcome> {
  const { experiment } = graph.opened;
  const path = metricsPath(folder);
  const resumed = existsSync(path);
  const metrics = MetricsFile.open(path, new SavedLogs(folder).lengthOf(path));
  const files = new RunFiles(folder, metrics);
  bus.begin();
  // Why the run cannot continue, if no stage failed: it ends as after an interruption, with the reason.
  let ended: Error | undefined;
  const end = (error: unknown) => {
    ended ??= error as Error;
    stop.request();
  };
  const momentary = new MomentsKept();
  const leaveMetrics = bus.keep(
    (event) => {
      for (const kept of momentary.kept(event)) metrics.record(kept);
    },
    // A run that cannot write its metrics is useless.
    end,
  );
  const leaveHeap = watchHeap(end);
  // Its figures are all in the metrics: if it cannot be written, the run continues without it.
  let board: TensorBoardSink | undefined;
  const withoutBoard = (error: unknown) =>
    bus.emit({
      type: "note",
      level: "warning",
      message: `TensorBoard was switched off: ${(error as Error).message}`,
    });
  const leaveBoard = bus.keep((event) => {
    if (isMomentary(event)) return;
    board ??= openBoard(join(folder, "tensorboard"));
    board.listen(event);
  }, withoutBoard);
  const leaveCalls = listenForUnrepeatable((call) =>
    bus.emit({ type: "note", level: "warning", message: unrepeatableMessage(call) }),
  );
  const note = (level: Note["level"], message: string) => bus.emit({ type: "note", level, message });
  const program = Effect.scoped(
    Effect.gen(function* () {
      const compiled = yield* compileGraph(graph, {
        files,
        bus,
        stop,
        starts,
        openHost: hostOf({ folder, note }),
        tracker,
      });
      bus.emit({
        type: "run-started",
        name: experiment.name,
        seed: experiment.seed,
        workers: workerThreads(experiment),
        resumed,
        compute: compiled.compute,
      });
      yield* compiled.run;
    }),
  );
  const exit = await Effect.runPromiseExit(program);
  leaveCalls();
  leaveHeap();
  const outcome = ((): RunOutcome => {
    if (ended !== undefined) return { outcome: "failed", error: ended };
    if (Exit.isSuccess(exit)) return { outcome: stop.requested ? "interrupted" : "finished" };
    const error = Cause.squash(exit.cause);
    return { outcome: "failed", error: error instanceof Error ? error : new Error(String(error)) };
  })();
  const unclosed = (close: () => void): Error | undefined => {
    try {
      close();
    } catch (error) {
      return error as Error;
    }
    return undefined;
  };
  const unshown = unclosed(() => board?.close());
  if (unshown !== undefined) withoutBoard(unshown);
  bus.emit({
    type: "run-ended",
    outcome: outcome.outcome,
    ...(outcome.outcome === "failed" ? { message: outcome.error.message } : {}),
  });
  // What observers cause after the end is not part of the run, and the files are closed then.
  leaveMetrics();
  leaveBoard();
  const failures = [ended, unclosed(() => files.close()), unclosed(() => metrics.close())];
  const error = failures.find((failure) => failure !== undefined);
  return error === undefined || outcome.outcome === "failed" ? outcome : { outcome: "failed", error };
}

/**
 * What `metrics.jsonl` holds of events: of flows a mean at intervals, with the number and the time of the event that ends the
 * interval, and after it the progress of the run; before the end of the run, the means of what remains, and its last progress.
 */
class MomentsKept {
  readonly #means = new FlowMeans();
  /** The newest progress of the run, while it is not kept. */
  #progress: RecordedEvent | undefined;
  #due = false;

  kept(event: EmittedEvent): readonly RecordedEvent[] {
    const { elapsed, seq, time } = event;
    const at = (mean: RunEvent): RecordedEvent => ({ seq, time, elapsed, ...mean });
    if (event.type === "run-progress") {
      this.#progress = event;
      return this.#due ? this.#takeProgress() : [];
    }
    if (isMomentary(event)) return [];
    if (event.type === "run-ended") return [...this.#means.rest().map(at), ...this.#takeProgress(), event];
    if (!isFlow(event)) return [event];
    const mean = this.#means.add(event);
    if (mean === undefined) return [];
    if (mean.type === "machine-flow") this.#due = true;
    return [at(mean)];
  }

  #takeProgress(): readonly RecordedEvent[] {
    const progress = this.#progress;
    this.#progress = undefined;
    this.#due = false;
    return progress === undefined ? [] : [progress];
  }
}

function openBoard(folder: string): TensorBoardSink {
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  return new TensorBoardSink(folder);
}
