import { cpSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { FileNotWritten } from "../../../src/formats/files/file-not-written.ts";
import { WeightsCache } from "../../../src/fleet/joiner/weights-cache.ts";
import { runId } from "../../../src/fleet/run/run-id.ts";
import { sha256 } from "../../../src/formats/sha256.ts";
import { openGameSink } from "../../../src/operators/learning/collection/game-sinks.ts";
import { gamesPath, readLog } from "../../../src/operators/run/run-files.ts";
import { Random } from "../../../src/random.ts";
import { writeReport } from "../../../src/report/report.ts";
import { forkRun } from "../../../src/runs/fork-run.ts";
import { summaryOf } from "../../../src/runs/run-summary.ts";
import { openSweepFolder, readSweepFolder } from "../../../src/runs/sweep/sweep-folder.ts";
import { readSweep } from "../../../src/graph/sweep/sweep-plan.ts";
import { type FinishedPlay, storePlayedGame } from "../../../src/web/server/play/store-game.ts";
import { rememberedPage, rememberPage } from "../../../src/web/server/remembered-page.ts";
import { codeOf, concerns, diskFaults, failingDisk } from "../../faults/disk-faults.ts";
import { filesIn } from "../../faults/files-in.ts";
import { Trials } from "../../faults/trials.ts";
import { type FileOperation, watchFiles } from "../../faults/watch-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun, tablesExperiment, writeExperiment } from "../../graph/tiny-run.ts";

/** Failed operations of each writer, drawn; as many as there are, where it has fewer: `LUDOFLOW_FAILED_WRITES=10000 LUDOFLOW_FAULT_SEED=2`. */
const FAULTS = Number(process.env["LUDOFLOW_FAILED_WRITES"] ?? 12);
const SEED = Number(process.env["LUDOFLOW_FAULT_SEED"] ?? 1);

/** It only ends what hangs. */
const TIMEOUT = 300_000 + 10_000 * FAULTS;

/** Something that writes files, beside runs. */
interface Writer {
  /** Makes what it needs; returns how to write into a folder, and what is there then. */
  readonly prepare: () => Promise<Prepared>;
  /** Whether what it writes may be missing afterwards without a word: it is a help alone. */
  readonly dispensable?: boolean;
}

interface Prepared {
  /** What is in the folder before. */
  readonly fill?: (folder: string) => void;
  readonly write: (folder: string) => unknown;
  /** What is there; throws where that is damaged. To be called after a failure too. */
  readonly read: (folder: string) => unknown;
}

async function finishedRun(): Promise<string> {
  const scratch = scratchFolder();
  const folder = join(scratch, "run");
  expect(await startRun(writeExperiment(scratch, tablesExperiment), folder)).toEqual({ outcome: "finished" });
  return folder;
}

/** By path from the folder: the content of each file. */
function contentOf(folder: string): unknown {
  return existsSync(folder)
    ? Object.fromEntries(filesIn(folder).map((file) => [file, readFileSync(join(folder, file), "base64")]))
    : {};
}

const played = {
  player: { plugins: [] },
  agent: { use: "random" },
  config: { rules: "tic-tac-toe" },
  seed: 1,
  seats: ["player", "person"],
  actions: [0, 3, 1, 4, 2],
  decisions: [undefined, undefined, undefined, undefined, undefined],
  returns: [1, 0],
  facts: {},
} as unknown as FinishedPlay;

const writers: Readonly<Record<string, Writer>> = {
  "a fork": {
    prepare: async () => {
      const parent = await finishedRun();
      return {
        write: async (folder) => {
          if (!existsSync(join(folder, "fork/manifest.json")))
            await forkRun(parent, { at: "200", set: ["seed=5"], out: join(folder, "fork") });
        },
        read: (folder) => {
          const fork = join(folder, "fork");
          if (!existsSync(join(fork, "manifest.json"))) return undefined;
          expect(summaryOf(fork).message).toBeUndefined();
          return ["checkpoints", "games"].map((part) => contentOf(join(fork, part)));
        },
      };
    },
  },
  "a report": {
    prepare: async () => {
      const run = await finishedRun();
      return {
        fill: (folder) => cpSync(run, join(folder, "run"), { recursive: true }),
        write: (folder) => writeReport(join(folder, "run")),
        read: (folder) => contentOf(join(folder, "run")),
      };
    },
  },
  "the folder of a sweep": {
    prepare: () => {
      const scratch = scratchFolder();
      const plan = readSweep(
        writeExperiment(
          scratch,
          `${tablesExperiment}sweep: { seeds: 2, grid: { graph.learn.games: [200, 400] } }\n`,
        ),
      )!;
      return Promise.resolve({
        write: (folder) => openSweepFolder(join(folder, "sweep"), plan),
        read: (folder) =>
          existsSync(join(folder, "sweep/sweep.json")) ? readSweepFolder(join(folder, "sweep")) : undefined,
      });
    },
  },
  "the name of a run in a fleet": {
    prepare: () =>
      Promise.resolve({
        write: (folder) => runId(folder),
        read: (folder) => existsSync(join(folder, "fleet.json")) && runId(folder).length,
      }),
  },
  "the cache of a joiner": {
    dispensable: true,
    prepare: () => {
      const bytes = new Uint8Array(5000).fill(7);
      return Promise.resolve({
        write: (folder) => new WeightsCache(folder).write(sha256(bytes), bytes),
        read: (folder) => new WeightsCache(folder).read(sha256(bytes)),
      });
    },
  },
  "what the page remembers": {
    dispensable: true,
    prepare: () => {
      const { XDG_STATE_HOME: before } = process.env;
      onTestFinished(() => {
        if (before === undefined) delete process.env["XDG_STATE_HOME"];
        else process.env["XDG_STATE_HOME"] = before;
      });
      const page = { port: 8000, key: "k".repeat(43) };
      const at = (folder: string) => (process.env["XDG_STATE_HOME"] = folder);
      return Promise.resolve({
        write: (folder) => rememberPage(at(folder), page),
        read: (folder) => rememberedPage(at(folder)),
      });
    },
  },
  "games that are played on the page": {
    prepare: () =>
      Promise.resolve({
        write: (folder) => {
          // As the page does: each game on its own, until both are stored.
          while (gamesIn(folder).length < 2) storePlayedGame(folder, played);
        },
        read: (folder) => gamesIn(folder),
      }),
  },
  "a collection in SGF": { prepare: () => Promise.resolve(sink("games.sgf")) },
  "a zip of collections": { prepare: () => Promise.resolve(sink("games.zip")) },
};

/** The games in the only run below `played`, which is not damaged. */
function gamesIn(folder: string): unknown[] {
  const runs = existsSync(join(folder, "played")) ? filesIn(join(folder, "played")) : [];
  const manifest = runs.find((file) => file.endsWith("manifest.json"));
  if (manifest === undefined) return [];
  const run = dirname(join(folder, "played", manifest));
  const { condition, message } = summaryOf(run);
  expect(message).toBeUndefined();
  expect(condition).toMatch(/^(?:finished|stopped)$/);
  const path = gamesPath(run, "games");
  return readLog(path).map((bytes) => decodeGameRecord(bytes, path));
}

function sink(name: string): Prepared {
  return {
    write: async (folder) => {
      const games = await openGameSink(join(folder, name), 2);
      try {
        games.add(
          {
            moves: new Uint16Array(),
            lengths: Uint32Array.of(0),
            returns: Float32Array.of(1, 0),
            parts: Uint8Array.of(0),
            groupOf: Uint8Array.of(0),
            starts: new Map(),
            texts: ["(;GM[1];B[aa])\n"],
          },
          ["all"],
        );
        await games.finish(["all"], {
          version: "1",
          game: { rules: "go" },
          sources: [],
          filters: {},
          counts: {},
        });
      } finally {
        games.abandon();
      }
    },
    read: (folder) => contentOf(folder),
  };
}

describe.each(Object.entries(writers))("%s", (name, { dispensable = false, prepare }) => {
  it(
    "is whole, as it was, or made again when there is room, whatever fails at any of its writes",
    async () => {
      const { fill = () => undefined, read, write } = await prepare();
      const operations: FileOperation[] = [];
      const unbroken = scratchFolder();
      fill(unbroken);
      const empty = read(unbroken);
      let stop = watchFiles(unbroken, (operation) => void operations.push(operation));
      await write(unbroken);
      stop();
      const whole = read(unbroken);
      expect(whole).not.toEqual(empty);
      expect(operations.some(({ kind }) => kind === "write")).toBe(true);
      const all = operations.flatMap((operation, at) =>
        diskFaults.filter((how) => concerns(how, operation)).map((how) => ({ at, how })),
      );
      const cases =
        all.length <= FAULTS
          ? all
          : Array.from({ length: FAULTS }, (_, n) => all[Random.named(SEED, name, n).below(all.length)]!);
      const trials = new Trials(`failed writes: ${name}`, cases.length);
      for (const { at, how } of cases) {
        const { kind, path } = operations[at]!;
        const where = `${how} at operation ${at}, ${kind} ${path.slice(unbroken.length)}`;
        const folder = scratchFolder();
        fill(folder);
        stop = watchFiles(folder, failingDisk(at, how, Random.named(SEED, name, at, how)));
        let ended = "written";
        try {
          await write(folder);
        } catch (error) {
          if (!(error instanceof FileNotWritten)) throw new Error(where, { cause: error });
          expect((error.cause as NodeJS.ErrnoException).code, where).toBe(codeOf(how));
          ended = "failed";
        } finally {
          stop();
        }
        try {
          const left = read(folder);
          if (ended === "written" && !dispensable) expect(left).toEqual(whole);
          await write(folder);
          expect(read(folder)).toEqual(whole);
          // Nothing half written is left.
          expect(filesIn(folder).filter((file) => file.endsWith(".part"))).toEqual([]);
        } catch (error) {
          throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
        }
        trials.count(`${how}: ${ended}`);
      }
      trials.end();
    },
    TIMEOUT,
  );
});
