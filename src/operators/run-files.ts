import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RecordLogReader, RecordLogWriter } from "../formats/record-log.ts";

/** The parts of a run's folder that stages write: game records, examples, checkpoints. */
export class RunFiles {
  readonly folder: string;
  readonly #logs = new Map<string, RecordLogWriter>();
  readonly #oldestNeeded = new Map<string, Map<string, number>>();
  readonly #oldestKept = new Map<string, number>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The log of a stage's games, one record a game in order of their index; opened on first use. */
  games(stage: string): RecordLogWriter {
    return this.#open(gamesPath(this.folder, stage));
  }

  /** The log of the examples of one generation of a stage's games, one record a game. */
  examples(stage: string, generation: number): RecordLogWriter {
    return this.#open(this.#examplesPath(stage, generation));
  }

  /** Closes a generation's log of examples. */
  closeExamples(stage: string, generation: number): void {
    const path = this.#examplesPath(stage, generation);
    this.#logs.get(path)?.close();
    this.#logs.delete(path);
  }

  /** Reads what `examples` wrote; empty where there is none. */
  readExamples(stage: string, generation: number): Uint8Array[] {
    return readLog(this.#examplesPath(stage, generation));
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

  /** Says that `reader` needs no examples of `stage` older than a generation; what nobody needs is deleted. */
  keepExamples(stage: string, reader: string, oldest: number): void {
    const needed = this.#oldestNeeded.get(stage) ?? new Map<string, number>();
    this.#oldestNeeded.set(stage, needed.set(reader, oldest));
    const least = Math.min(...needed.values());
    if (least <= (this.#oldestKept.get(stage) ?? 0)) return;
    this.#oldestKept.set(stage, least);
    for (const generation of this.exampleGenerations(stage))
      if (generation < least) {
        this.closeExamples(stage, generation);
        rmSync(this.#examplesPath(stage, generation));
      }
  }

  /** The folder of a stage's checkpoints. */
  checkpoints(stage: string): string {
    return checkpointsPath(this.folder, stage);
  }

  /** Makes everything appended so far survive a power cut. */
  flush(): void {
    for (const log of this.#logs.values()) log.flush();
  }

  /** Flushes and closes all logs. */
  close(): void {
    for (const log of this.#logs.values()) log.close();
    this.#logs.clear();
  }

  #examplesPath(stage: string, generation: number): string {
    return join(this.folder, "examples", stage, `${String(generation).padStart(8, "0")}.log`);
  }

  #open(path: string): RecordLogWriter {
    let log = this.#logs.get(path);
    if (log === undefined) {
      mkdirSync(join(path, ".."), { recursive: true });
      log = RecordLogWriter.open(path);
      this.#logs.set(path, log);
    }
    return log;
  }
}

/** Where a run keeps the games of a stage. */
export function gamesPath(folder: string, stage: string): string {
  return join(folder, "games", `${stage}.games`);
}

/** Where a run keeps the checkpoints of a stage. */
export function checkpointsPath(folder: string, stage: string): string {
  return join(folder, "checkpoints", stage);
}

/** All records of a log; none where there is no file. */
export function readLog(path: string): Uint8Array[] {
  if (!existsSync(path)) return [];
  const reader = new RecordLogReader(path);
  try {
    return [...reader];
  } finally {
    reader.close();
  }
}
