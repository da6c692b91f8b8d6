import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FileNotWritten } from "../../../src/formats/files/file-not-written.ts";
import { RunFolderInvalid } from "../../../src/graph/folder/run-folder-invalid.ts";
import { checkSavedLogs } from "../../../src/operators/run/saved-logs.ts";
import { Random } from "../../../src/random.ts";
import { summaryOf } from "../../../src/runs/run-summary.ts";
import { FileModel, torn } from "../../faults/file-model.ts";
import { filesIn } from "../../faults/files-in.ts";
import {
  allRuns,
  allStages,
  foundBy,
  runWith,
  type StageRun,
  writeStageRun,
} from "../../faults/stage-runs.ts";
import { Trials } from "../../faults/trials.ts";
import {
  codeOf,
  concerns,
  type DiskFault,
  diskFaults,
  failingDisk,
  inModel,
} from "../../faults/disk-faults.ts";
import { type FileOperation, watchFiles } from "../../faults/watch-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resumeRun, startRun } from "../../graph/tiny-run.ts";
import { ofThisTenth } from "../tenth.ts";

/** States of a crash, and failed operations, of each stage and game: `LUDOFLOW_CRASHES=150 LUDOFLOW_DISK_FAULTS=50 LUDOFLOW_FAULT_SEED=2`. */
const CRASHES = Number(process.env["LUDOFLOW_CRASHES"] ?? 2);
const FAULTS = Number(process.env["LUDOFLOW_DISK_FAULTS"] ?? 1);
const SEED = Number(process.env["LUDOFLOW_FAULT_SEED"] ?? 1);
/** The run of which every operation fails once: `LUDOFLOW_EVERY_FAULT=zero`. */
const EVERY = process.env["LUDOFLOW_EVERY_FAULT"];

/** It only ends what hangs. */
const TIMEOUT = 300_000 + 60_000 * Math.max(CRASHES, FAULTS, EVERY === undefined ? 0 : 10_000);

/** Faults that have failed once, by what they try: how, and the file that was being synced. */
const failedOnce: Readonly<Record<string, readonly (readonly [how: DiskFault, path: RegExp])[]>> = {
  // The disk was full when the last checkpoint was saved, and examples that it made needless stayed.
  "self-play": [["ENOSPC", /\/\.0000000008\.part\/\.checkpoint\.json/]],
};

/** What a user reads. */
const reasons: Readonly<Record<string, RegExp>> = {
  EIO: /cannot write .*: the device reports an input or output error; check the disk/,
  ENOSPC: /cannot write .*: no space left on the device; free some space/,
  EFBIG: /cannot write .*: the file would be larger than .*; choose another folder/,
};

/** A run that was not broken, and each change that it has made in its files. */
interface Traced {
  readonly file: string;
  readonly folder: string;
  readonly operations: readonly FileOperation[];
  /** Number of operations after which the folder is one of a run. */
  readonly begun: number;
  readonly found: unknown;
}

const traces = new Map<string, Promise<Traced>>();
const unbroken = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(unbroken, { recursive: true, force: true }));

/** By what they try: the run with each stage, that of each game, and others. */
const runs = new Map<string, StageRun>([
  ...allStages().map((use) => [use, runWith(use)] as const),
  ...allRuns()
    .filter((run) => !allStages().some((use) => runWith(use) === run))
    .map((run) => [run.name, run] as const),
]);

function traced(run: StageRun): Promise<Traced> {
  let trace = traces.get(run.name);
  if (trace === undefined) traces.set(run.name, (trace = runTraced(run)));
  return trace;
}

async function runTraced(run: StageRun): Promise<Traced> {
  const file = await writeStageRun(run, join(unbroken, run.name));
  const folder = join(unbroken, `${run.name}-run`);
  const operations: FileOperation[] = [];
  const stop = watchFiles(folder, (operation) => void operations.push(operation));
  try {
    expect(await startRun(file, folder)).toEqual({ outcome: "finished" });
  } finally {
    stop();
  }
  const begun =
    1 + operations.findIndex(({ kind, path }) => kind === "rename" && /\.manifest\.json\./.test(path));
  expect(begun).toBeGreaterThan(1);
  // The trace is whole: it makes the same files.
  const made = new FileModel(folder, operations).content();
  expect([...made.keys()]).toEqual(filesIn(folder));
  for (const [path, bytes] of made)
    expect(Buffer.from(bytes).equals(readFileSync(join(folder, path))), path).toBe(true);
  // A resumed run goes on behind what led to its last checkpoint, so that must have lasted before.
  const model = new FileModel(folder);
  for (const operation of operations) {
    if (operation.kind === "rename" && operation.to.includes("/checkpoints/"))
      expect(
        model.unsynced().filter((path) => !/^tensorboard\/|\.tally$/.test(path)),
        operation.to,
      ).toEqual([]);
    model.apply(operation);
  }
  return { file, folder, operations, begun, found: foundBy(folder) };
}

