/** `ludoflow/data`: readers of what runs leave behind. All read piece by piece; nothing is written. */
import type { RecordedEvent } from "../events/event.ts";
import type { Column } from "../formats/table.ts";
import type { Game } from "../games/game.ts";
import { LudoflowError, withPublicErrors } from "./errors.ts";
import { openGameOf } from "./games.ts";
import type { SavedCheckpoint } from "./saved-checkpoints.ts";

export type { SavedCheckpoint } from "./saved-checkpoints.ts";

/** A run, read from its folder. */
export interface RunFacts {
  readonly folder: string;
  /** The name of the experiment. */
  readonly name: string;
  readonly seed: number;
  /** When it began: UTC, ISO 8601. */
  readonly started: string;
  /** Whether it has finished. */
  readonly finished: boolean;
  /** True if its results are a function of experiment and seed. */
  readonly reproducible: boolean;
  /** The experiment, with all defaults filled in. */
  readonly experiment: Readonly<Record<string, unknown>>;
  readonly game: Game<unknown>;
  /** The stages that have recorded games. */
  readonly stages: readonly string[];
  readonly checkpoints: readonly SavedCheckpoint[];
}

/** A recorded game. */
export interface GameOfRun {
  /** Its number in its stage. */
  readonly number: number;
  /** The version of the learner that it was played with. */
  readonly generation: number;
  /** The name of each seat's agent. */
  readonly seats: readonly string[];
  /** Every ply in order, chance included. */
  readonly actions: Int32Array;
  /** The final return of each seat. */
  readonly returns: readonly number[];
  /** Further figures of the game: for 2048 the greatest tile. */
  readonly facts: Readonly<Record<string, number>>;
  /** The seat whose player could not continue, and why: the returns are not final. */
  readonly failure?: { readonly seat: number; readonly message: string };
}

