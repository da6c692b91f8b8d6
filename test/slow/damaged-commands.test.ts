import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { afterAll, expect, it, vi } from "vitest";
import { analyseCommand } from "../../src/cli/commands/analyse.ts";
import { checkCommand } from "../../src/cli/commands/check.ts";
import { compareCommand } from "../../src/cli/commands/compare.ts";
import { convertCommand } from "../../src/cli/commands/convert.ts";
import { forkCommand } from "../../src/cli/commands/fork.ts";
import { graphCommand } from "../../src/cli/commands/graph.ts";
import { playCommand } from "../../src/cli/commands/play.ts";
import { pruneCommand } from "../../src/cli/commands/prune.ts";
import { replayCommand } from "../../src/cli/commands/replay.ts";
import { reportCommand } from "../../src/cli/commands/report.ts";
import { resumeCommand } from "../../src/cli/commands/resume.ts";
import { runCommand } from "../../src/cli/commands/run.ts";
import { runsCommand } from "../../src/cli/commands/runs.ts";
import { weightsCommand } from "../../src/cli/commands/weights.ts";
import { complain } from "../../src/cli/complaint.ts";
import { Random } from "../../src/random.ts";
import { filesIn } from "../faults/files-in.ts";
import { mutatedBytes, oneOf } from "../faults/mutations.ts";
import { watchReads } from "../faults/read-files.ts";
import { allRuns, foundBy, type StageRun, writeStageRun } from "../faults/stage-runs.ts";
import { startRun } from "../graph/tiny-run.ts";

/** Changed files of each kind, and the seed of all draws: `LUDOFLOW_DAMAGED=1000 LUDOFLOW_DAMAGED_SEED=2`. */
const DAMAGED = Number(process.env["LUDOFLOW_DAMAGED"] ?? 5);
const SEED = Number(process.env["LUDOFLOW_DAMAGED_SEED"] ?? 1);

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A command, made anew for each call, as commander asks for. */
interface Call {
  readonly command: () => Command;
  /** The arguments, in a copy of the folder. */
  readonly args: readonly string[];
  /** Files or folders that it reads in other threads. */
  readonly reads?: readonly string[];
  /** What it makes beside its output, in that copy; absent where that holds moments or durations. */
  readonly made?: () => unknown;
}

/** How a command has ended in this process. */
async function ended({ args, command }: Call): Promise<{ code: number; out: string; err: string }> {
  const texts = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text: unknown) => {
      texts[name] += String(text);
      return true;
    }),
  );
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await command().exitOverride().parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = complain(error);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const code = process.exitCode;
  process.exitCode = before;
  return { code, out: texts.stdout, err: texts.stderr };
}

/** The kind of a file: its ending, or its name where that says more. */
function kindOf(file: string): string {
  return /\.(?:json|jsonl|yaml)$/.test(file) && file.includes("/") ? basename(file) : extname(file);
}

/** Kinds without a checksum, whose changed content may be as good as the first one. */
const TEXTS = [".sgf", ".zip", ".csv", ".yaml"];

/** The game of the records that a run learns from. */
const goGame = "{ rules: go, size: 5, komi: 0 }";

/** A stack trace, or what stands before one. */
const TRACE = /^ +at .*:\d+:\d+|bug of its own/m;

/** The commands that read what is in a folder made by `lay`. */
function callsIn(folder: string, { experiment, name }: StageRun): Call[] {
  const at = (...parts: string[]) => join(folder, ...parts);
  const [whole, cut] = [at("runs", "whole"), at("runs", "cut")];
  const checkpoints = filesIn(whole)
    .filter((file) => basename(file) === "checkpoint.json")
    .map((file) => join(whole, dirname(file)));
  const stages = filesIn(whole)
    .filter((file) => extname(file) === ".games")
    .map((file) => basename(file, ".games"));
  const sources = experiment.includes("FOLDER/archive") ? ["archive", "games.zip", "games.h5"] : [];
  const agent = "{ use: mcts-max-n, simulations: 4, epsilon: 1 }";
  return [
    { command: runsCommand, args: [at("runs")] },
    { command: reportCommand, args: [whole] },
    { command: compareCommand, args: [whole, cut] },
    { command: pruneCommand, args: [cut, "--yes"] },
    { command: resumeCommand, args: [cut], made: () => foundBy(cut) },
    { command: forkCommand, args: [whole, "--out", at("fork")], made: () => foundBy(at("fork")) },
    { command: checkCommand, args: [at(`${name}.yaml`)] },
    { command: graphCommand, args: [at(`${name}.yaml`)] },
    { command: runCommand, args: [at(`${name}.yaml`), "--out", at("new")], made: () => foundBy(at("new")) },
    { command: convertCommand, args: [whole, "--to", at("of-run.h5")] },
    ...sources.map((source) => ({
      command: convertCommand,
      reads: [at(source)],
      args: [at(source), "--to", at("of-files.h5"), "--game", goGame],
    })),
    ...stages.flatMap((stage) => [
      { command: replayCommand, args: [whole, "--game", "0", "--stage", stage] },
      { command: analyseCommand, args: [whole, "--stage", stage, "--agent", agent, "--plies", "1-2"] },
    ]),
    ...checkpoints.flatMap((checkpoint) => [
      {
        command: weightsCommand,
        args: [checkpoint, "--out", at("weights")],
        made: () => filesIn(at("weights")).map((file) => readFileSync(at("weights", file)).toString("hex")),
      },
      {
        command: weightsCommand,
        args: [checkpoint, "--onnx", at("net.onnx")],
        made: () => readFileSync(at("net.onnx")).toString("hex"),
      },
      { command: playCommand, args: [checkpoint, "--json"] },
    ]),
  ];
}

