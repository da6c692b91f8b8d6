import type { EmittedEvent } from "../events/event.ts";
import type { EventsSkipped } from "../events/waiting-events.ts";
import type { Permit } from "../graph/code/permission.ts";
import type { Run } from "../graph/start-run.ts";
import type { CheckedGraph } from "../graph/check-graph.ts";
import {
  type ExperimentProblem,
  LudoflowError,
  OBJECT,
  publicError,
  publicProblem,
  withPublicErrors,
} from "./errors.ts";
import type { ExperimentDescription } from "./experiment.ts";
import type { SavedCheckpoint } from "./saved-checkpoints.ts";

/** How a run is started. */
export interface RunOptions {
  /** The run's folder, new or empty. Absent: `runs/NAME/TIME-seedSEED` in the working directory. */
  readonly folder?: string;
  /** Threads that play games. Does not change the results of a synchronous or overlapped run. Absent: as the experiment says. */
  readonly workers?: number;
  /** In place of the experiment's seed. */
  readonly seed?: number;
  /** Other changes, as the command's `--set`: `graph.learn.games=500`. */
  readonly set?: readonly string[];
  /** Stops the run when it aborts: the run finishes its step and saves everything, and `result` is rejected with `ERR_INTERRUPTED`. */
  readonly signal?: AbortSignal;
  /** Whether programs and plug-ins that the experiment names may run though the user has not allowed them yet. Default false. */
  readonly allowCode?: boolean;
}

/** How a run is resumed. */
export interface ResumeOptions extends Pick<RunOptions, "workers" | "signal" | "allowCode"> {
  /** Whether to continue with the experiment as it was, though its file has changed since. Default false: such a run is refused. */
  readonly asStarted?: boolean;
  /** Whether to continue though plug-ins of the run have changed; its manifest then says so. Default false: such a run is refused. */
  readonly changedPlugins?: boolean;
}

/** How events are followed. */
export interface EventOptions {
  /** The greatest number of events that wait for the reader; beyond it the oldest are skipped. Default 1,000. */
  readonly bound?: number;
  /** Whether to give the events of what flows through the graph, each second. Default false. */
  readonly flows?: boolean;
}

/** An event of a run, as readers get it. */
export type FollowedEvent = EmittedEvent | EventsSkipped;

/** What a finished run has left in its folder. */
export interface RunResult {
  readonly folder: string;
  /** The path of its report; tables lie beside it as CSV and Parquet. */
  readonly report: string;
  /** By net, and for each net by what was learned: the last one of a net has learned most. */
  readonly checkpoints: readonly SavedCheckpoint[];
}

/** A run that was started. Disposing of it stops it and waits until everything is saved. */
export interface StartedRun extends AsyncDisposable {
  /** The absolute path of the run's folder. */
  readonly folder: string;
  /** Resolved when the run is finished; rejected with a `LudoflowError` when it has failed (`ERR_RUN_FAILED` and others) or was stopped (`ERR_INTERRUPTED`). */
  readonly result: Promise<RunResult>;
  /**
   * What happens in the run, until its end: first the facts of before, so that a reader that joins late has all of them; then
   * each event as it happens. A reader may be slow: it never holds the run up, and receives the number of events it has missed.
   * Each call gives a new reader.
   */
  events(options?: EventOptions): AsyncGenerator<FollowedEvent, void, undefined>;
  /** Asks the run to end soon: it finishes its step and saves everything. `result` says when it has ended. */
  stop(): void;
}

/** An experiment: an object, the path of a file, or the name of an experiment that comes with ludoflow. */
export type ExperimentSource = ExperimentDescription | string;

/**
 * Returns what it is given: with it editors know the keys of an experiment, and the compiler checks them. With `plugins` it takes
 * any names of games, nets, searches and stages, because the compiler does not know those of your own files.
 */
export function defineExperiment<const Plugins extends readonly string[] = readonly []>(
  experiment: ExperimentDescription<Plugins>,
): ExperimentDescription<Plugins> {
  return experiment;
}

/**
 * Starts a run; it has the same bytes as one by the command `ludoflow run`. All inputs are checked before anything is written.
 * The run is stopped when what is returned is disposed of: `await using training = await run(...)`.
 *
 * Throws a LudoflowError: `ERR_EXPERIMENT`, `ERR_RUN_FOLDER`, `ERR_CHECKPOINT`, `ERR_PLUGIN`, `ERR_CODE_NOT_ALLOWED`,
 * `ERR_PROGRAM_MISSING`, `ERR_COMPUTE`, `ERR_FILE_NOT_WRITTEN`; and the signal's reason if it was aborted before.
 */