describe.each(ofThisTenth([...runs]))("the run with %s", (use, run) => {
  it(
    "ends in the same results from what a crash leaves at any of its writes",
    async () => {
      const { folder, operations, begun, found } = await traced(run);
      const seen = new Set<string>();
      const trials = new Trials("crashes", CRASHES);
      for (let n = 0; n < CRASHES; n++) {
        const random = Random.named(SEED, use, "crash", n);
        const at = random.below(operations.length + 1);
        const how = ["before", "torn", "power cut"][random.below(3)]!;
        const model = new FileModel(folder, operations.slice(0, at));
        const next = operations[at];
        if (how === "torn" && next?.kind === "write") model.apply(torn(next, random));
        if (how === "power cut") model.cut(random);
        const key = JSON.stringify(
          [...model.content()].map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]),
        );
        if (seen.has(key)) continue;
        seen.add(key);
        const crashed = join(scratchFolder(), "run");
        model.writeTo(crashed);
        try {
          if (at < begun) {
            await expect(resumeRun(crashed)).rejects.toBeInstanceOf(RunFolderInvalid);
            trials.count("no run yet");
          } else {
            expect(await resumeRun(crashed)).toEqual({ outcome: "finished" });
            expect(foundBy(crashed)).toEqual(found);
            trials.count("resumed");
          }
        } catch (error) {
          throw new Error(
            `seed ${SEED}, ${use}, state ${n}: ${how} at operation ${at}, ${next?.kind} ${next?.path.slice(folder.length)}, left in ${crashed}: ${(error as Error).message}`,
            { cause: error },
          );
        }
      }
      trials.end();
    },
    TIMEOUT,
  );

  it(
    "says what could not be written, and ends in the same results afterwards",
    async () => {
      const { file, operations, begun, found } = await traced(run);
      const all = EVERY === run.name && [...runs].find(([, { name }]) => name === EVERY)![0] === use;
      const each = operations.flatMap((operation, at) =>
        diskFaults.filter((how) => concerns(how, operation)).map((how) => ({ at, how })),
      );
      const count = all ? each.length : FAULTS;
      const known = failedOnce[use] ?? [];
      const trials = new Trials("faults of the disk", count + known.length);
      for (let n = -known.length; n < count; n++) {
        const [knownHow, knownPath] = known[n + known.length] ?? [];
        const random = Random.named(SEED, use, "fault", n);
        const { at, how } =
          knownHow !== undefined
            ? {
                at: operations.findIndex(({ kind, path }) => kind === "sync" && knownPath!.test(path)),
                how: knownHow,
              }
            : each[all ? n : random.below(each.length)]!;
        const broken = join(scratchFolder(), "run");
        const model = new FileModel(broken);
        let stop = watchFiles(broken, inModel(model, failingDisk(at, how, random)));
        const where = `seed ${SEED}, ${use}, fault ${n}: ${how} at operation ${at}, ${operations[at]?.kind} ${operations[at]?.path}`;
        let ended: string;
        try {
          const outcome = await startRun(file, broken);
          ended = outcome.outcome;
          if (outcome.outcome === "failed")
            expect(outcome.error.message, where).toMatch(reasons[codeOf(how)]!);
        } catch (error) {
          if (!(error instanceof FileNotWritten)) throw error;
          ended = "not begun";
          expect(at, where).toBeLessThan(begun + 4);
        } finally {
          stop();
        }
        trials.count(`${how}: ${ended}`);
        if (how === "short") expect(ended, where).toBe("finished");
        // There is room again.
        stop = watchFiles(broken, inModel(model));
        try {
          if (ended === "failed") expect(summaryOf(broken).condition, where).toMatch(/^(?:failed|stopped)$/);
          if (ended === "not begun" && !existsSync(join(broken, "manifest.json")))
            expect(await startRun(file, broken), where).toEqual({ outcome: "finished" });
          else if (ended !== "finished")
            expect(await resumeRun(broken), where).toEqual({ outcome: "finished" });
        } finally {
          stop();
        }
        expect(foundBy(broken), where).toEqual(found);
        // What was told and noted is on the disk for certain, also where a sync has failed before.
        const certain = join(scratchFolder(), "run");
        model.keepSynced();
        model.writeTo(certain);
        checkSavedLogs(certain, { continues: true });
        expect(foundBy(certain), where).toEqual(found);
      }
      trials.end();
    },
    TIMEOUT,
  );
});
