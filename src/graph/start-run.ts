import { readEvents } from "../events/metrics-file.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EventBus } from "../events/bus.ts";
import type { RunState } from "../events/run-state.ts";
import { assertWritable } from "../formats/files/atomic-file.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { checkSavedLogs, mendTornLogs } from "../operators/run/saved-logs.ts";
import type { StartsRead } from "../operators/run/weights/net-weights.ts";
import { type CheckedGraph, checkGraph } from "./check-graph.ts";
import { checkWhole } from "./check-whole.ts";
import { checkInputs } from "./check-inputs.ts";
import { decideAll, withDecided } from "./decided-evaluations.ts";
import { checkExperiment, type ExperimentFile, readExperiment } from "./experiment-file.ts";
import { outsideCodeOf } from "./code/outside-code.ts";
import { type Permit, permitAllowed } from "./code/permission.ts";
import { loadPlugins } from "./code/named-plugins.ts";
import { otherArithmetic } from "./folder/arithmetic.ts";
import { changedFiles } from "./folder/read-again.ts";
import { changedPlugins } from "./folder/run-plugins.ts";
import { ExperimentInvalid } from "./problem.ts";
import { problemAt } from "./source-problem.ts";
import type { Speeds } from "./cost/cost.ts";
import type { HostOfRun, RunOutcome } from "./run-experiment.ts";
import { RunFolderInvalid } from "./folder/run-folder-invalid.ts";
import { claimRunFolder } from "./folder/run-lock.ts";
import { checkRecordedCheckpoints } from "./folder/recorded-checkpoints.ts";
import {
  type ClaimedFolder,
  createRunFolder,
  experimentText,
  hasFinished,
  metricsPath,
  noteArithmetic,
  notePlugins,
  openRunFolder,
  type RunManifest,
  type RunSource,
} from "./folder/run-folder.ts";

/** A run that is ready to start, or has started. */
export interface Run {
  readonly experiment: Experiment;
  /** The run's folder, claimed for this process. */
  readonly folder: string;
  /** What is to be known of this run before it starts: sentences for people. */
  readonly remarks: readonly string[];
  /** True from the first `stop` on. */
  readonly stopping: boolean;
  /** The state of the run now, earlier parts of a resumed run included. */
  readonly state: RunState;
  /**
   * Adds an observer of the run's events until it leaves by the returned function. An observer costs the run nothing: it gets
   * events between the run's own work, and those that it is too slow for are skipped (see `EventBus`). One that joins late
   * takes `state` first.
   */
  readonly observe: EventBus["observe"];
  /** Adds an observer of the run's newest state, in the same way. */
  readonly watch: EventBus["watch"];
  /**
   * Runs until the end, a stop or a failure; afterwards the folder is free again, and observers have had a second for what
   * they had not yet got. To be called once.
   */
  start(): Promise<RunOutcome>;
  /** Asks the run to end soon: it finishes the running step and saves everything. */
  stop(): void;
}

/**
 * Prepares a new run: checks the experiment and all its inputs, and makes the run's folder, by default
 * `runs/<name>/<time>-seed<seed>`. Its plug-ins were loaded when the file was read. `accept` may refuse the experiment by throwing. Then `permit` decides about the programs
 * that the experiment names, and `announce` may measure and say what the run takes; then the folder is made. Throws
 * ExperimentInvalid, RunFolderInvalid, CheckpointUnusable, CodeNotAllowed, ProgramMissing, ComputeUnavailable,
 * FileNotWritten.
 */