export async function run(experiment: ExperimentSource, options: RunOptions = {}): Promise<StartedRun> {
  const { folder, signal, allowCode } = options;
  return await withPublicErrors(async () => {
    signal?.throwIfAborted();
    const { newRun } = await import("../graph/start-run.ts");
    const permit = await permitOf(allowCode);
    const { file, source } = await readSourceOf(experiment, options, permit);
    return new FollowedRun(await newRun(file, source, { out: folder, permit }), signal);
  });
}

/**
 * Continues a run that was interrupted or killed, from its last checkpoint and its recorded games. A finished run gives its
 * result at once, and its facts as events.
 *
 * Throws as `run` does.
 */
export async function resume(
  folder: string,
  { workers, signal, allowCode, asStarted = false, changedPlugins = false }: ResumeOptions = {},
): Promise<StartedRun> {
  return await withPublicErrors(async () => {
    signal?.throwIfAborted();
    const { resumedRun } = await import("../graph/start-run.ts");
    const permit = await permitOf(allowCode);
    const resumed = await resumedRun(folder, { workers, asStarted, changedPlugins, permit });
    return resumed === undefined ? await finishedRun(folder) : new FollowedRun(resumed, signal);
  });
}

/** What is wrong with an experiment, and what to know before it is run. */
export interface ExperimentCheck {
  /** Mistakes, in reading order; empty if it can be run. */
  readonly problems: readonly ExperimentProblem[];
  /**
   * Games and decisions that may never end, and learning that will not get anywhere. Searched only if there are no mistakes; it can
   * take a second for each search, and two for each stage.
   */
  readonly warnings: readonly ExperimentProblem[];
}

/**
 * Checks an experiment as `ludoflow check` does, without running it or writing anything. Mistakes are returned, not thrown.
 *
 * Throws a LudoflowError: `ERR_PLUGIN` and `ERR_CODE_NOT_ALLOWED`, because plug-ins are loaded to know what they define.
 */
export async function check(
  experiment: ExperimentSource,
  options: Pick<RunOptions, "set" | "seed" | "workers" | "allowCode"> = {},
): Promise<ExperimentCheck> {
  const [{ checkWhole }, { graphWarnings }] = await Promise.all([
    import("../graph/check-whole.ts"),
    import("../graph/graph-warnings.ts"),
  ]);
  try {
    const { file } = await readSourceOf(experiment, options, await permitOf(options.allowCode));
    const graph: CheckedGraph = await checkWhole(file);
    const found = await graphWarnings(file, graph);
    return { problems: [], warnings: found.filter(({ level }) => level === "warning").map(publicProblem) };
  } catch (error) {
    const shown = publicError(error);
    if (!(shown instanceof LudoflowError) || shown.code !== "ERR_EXPERIMENT") throw shown;
    return { problems: shown.problems, warnings: [] };
  }
}

/** What decides about programs and plug-ins: everything is allowed, or what the user has allowed before. */
async function permitOf(allowCode: boolean | undefined): Promise<Permit> {
  return allowCode === true ? () => undefined : (await import("../graph/code/permission.ts")).permitAllowed;
}

/** Reads an experiment, with the changes that options make, and says where it is from. Throws ExperimentInvalid. */
async function readSourceOf(
  experiment: ExperimentSource,
  { set = [], seed, workers }: Pick<RunOptions, "set" | "seed" | "workers">,
  permit: Permit,
) {
  const [{ checkPermitted, readPermitted }, { experimentPath }, { ExperimentInvalid }] = await Promise.all([
    import("../graph/read-permitted.ts"),
    import("../graph/shipped-experiments.ts"),
    import("../graph/problem.ts"),
  ]);
  if (typeof experiment === "string") {
    const path = experimentPath(experiment);
    const changes = [
      ...set,
      ...(seed === undefined ? [] : [`seed=${seed}`]),
      ...(workers === undefined ? [] : [`workers=${workers}`]),
    ];
    return { file: await readPermitted(path, changes, permit), source: { file: path, set: changes } };
  }
  const wrong = (path: string, message: string) =>
    new ExperimentInvalid([{ file: OBJECT, line: 0, column: 0, path, message }]);
  if (typeof experiment !== "object" || (experiment as unknown) === null)
    throw wrong(
      "",
      "an experiment is an object, the path of a file, or the name of an experiment of ludoflow",
    );
  const { isTooDeep, TOO_DEEP } = await import("../formats/nesting.ts");
  if (isTooDeep(experiment)) throw wrong("", TOO_DEEP);
  if (set.length > 0) throw wrong("", "set changes experiments that are files; change the object itself");
  for (const key of ["extends", "smaller", "cost"])
    if (key in experiment)
      throw wrong(key, `"${key}" is for files; an object has all of its parts: { ...other, ... }`);
  const value = {
    ...withoutAbsent(experiment),
    ...(seed === undefined ? {} : { seed }),
    ...(workers === undefined ? {} : { workers }),
  };
  const source = { file: OBJECT, value, places: new Map() };
  return { file: await checkPermitted(source, permit), source: { set: [] } };
}

