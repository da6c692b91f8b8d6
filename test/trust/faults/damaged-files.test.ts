import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { FileCorrupt } from "../../../src/formats/files/file-corrupt.ts";
import { effortsByGame, type GameEffort } from "../../../src/formats/game-efforts.ts";
import { openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { RunFolderInvalid } from "../../../src/graph/folder/run-folder-invalid.ts";
import { CheckpointUnusable } from "../../../src/operators/run/run-error.ts";
import { readLog } from "../../../src/operators/run/run-files.ts";
import { checkSavedLogs } from "../../../src/operators/run/saved-logs.ts";
import { readCheckpoint } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { Random } from "../../../src/random.ts";
import { buildReport } from "../../../src/report/report.ts";
import { summaryOf } from "../../../src/runs/run-summary.ts";
import { filesIn } from "../../faults/files-in.ts";
import { mutatedBytes } from "../../faults/mutations.ts";
import { Trials } from "../../faults/trials.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun, trainingExperiment, writeExperiment } from "../../graph/tiny-run.ts";

/** Mutations of each kind of file, and the seed of all draws: `LUDOFLOW_MUTATIONS=1000 LUDOFLOW_MUTATION_SEED=2`. */
const MUTATIONS = Number(process.env["LUDOFLOW_MUTATIONS"] ?? 30);
const SEED = Number(process.env["LUDOFLOW_MUTATION_SEED"] ?? 1);

/** What a user is told without a trace. */
const told = [FileCorrupt, RunFolderInvalid, CheckpointUnusable];

/** What is read of the files of a run, by reader and file; an expected error in place of what is damaged. */
function readAll(folder: string, files: readonly string[]): Map<string, unknown> {
  const read = new Map<string, unknown>();
  const reading = (name: string, reader: () => unknown) => {
    try {
      read.set(name, reader());
    } catch (error) {
      if (!told.some((kind) => error instanceof kind)) throw error;
      read.set(name, error);
    }
  };
  reading("run", () => openRunFolder(folder));
  for (const file of files) {
    const path = join(folder, file);
    if (file === "metrics.jsonl") reading(file, () => readMetrics(path));
    if (file === "logs.json") reading(file, () => checkSavedLogs(folder));
    if (file.endsWith("/checkpoint.json")) reading(file, () => readCheckpoint(join(path, "..")));
    if ([".games", ".log", ".analyses"].includes(extname(file))) reading(file, () => readLog(path));
    if (file.endsWith(".efforts")) reading(file, () => effortsIn(path));
  }
  return read;
}

/** What each game of a stage cost, as it counts. */
function effortsIn(path: string): GameEffort[] {
  const efforts = effortsByGame(readLog(path), path).values();
  return [...efforts].toSorted((one, other) => one.game - other.game);
}

/** Whether a list is what is left of a log that was cut: its beginning; of efforts, those of some games. */
function isLeft(file: string, now: unknown, before: unknown): boolean {
  if (!Array.isArray(now) || !Array.isArray(before) || now.length >= before.length) return false;
  if (file.endsWith(".efforts")) expect(before).toEqual(expect.arrayContaining(now));
  else expect(now).toEqual(before.slice(0, now.length));
  return true;
}

/**
 * Files that may be gone from a finished run: examples, which `ludoflow prune` removes; sums that a stage would go on with; the
 * notes on the logs themselves.
 */
const dispensable = (file: string) =>
  file.startsWith("examples/") || file.endsWith(".tally") || file === "logs.json";

it(
  "a damaged file of a run is never taken with other content, and never ends in a trace",
  async () => {
    const scratch = scratchFolder();
    const folder = join(scratch, "run");
    expect(await startRun(writeExperiment(scratch, trainingExperiment), folder)).toEqual({
      outcome: "finished",
    });
    // Without what is made from the other files, and is not read back.
    const files = filesIn(folder).filter((file) => !/^(?:tensorboard|data)\/|^report\.html$/.test(file));
    const whole = readAll(folder, files);
    for (const [name, content] of whole) expect(content, name).not.toBeInstanceOf(Error);
    expect(buildReport(folder).damage).toEqual([]);
    const kinds = Map.groupBy(files, (file) => file.replaceAll(/\d+/g, "N"));
    expect(kinds.size).toBeGreaterThan(6);
    const trials = new Trials("damaged files", MUTATIONS * kinds.size);
    for (const [kind, members] of kinds) {
      const counts = { told: 0, same: 0 };
      const copy = join(scratchFolder(), "run");
      cpSync(folder, copy, { recursive: true });
      for (let n = 0; n < MUTATIONS; n++) {
        const random = Random.named(SEED, kind, n);
        const file = members[random.below(members.length)]!;
        const bytes = readFileSync(join(folder, file));
        const gone = random.below(16) === 0;
        if (gone) rmSync(join(copy, file));
        else writeFileSync(join(copy, file), mutatedBytes(bytes, random));
        const where = `seed ${SEED}, ${kind}, ${gone ? "removal" : "mutation"} ${n} of ${file}`;
        let damaged = false;
        try {
          const read = readAll(
            copy,
            files.filter((each) => !gone || each !== file),
          );
          damaged = [...read.values()].some((content) => content instanceof Error);
          // All of this run is saved: that a log was cut, the notes on the logs tell.
          for (const [name, content] of read)
            if (!(content instanceof Error) && !(damaged && isLeft(name, content, whole.get(name))))
              expect(content, name).toEqual(whole.get(name));
          if (summaryOf(copy).condition === "damaged") damaged = true;
          try {
            const { damage, html } = buildReport(copy);
            if (damage.length > 0) {
              damaged = true;
              expect(html).toContain("This run is damaged.");
            }
          } catch (error) {
            if (!told.some((expected) => error instanceof expected)) throw error;
            damaged = true;
          }
          if (gone && !dispensable(file)) expect(damaged).toBe(true);
        } catch (error) {
          throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
        }
        const outcome = damaged ? "told" : "same";
        counts[outcome]++;
        trials.count(outcome);
        writeFileSync(join(copy, file), bytes);
      }
      console.log(kind, counts);
    }
    trials.end();
  },
  // It only ends what hangs.
  300_000 + 60_000 * MUTATIONS,
);