/** A table of a report. */
export interface ReportTable {
  /** `match-results`: the name of its files beside the report. */
  readonly name: string;
  /** What the rows are. */
  readonly title: string;
  readonly columns: readonly Column[];
  /** One cell for each column; null if there is no value. */
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Row-major numbers of a tensor. */
export type CheckpointData = Float32Array | Float64Array | Uint32Array | Int32Array | Uint8Array;

/** The numbers of a checkpoint. */
export interface CheckpointTensors {
  readonly game: unknown;
  readonly net: unknown;
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** Weights, and the state of the learner, by name. */
  readonly tensors: ReadonlyMap<string, { readonly shape: readonly number[]; readonly data: CheckpointData }>;
}

/**
 * Opens the folder of a run, also while the run is at work. Plug-ins of the run are loaded if the user has allowed them.
 *
 * Throws a LudoflowError: `ERR_RUN_FOLDER`, `ERR_GAME`, `ERR_CODE_NOT_ALLOWED`, `ERR_PLUGIN`.
 */
export async function openRun(folder: string): Promise<RunFacts> {
  return await withPublicErrors(async () => {
    await loadAllowed(folder);
    const [{ existsSync }, { hasFinished, openRunFolder }, { gamesPath }, { savedCheckpoints }] =
      await Promise.all([
        import("node:fs"),
        import("../graph/folder/run-folder.ts"),
        import("../operators/run/run-files.ts"),
        import("./saved-checkpoints.ts"),
      ]);
    const { experiment, manifest } = openRunFolder(folder);
    const { rules, ...options } = experiment.game;
    return {
      folder,
      name: manifest.name,
      seed: manifest.seed,
      started: manifest.started,
      finished: hasFinished(folder),
      reproducible: manifest.reproducible,
      experiment: { ...experiment },
      game: await openGameOf(rules, options),
      stages: Object.keys(experiment.graph).filter((stage) => existsSync(gamesPath(folder, stage))),
      checkpoints: savedCheckpoints(folder),
    };
  });
}

/**
 * The games that a stage of a run has recorded so far, in the order in which they are stored; one game is in memory at a time.
 * Without `stage` they are those of the first stage with games.
 *
 * Throws a LudoflowError: `ERR_RUN_FOLDER`, `ERR_FILE_CORRUPT`.
 */
export async function* recordedGames(
  folder: string,
  { stage }: { readonly stage?: string } = {},
): AsyncGenerator<GameOfRun, void, undefined> {
  const log = await withPublicErrors(() => openLog(folder, stage));
  try {
    for (let n = 0; n < log.games; n++) yield await withPublicErrors(() => log.read(n));
  } finally {
    log.close();
  }
}

async function openLog(folder: string, stage: string | undefined) {
  const [{ openRunFolder }, { stageWithGames }, { RecordLogReader }, { decodeGameRecord }, { gamesPath }] =
    await Promise.all([
      import("../graph/folder/run-folder.ts"),
      import("../graph/recorded-game.ts"),
      import("../formats/record-log.ts"),
      import("../formats/game-records.ts"),
      import("../operators/run/run-files.ts"),
    ]);
  const path = gamesPath(folder, stageWithGames(folder, openRunFolder(folder).experiment, stage));
  const log = new RecordLogReader(path);
  return {
    games: log.records,
    close: () => log.close(),
    read: (n: number): GameOfRun => {
      const { game, generation, seats, actions, returns, facts, failure } = decodeGameRecord(
        log.read(n),
        path,
      );
      return {
        number: game,
        generation,
        seats,
        actions,
        returns,
        facts,
        ...(failure === undefined ? {} : { failure }),
      };
    },
  };
}

/**
 * The events of a run so far, as `metrics.jsonl` has them: one line is in memory at a time. After a resumption it also has what
 * the run did before its last checkpoint and did again; `StartedRun.events` leaves that out.
 *
 * Throws a LudoflowError: `ERR_RUN_FOLDER`, `ERR_FILE_CORRUPT`.
 */
export async function* recordedEvents(folder: string): AsyncGenerator<RecordedEvent, void, undefined> {
  const events = await withPublicErrors(async () => {
    const [{ eachEvent }, { metricsPath, openRunFolder }] = await Promise.all([
      import("../events/metrics-file.ts"),
      import("../graph/folder/run-folder.ts"),
    ]);
    openRunFolder(folder);
    return eachEvent(metricsPath(folder));
  });
  for (;;) {
    const { done, value } = await withPublicErrors(() => events.next());
    if (done === true) return;
    yield value;
  }
}

/**
 * The tables of a run's report as its files have them, one after the other, also while the run is at work. Throws a LudoflowError as `openRun` does.
 */
export async function* reportTables(folder: string): AsyncGenerator<ReportTable, void, undefined> {
  const tables = await withPublicErrors(async () => {
    await loadAllowed(folder);
    const { buildReport, ofRun } = await import("../report/report.ts");
    const { damage, run, tables: all } = buildReport(folder);
    if (damage.length > 0)
      throw new LudoflowError("ERR_FILE_CORRUPT", `the run ${folder} is damaged: ${damage[0]}`);
    return all.map((table) => ofRun(table, run));
  });
  yield* tables;
}

/** Reads the numbers of a checkpoint, and compares its checksums. Throws a LudoflowError: `ERR_CHECKPOINT`. */
export async function checkpointTensors(path: string): Promise<CheckpointTensors> {
  return await withPublicErrors(async () => {
    const { readCheckpoint: read } = await import("../operators/run/weights/checkpoint-files.ts");
    const { game, learned, net, tensors, unit } = read(path);
    return { game, learned, net, tensors, unit };
  });
}

/** Loads the plug-ins of a run, if the user has allowed them. */
async function loadAllowed(folder: string): Promise<void> {
  const [{ loadPluginsOfRun }, { permitAllowed }] = await Promise.all([
    import("../graph/code/run-code.ts"),
    import("../graph/code/permission.ts"),
  ]);
  await loadPluginsOfRun(folder, permitAllowed);
}