/** A copy without keys whose value is undefined: they are absent. */
function withoutAbsent<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutAbsent) as T;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutAbsent(each)])) as T;
}

/** A run of this process that is at work or has ended. */
class FollowedRun implements StartedRun {
  readonly folder: string;
  readonly result: Promise<RunResult>;
  readonly #run: Run;
  #ended = false;
  /** Readers that wait for an event. */
  readonly #waiting = new Set<() => void>();

  constructor(started: Run, signal: AbortSignal | undefined) {
    this.#run = started;
    this.folder = started.folder;
    const stop = () => this.stop();
    signal?.addEventListener("abort", stop);
    if (signal?.aborted === true) stop();
    this.result = this.#follow().finally(() => {
      signal?.removeEventListener("abort", stop);
      this.#ended = true;
      for (const wake of this.#waiting) wake();
    });
    // A program may look at the events alone; the last one reports a failure.
    this.result.catch(() => undefined);
  }

  stop(): void {
    if (!this.#ended) this.#run.stop();
  }

  async *events({ bound = 1000, flows = false }: EventOptions = {}): AsyncGenerator<
    FollowedEvent,
    void,
    undefined
  > {
    const { factsOf } = await import("../events/run-state.ts");
    // Both in one go: no event is missed or given twice.
    const before = factsOf(this.#run.state);
    /** What was handed over: one event, and at the end of the run all that waited. */
    const given: FollowedEvent[] = [];
    let wake: () => void = () => undefined;
    let ready: () => void = () => undefined;
    const leave = this.#run.observe(
      "a reader of events",
      (event) => {
        given.push(event);
        wake();
        // Others wait in the bus until the reader has this one.
        return new Promise<void>((resolve) => (ready = resolve));
      },
      { flows, bound },
    );
    const woken = () => wake();
    this.#waiting.add(woken);
    try {
      yield* before as readonly FollowedEvent[];
      for (;;) {
        const next = given.shift();
        if (next !== undefined) {
          yield next;
          ready();
        } else if (this.#ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      leave();
      this.#waiting.delete(woken);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.result.catch(() => undefined);
  }

  async #follow(): Promise<RunResult> {
    return await withPublicErrors(async () => {
      const outcome = await this.#run.start();
      if (outcome.outcome === "failed") throw outcome.error;
      const result = await resultOf(this.folder);
      if (outcome.outcome === "finished") return result;
      throw new LudoflowError(
        "ERR_INTERRUPTED",
        `the run was stopped; everything is saved in ${this.folder}, and resume continues from there`,
      );
    });
  }
}

/** Writes the report of a run, and lists what it has left. */
async function resultOf(folder: string): Promise<RunResult> {
  const [{ writeReport }, { savedCheckpoints }] = await Promise.all([
    import("../report/report.ts"),
    import("./saved-checkpoints.ts"),
  ]);
  return { folder, report: writeReport(folder), checkpoints: savedCheckpoints(folder) };
}

/** A run that had finished before. */
async function finishedRun(folder: string): Promise<StartedRun> {
  const [{ readMetrics }, { factsOf, initialState, reduce }, { metricsPath }, result] = await Promise.all([
    import("../events/metrics-file.ts"),
    import("../events/run-state.ts"),
    import("../graph/folder/run-folder.ts"),
    resultOf(folder),
  ]);
  return {
    folder,
    result: Promise.resolve(result),
    async *events() {
      yield* factsOf(readMetrics(metricsPath(folder)).reduce(reduce, initialState)) as FollowedEvent[];
    },
    stop: () => undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
