import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writing } from "../../formats/files/file-not-written.ts";
import { assertOwn } from "../../formats/files/own-file.ts";
import { readRecord, RecordLogReader, truncateLog } from "../../formats/record-log.ts";
import { RecordLogWriter } from "../../formats/record-log-writer.ts";
import { type GrowingFile, SavedLogs } from "./saved-logs.ts";

/** The examples of a game, and a function that reads them again from the run's files. */
export interface StoredExamples {
  readonly samples: Uint8Array;
  readonly reread: () => Uint8Array;
}

/** A file that grows, and can be made to survive a power cut as it is. */
interface SyncedFile extends GrowingFile {
  /** Throws FileNotWritten; after that `synced` is what it was before. */
  readonly flush: () => void;
}

/** The parts of a run's folder that stages write: game records, examples, checkpoints. */
export class RunFiles {
  readonly folder: string;
  readonly #logs = new Map<string, RecordLogWriter>();
  readonly #oldestNeeded = new Map<string, Map<string, number>>();
  readonly #oldestKept = new Map<string, number>();
  readonly #metrics: SyncedFile | undefined;
  readonly #saved: SavedLogs;

  /** The files in a folder; `metrics` is the log of the run's events. Throws FileCorrupt. */
  constructor(folder: string, metrics?: SyncedFile) {
    this.folder = folder;
    this.#metrics = metrics;
    this.#saved = new SavedLogs(folder);
  }