export async function newRun(
  file: ExperimentFile,
  source: RunSource,
  {
    out,
    accept,
    permit = permitAllowed,
    announce,
    hostOf,
  }: {
    readonly out?: string | undefined;
    readonly accept?: (graph: CheckedGraph) => void;
    readonly permit?: Permit;
    readonly announce?: (graph: CheckedGraph) => Promise<Speeds | undefined>;
    /** Chooses the play host; absent: this machine's threads. */
    readonly hostOf?: HostOfRun | undefined;
  } = {},
): Promise<Run> {
  if (file.sweep !== undefined)
    throw new ExperimentInvalid([
      problemAt(
        file.source,
        "/sweep",
        `this file is a sweep of many runs: run it with ludoflow sweep ${file.source.file}, or one of its experiments with --set sweep=null`,
        true,
      ),
    ]);
  const graph = await checkWhole(file);
  accept?.(graph);
  await permit(outsideCodeOf(file.experiment));
  const speeds = await announce?.(graph);
  let compute: RunManifest["compute"];
  const starts = await checkInputs(graph, undefined, ({ facts }) => (compute = facts));
  const decided = await decideAll(graph.opened, starts);
  const experiment = withDecided(file.experiment, (name) => decided[name]?.evaluations);
  const begun = Object.keys(decided).length === 0 ? graph : checkGraph({ ...file, experiment });
  const claimed = createRunFolder(experiment, source, out, new Date(), { evaluations: decided, compute });
  return orRelease(claimed, () => prepared(begun, claimed, starts, { hostOf, speeds }));
}

/**
 * Prepares to resume the run in a folder from its last checkpoint and its recorded games; undefined if the run has
 * finished. A run is a function of its file: if the file has changed since, it is refused unless `asStarted` requests
 * the experiment as it was. Throws as `newRun` does, and FileCorrupt.
 */
export async function resumedRun(
  folder: string,
  {
    workers,
    asStarted,
    changedPlugins: goesOnChanged = false,
    permit = permitAllowed,
    hostOf,
  }: {
    readonly workers?: number | undefined;
    readonly asStarted: boolean;
    /** Whether it may continue with plug-ins that have changed. */
    readonly changedPlugins?: boolean;
    readonly permit?: Permit;
    /** As for `newRun`. */
    readonly hostOf?: HostOfRun | undefined;
  },
): Promise<Run | undefined> {
  const { manifest, experiment } = openRunFolder(folder);
  // A finished run stays so, and its folder may be read-only.
  if (hasFinished(folder)) return undefined;
  const changedCode = changedPlugins(manifest);
  if (changedCode.length > 0 && !goesOnChanged)
    throw new RunFolderInvalid(
      `the plug-ins of this run have changed since it began: ${changedCode.join(", ")}. A run is a function of its file and its plug-ins: start a new run, put the files back, or, with files that have changed but are there, continue by: ludoflow resume ${folder} --changed-plugins (in programs: changedPlugins: true)`,
    );
  // Before the claim: a question may wait for long.
  await loadPlugins(experiment.plugins ?? [], folder, permit);
  await permit(outsideCodeOf(experiment));
  assertWritable(folder, 16 << 20);
  const claimed = { folder, release: claimRunFolder(folder) };
  return orRelease(claimed, async () => {
    // Another process may have written there until the claim: only now is it certain how far the run is.
    if (hasFinished(folder)) return undefined;
    checkSavedLogs(folder, { continues: true });
    checkRecordedCheckpoints(folder, readEvents(metricsPath(folder)));
    assertFilesUnchanged(manifest);
    if (!asStarted) assertUnchanged(folder, manifest.source, experiment);
    const changed = workers === undefined ? experiment : { ...experiment, workers };
    const graph = checkGraph(checkExperiment(join(folder, "experiment.yaml"), changed), folder);
    const starts = await checkInputs(graph, folder);
    const otherwise = otherArithmetic(manifest, graph.opened);
    const now = new Date();
    const torn = mendTornLogs(folder);
    const noted = otherwise === undefined ? manifest : noteArithmetic(folder, manifest, now);
    if (changedCode.length > 0) notePlugins(folder, noted, experiment, now);
    const reasons = [
      ...(otherwise === undefined ? [] : [otherwise]),
      ...(changedCode.length === 0 ? [] : [`its plug-ins have changed: ${changedCode.join(", ")}`]),
    ];
    const remarks = [
      ...torn,
      ...reasons.map(
        (reason) =>
          `${reason}: from here on its results are not a function of its file and seed, as manifest.json notes`,
      ),
    ];
    return prepared(graph, claimed, starts, { remarks, hostOf });
  });
}