/** What a command has printed, without what depends on the clock. */
function plain(text: string): string {
  return text.replaceAll(/[\d.,:]+ ?(?:s|ms|seconds|minutes)\b/g, "TIME");
}

/** Whether a command that has ended well says that something is damaged. */
function tellsDamage(text: string): boolean {
  return /damaged|cannot be|left out/i.test(text);
}

/** Lays out a run of all kinds of files: ended, and stopped on its way; what it reads, and games in files of all kinds. */
async function lay(folder: string, run: StageRun): Promise<void> {
  const file = writeStageRun(run, folder);
  await startRun(file, join(folder, "runs", "whole"));
  let saved = 0;
  await startRun(file, join(folder, "runs", "cut"), [], {
    onEvent: ({ type }, stop) => {
      if (type === "checkpoint" && ++saved === 2) stop.request();
    },
  });
  for (const ending of [".zip", ".h5"])
    await ended({
      command: convertCommand,
      args: [join(folder, "archive"), "--to", join(folder, `games${ending}`), "--game", goGame],
    });
}

/** The kinds of files that a command has read, and those of a run that none has read. */
const tried = new Set<string>();
const unread = new Set<string>();

const runs = allRuns();

it.each(runs)(
  "a run of $name: each command says what is damaged, or does what it should",
  async (run) => {
    const kept = join(scratch, `${run.name}-kept`);
    // One path for all copies: the experiments name what they read.
    const folder = join(scratch, run.name);
    await lay(folder, run);
    cpSync(folder, kept, { recursive: true });
    const renew = () => {
      rmSync(folder, { recursive: true });
      cpSync(kept, folder, { recursive: true });
    };
    const wholes = new Map<Call, { out: string; made: unknown; tells: boolean }>();
    const readers = new Map<string, Set<Call>>();
    for (const call of callsIn(folder, run)) {
      renew();
      const read = new Set<string>();
      for (const path of call.reads ?? [])
        for (const file of statSync(path).isFile() ? [""] : filesIn(path))
          read.add(relative(folder, join(path, file)));
      const unwatch = watchReads((path) => read.add(relative(folder, path)));
      const { code, err, out } = await ended(call).finally(unwatch);
      // Not every command can do something with every run: Daihinmin has no games in SGF.
      if (code === 0)
        wholes.set(call, { out: plain(out), made: call.made?.(), tells: tellsDamage(err + out) });
      else expect([code, err]).toEqual([2, expect.not.stringMatching(TRACE)]);
      for (const file of code === 0 ? read : [])
        readers.set(file, (readers.get(file) ?? new Set()).add(call));
    }
    renew();
    const kinds = Map.groupBy(
      filesIn(folder).filter((file) => !/\/(?:tensorboard|data)\/|report\.html$|run\.lock/.test(file)),
      kindOf,
    );
    const counts: Record<string, { told: number; cut: number; same: number; other: number }> = {};
    for (const [kind, files] of kinds) {
      const members = files.filter((file) => readers.has(file));
      if (members.length === 0) {
        unread.add(kind);
        continue;
      }
      tried.add(kind);
      const count = (counts[kind] = { told: 0, cut: 0, same: 0, other: 0 });
      for (let n = 0; n < DAMAGED; n++) {
        const random = Random.named(SEED, run.name, kind, n);
        const file = oneOf(members, random);
        const call = oneOf([...readers.get(file)!], random);
        renew();
        const bytes = readFileSync(join(folder, file));
        const changed = mutatedBytes(bytes, random);
        writeFileSync(join(folder, file), changed);
        const where = `seed ${SEED}, ${kind}, change ${n} of ${file}, ${call.command().name()} ${call.args.join(" ")}`;
        const { code, err, out } = await ended(call);
        expect(`${where}: ${err}`).not.toMatch(TRACE);
        const whole = wholes.get(call)!;
        const same = () => plain(out) === whole.out && isDeepStrictEqual(call.made?.(), whole.made);
        if (code !== 0) {
          expect([1, 2], `${where}: ${err}`).toContain(code);
          expect(err + out, where).not.toBe("");
          count.told++;
        } else if (same()) count.same++;
        else if (TEXTS.includes(kind)) count.other++;
        else if (!whole.tells && tellsDamage(err + out)) count.told++;
        else if (changed.length < bytes.length && bytes.subarray(0, changed.length).equals(changed))
          count.cut++;
        else throw new Error(`${where}: taken in silence:\n${err}\n${out}`);
      }
    }
    console.log(run.name, counts);
  },
  // It only ends what hangs.
  300_000 + 60_000 * DAMAGED,
);

it("each kind of file is read by a command", () => {
  expect([...unread].filter((kind) => !tried.has(kind))).toEqual([]);
});