  /** Appends the record of a stage's next game; from then on it survives a kill. Throws FileNotWritten. */
  appendGame(stage: string, record: Uint8Array): void {
    push(this.#open(gamesPath(this.folder, stage)), record);
  }

  /** The records of a stage's games so far; with `most`, all after the first `most` are deleted. */
  recordedGames(stage: string, most = Infinity): Uint8Array[] {
    return this.#firstRecords(gamesPath(this.folder, stage), most);
  }

  /** Appends the analysis of a stage's game. To be called before `appendGame`. Throws FileNotWritten. */
  appendAnalysis(stage: string, analysis: Uint8Array): void {
    push(this.#open(analysesPath(this.folder, stage)), analysis);
  }

  /** The analyses of a stage's games so far; all after the first `most` are deleted, because their games were lost. */
  recordedAnalyses(stage: string, most: number): Uint8Array[] {
    return this.#firstRecords(analysesPath(this.folder, stage), most);
  }

  /** Appends what a game of a stage cost. To be called before `appendGame`. Throws FileNotWritten. */
  appendEffort(stage: string, effort: Uint8Array): void {
    push(this.#open(effortsPath(this.folder, stage)), effort);
  }

  /** What games of a stage cost, in the order in which it was recorded. */
  recordedEfforts(stage: string): Uint8Array[] {
    return readLog(effortsPath(this.folder, stage));
  }

  /** Appends a part of what a stage measures; from then on it survives a kill. Throws FileNotWritten. */
  appendMeasurement(stage: string, measurement: Uint8Array): void {
    push(this.#open(measurementsPath(this.folder, stage)), measurement);
  }

  /** What a stage has measured so far. */
  recordedMeasurements(stage: string): Uint8Array[] {
    return readLog(measurementsPath(this.folder, stage));
  }

  /** Appends the examples of a stage's next game to its generation's log. */
  appendExamples(stage: string, generation: number, samples: Uint8Array): StoredExamples {
    const path = this.#examplesPath(stage, generation);
    const log = this.#open(path);
    const start = log.bytes;
    push(log, samples);
    return { samples, reread: () => readRecord(path, start) };
  }

  /** Makes a generation's examples and all games so far survive a power cut, and closes the examples. */
  closeGeneration(stage: string, generation: number): void {
    this.#close(this.#examplesPath(stage, generation));
    this.#logs.get(gamesPath(this.folder, stage))?.flush();
  }

  /** Keeps the first `count` games' examples of a generation. */
  truncateExamples(stage: string, generation: number, count: number): void {
    const path = this.#examplesPath(stage, generation);
    this.#close(path);
    this.#saved.forget(path);
    truncateLog(path, count);
  }

  /** The number of games whose examples a generation's log holds. */
  countExamples(stage: string, generation: number): number {
    const reader = new RecordLogReader(this.#examplesPath(stage, generation));
    reader.close();
    return reader.records;
  }

  /** The examples of a generation's games in order, read as they are asked for. */
  *readExamples(stage: string, generation: number): Generator<StoredExamples, void, undefined> {
    const path = this.#examplesPath(stage, generation);
    const reader = new RecordLogReader(path);
    try {
      for (let game = 0; game < reader.records; game++) {
        const start = reader.start(game);
        yield { samples: reader.read(game), reread: () => readRecord(path, start) };
      }
    } finally {
      reader.close();
    }
  }

  /** The generations of a stage whose examples are still there, in order. */
  exampleGenerations(stage: string): number[] {
    const folder = join(this.folder, "examples", stage);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.endsWith(".log"))
      .map((name) => Number.parseInt(name, 10))
      .toSorted((a, b) => a - b);
  }

  /** Says that `reader` needs no examples of `stage` older than a generation. Examples that no reader needs are deleted. */
  keepExamples(stage: string, reader: string, oldest: number): void {
    const needed = this.#oldestNeeded.get(stage) ?? new Map<string, number>();
    this.#oldestNeeded.set(stage, needed.set(reader, oldest));
    const least = Math.min(...needed.values());
    if (least <= (this.#oldestKept.get(stage) ?? 0)) return;
    this.#oldestKept.set(stage, least);
    for (const generation of this.exampleGenerations(stage))
      if (generation < least) {
        const path = this.#examplesPath(stage, generation);
        this.#close(path);
        this.#saved.forget(path);
        writing(path, () => rmSync(path));
      }
  }

  /** The folder of a net's checkpoints. */
  checkpoints(net: string): string {
    return checkpointsPath(this.folder, net);
  }

  /** Where a stage keeps the sums over its games since their last summary. */
  tally(stage: string): string {
    return join(this.folder, "measurements", `${stage}.tally`);
  }

  /** Where a stage keeps its database of openings. Throws FileCorrupt where something else than a file is there. */
  openings(stage: string): string {
    const path = openingsPath(this.folder, stage);
    assertOwn(path);
    return path;
  }

  /**
   * Makes all events and records so far survive a power cut. To be called before a checkpoint is written: a resumed run
   * continues after the events that led to the checkpoint.
   */
  sync(): void {
    for (const log of this.#logs.values()) {
      log.flush();
      this.#saved.add(log);
    }
    this.#syncMetrics();
    this.#saved.write();
  }

  /**
   * Flushes and closes all logs; the metrics are flushed, and closed by others. A failure of one log does not keep the others
   * open: throws the first failure at the end.
   */
  close(): void {
    const failures: unknown[] = [];
    const attempt = (step: () => void) => {
      try {
        step();
      } catch (error) {
        failures.push(error);
      }
    };
    for (const path of this.#logs.keys()) attempt(() => this.#close(path));
    attempt(() => this.#syncMetrics());
    attempt(() => this.#saved.write());
    if (failures.length > 0) throw failures[0];
  }

  #syncMetrics(): void {
    if (this.#metrics === undefined) return;
    this.#metrics.flush();
    this.#saved.add(this.#metrics);
  }

  #firstRecords(path: string, most: number): Uint8Array[] {
    const records = readLog(path);
    if (records.length <= most) return records;
    this.#close(path);
    this.#saved.forget(path);
    truncateLog(path, most);
    return records.slice(0, most);
  }

  #close(path: string): void {
    const log = this.#logs.get(path);
    if (log === undefined) return;
    this.#logs.delete(path);
    try {
      log.close();
    } finally {
      this.#saved.add(log);
    }
  }

  #examplesPath(stage: string, generation: number): string {
    return join(this.folder, "examples", stage, `${String(generation).padStart(8, "0")}.log`);
  }

  #open(path: string): RecordLogWriter {
    let log = this.#logs.get(path);
    if (log === undefined) {
      writing(path, () => mkdirSync(join(path, ".."), { recursive: true }));
      log = RecordLogWriter.open(path, this.#saved.lengthOf(path));
      this.#logs.set(path, log);
    }
    return log;
  }
}

/** Where a run keeps the games of a stage. */
export function gamesPath(folder: string, stage: string): string {
  return join(folder, "games", `${stage}.games`);
}

/** Where a run keeps the analyses of a stage's games. */
export function analysesPath(folder: string, stage: string): string {
  return join(folder, "analyses", `${stage}.analyses`);
}

/** Where a run keeps what the games of a stage cost. */
function effortsPath(folder: string, stage: string): string {
  return join(folder, "efforts", `${stage}.efforts`);
}

/** Where a run keeps what a stage has measured so far. */
function measurementsPath(folder: string, stage: string): string {
  return join(folder, "measurements", `${stage}.log`);
}

/** Where a run keeps the checkpoints of a net. */
export function checkpointsPath(folder: string, net: string): string {
  return join(folder, "checkpoints", net);
}

/** Where a run keeps a version of a net's weights that its stages play with later. */
export function storedWeightsPath(folder: string, net: string, version: number): string {
  return join(folder, "weights", net, `${version}.safetensors`);
}

/** Where a run notes the rounds of measuring that the last checkpoint of a net has left behind. */
export function roundsUnderWayPath(folder: string, net: string): string {
  return join(folder, "measurements", `${net}.rounds.json`);
}

/** Where a run keeps the simulations that a stage has fixed by measured times. */
export function equalTimePath(folder: string, stage: string): string {
  return join(folder, "measurements", `${stage}.equal-time.json`);
}

/** Where the run in a folder keeps a stage's database of openings. */
export function openingsPath(folder: string, stage: string): string {
  return join(folder, "openings", `${stage}.json`);
}

/** All records of a log; none if there is no file. */
export function readLog(path: string): Uint8Array[] {
  if (!existsSync(path)) return [];
  const reader = new RecordLogReader(path);
  try {
    return [...reader];
  } finally {
    reader.close();
  }
}

function push(log: RecordLogWriter, record: Uint8Array): void {
  log.append(record);
  log.drain();
}