/** Prepares something in a claimed folder; if that fails or gives nothing, the folder is freed. */
async function orRelease<T>({ release }: ClaimedFolder, prepare: () => Promise<T>): Promise<T> {
  let ready: T | undefined;
  try {
    return (ready = await prepare());
  } finally {
    if (ready === undefined) release();
  }
}

/** The run in a claimed folder. The code that runs is loaded here and not before: a mistake in a file is reported without it. */
async function prepared(
  graph: CheckedGraph,
  { folder, release }: ClaimedFolder,
  starts: StartsRead,
  {
    remarks = [],
    hostOf,
    speeds,
  }: {
    readonly remarks?: readonly string[];
    readonly hostOf?: HostOfRun | undefined;
    /** What was measured before the run, if it was. */
    readonly speeds?: Speeds | undefined;
  },
): Promise<Run> {
  const [
    { EventBus },
    { followed, planOfGraph, ProgressTracker },
    { StopSignal },
    { runExperiment },
    { openRunEndpoint },
  ] = await Promise.all([
    import("../events/bus.ts"),
    import("./cost/progress-tracker.ts"),
    import("../operators/run/stop-signal.ts"),
    import("./run-experiment.ts"),
    import("./live/run-endpoint.ts"),
  ]);
  const plan = planOfGraph(graph, speeds);
  const { course, state } = followed(plan, readEvents(metricsPath(folder)));
  const bus = new EventBus(state);
  const stop = new StopSignal();
  return {
    experiment: graph.opened.experiment,
    folder,
    remarks,
    get stopping() {
      return stop.requested;
    },
    get state() {
      return bus.state;
    },
    observe: (name, listener, options) => bus.observe(name, listener, options),
    watch: (name, listener, every) => bus.watch(name, listener, every),
    start: async () => {
      const closeEndpoint = openRunEndpoint(folder, { bus, stop: () => stop.request() });
      try {
        return await runExperiment(graph, folder, {
          bus,
          stop,
          starts,
          tracker: new ProgressTracker(plan, course),
          ...(hostOf === undefined ? {} : { hostOf }),
        });
      } finally {
        release();
        await bus.close();
        closeEndpoint();
      }
    },
    stop: () => stop.request(),
  };
}

function assertFilesUnchanged(manifest: RunManifest): void {
  const changed = changedFiles(manifest);
  if (changed.length > 0)
    throw new RunFolderInvalid(
      `${changed.join(", ")}: the content has changed since this run began, which reads it again. A run is a function of its file and of the files that it names: put the earlier content back, or start a new run`,
    );
}

function assertUnchanged(folder: string, source: RunSource, experiment: Experiment): void {
  if (source.file === undefined || !existsSync(source.file)) return;
  const { experiment: read } = readExperiment(source.file, source.set, source.folder);
  const now = withDecided(read, (name) => experiment.nets[name]?.evaluations);
  const before = experimentText(experiment).split("\n");
  const after = experimentText(now).split("\n");
  const line = before.findIndex((text, i) => text !== after[i]);
  if (line < 0 && before.length === after.length) return;
  const difference =
    line < 0
      ? "lines were added at its end"
      : `it began with "${before[line]!.trim()}", now it says "${(after[line] ?? "").trim()}"`;
  throw new RunFolderInvalid(
    `${source.file} has been changed since this run began: ${difference}. A run is a function of its file: start a new run, or continue with the file as it was by: ludoflow resume ${folder} --as-started (in programs: asStarted: true)`,
  );
}
