import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Command } from "commander";
import { afterAll, expect, it, vi } from "vitest";
import { analyseCommand } from "../../../src/cli/commands/analyse.ts";
import { checkCommand } from "../../../src/cli/commands/check.ts";
import { compareCommand } from "../../../src/cli/commands/compare.ts";
import { convertCommand } from "../../../src/cli/commands/convert.ts";
import { forkCommand } from "../../../src/cli/commands/fork.ts";
import { graphCommand } from "../../../src/cli/commands/graph.ts";
import { playCommand } from "../../../src/cli/commands/play.ts";
import { pruneCommand } from "../../../src/cli/commands/prune.ts";
import { replayCommand } from "../../../src/cli/commands/replay.ts";
import { reportCommand } from "../../../src/cli/commands/report.ts";
import { resumeCommand } from "../../../src/cli/commands/resume.ts";
import { runCommand } from "../../../src/cli/commands/run.ts";
import { runsCommand } from "../../../src/cli/commands/runs.ts";
import { sweepCommand } from "../../../src/cli/commands/sweep.ts";
import { weightsCommand } from "../../../src/cli/commands/weights.ts";
import { complain } from "../../../src/cli/complaint.ts";
import { openFleet } from "../../../src/cli/flags/fleet-flag.ts";
import type { HostOfRun } from "../../../src/graph/run-experiment.ts";
import { readGamesFile } from "../../../src/operators/learning/collection/read-games-file.ts";
import { Random } from "../../../src/random.ts";
import { readSweepFolder } from "../../../src/runs/sweep/sweep-folder.ts";
import { startPageServer } from "../../../src/web/server/page-server.ts";
import { filesIn } from "../../faults/files-in.ts";
import { mutatedBytes, oneOf } from "../../faults/mutations.ts";
import { watchReads } from "../../faults/read-files.ts";
import { allRuns, foundBy, runWith, type StageRun, writeStageRun } from "../../faults/stage-runs.ts";
import { Trials } from "../../faults/trials.ts";
import { noServer, startServer } from "../../fleet/nats-server.ts";
import { startRun } from "../../graph/tiny-run.ts";
import { ofThisTenth } from "../tenth.ts";

/** The folders that are damaged: one of each short run, and of a sweep. */
const everyFolder = [...allRuns(), "sweep"] as const;
const folders = ofThisTenth(everyFolder);

/**
 * Changed files of each kind, by turns in the folders that have it, and the seed of all draws:
 * `LUDOFLOW_DAMAGED=1000 LUDOFLOW_DAMAGED_SEED=2`.
 */
const DAMAGED = Number(process.env["LUDOFLOW_DAMAGED"] ?? (folders.length < everyFolder.length ? 1 : 5));
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
const UNSEALED = [".sgf", ".zip", ".csv", ".yaml", ".txt", ".onnx"];

/** The game of the records that a run learns from. */
const goGame = "{ rules: go, size: 5, komi: 0 }";

/** A stack trace, or what stands before one. */
const TRACE = /^ +at .*:\d+:\d+|internal error in ludoflow/m;

/**
 * `ludoflow serve`, which gives its answers and ends: each page of runs and games, in a folder with some runs. An answer that refuses
 * counts as a command that has failed. Reports are those of `ludoflow report`.
 */
function serveCommand(): Command {
  return new Command("serve").argument("<folder>").argument("<runs...>").action(serveOnce);
}

async function serveOnce(folder: string, runs: readonly string[]): Promise<void> {
  const page = { body: Buffer.from(""), gzipped: Buffer.from(""), type: "text/html" };
  const server = await startPageServer(folder, { assets: { index: page, files: new Map() } });
  const cookie = (await fetch(server.link, { redirect: "manual" })).headers.get("set-cookie")!.split(";")[0]!;
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie } });
    const text = await response.text();
    process.stdout.write(`${path}: ${response.status} ${text}\n`);
    if (!response.ok && response.status !== 404) process.exitCode = 1;
    return text;
  };
  try {
    await ask("/api/runs");
    await ask(`/api/compare?runs=${runs.join(",")}`);
    for (const run of runs) {
      await ask(`/api/run-settings/${run}`);
      await ask(`/api/live?once&topic=run/${run}`);
      const { stages = [] } = JSON.parse(await ask(`/api/games/${run}`)) as {
        readonly stages?: readonly { readonly stage: string }[];
      };
      await ask(`/api/newest-games/${run}`);
      for (const { stage } of stages)
        for (const what of ["game", "game-positions", "game-analysis", "game-file"])
          await ask(`/api/${what}/${run}/${stage}/0?as=sgf&to=2`);
    }
  } finally {
    await server.close();
  }
}

/** The commands that read what is in a folder made by `lay`; with the address of a fleet also those for it. */
function callsIn(folder: string, { experiment, name }: StageRun, fleet: string | undefined): Call[] {
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
    ...(fleet === undefined
      ? []
      : [{ command: resumeCommand, args: [cut, "--fleet", fleet], made: () => foundBy(cut) }]),
    { command: serveCommand, args: [at("runs"), "whole", "cut"] },
    { command: forkCommand, args: [whole, "--out", at("fork")], made: () => foundBy(at("fork")) },
    { command: checkCommand, args: [at(`${name}.yaml`)] },
    { command: graphCommand, args: [at(`${name}.yaml`)] },
    { command: runCommand, args: [at(`${name}.yaml`), "--out", at("new")], made: () => foundBy(at("new")) },
    {
      command: convertCommand,
      args: [whole, "--to", at("of-run.h5")],
      made: () => readGamesFile(at("of-run.h5")),
    },
    ...sources.map((source) => ({
      command: convertCommand,
      reads: [at(source)],
      args: [at(source), "--to", at("of-files.h5"), "--game", goGame],
      made: () => readGamesFile(at("of-files.h5")),
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

/** Lays out a sweep that has ended, and returns the commands that read it. */
async function layOfSweep(folder: string): Promise<Call[]> {
  const file = await writeStageRun(runWith("uct-openings"), folder);
  writeFileSync(
    file,
    `${readFileSync(file, "utf8")}sweep: { seeds: [1, 2], grid: { graph.learn.lambda: [0, 0.9] } }\n`,
  );
  const out = join(folder, "sweeps", "sweep");
  const sweep = { command: sweepCommand, args: [file, "--out", out, "--jobs", "2"] };
  const { code, err } = await ended(sweep);
  expect(code, err).toBe(0);
  return [
    sweep,
    { command: reportCommand, args: [out] },
    { command: runsCommand, args: [join(folder, "sweeps")] },
    { command: compareCommand, args: [out] },
    { command: checkCommand, args: [file] },
    {
      command: serveCommand,
      args: [join(folder, "sweeps"), ...readSweepFolder(out).runs.map((run) => `sweep/${run.folder}`)],
    },
  ];
}

/** What a command has printed, without what depends on the clock, checksums of what it has read, and the sizes of folders. */
function plain(text: string): string {
  return text
    .replaceAll(/[\d.,:]+ ?(?:s|ms|seconds|minutes)\b/g, "TIME")
    .replaceAll(/"newest":[\d.]+/g, '"newest":MOMENT')
    .replaceAll(/SHA-256 [\da-f]{64}/g, "SHA-256")
    .replaceAll(/[\d.]+ (?:k|M|G)?B\b/g, "SIZE")
    .replaceAll(/"bytes":\d+/g, '"bytes":SIZE');
}

/** Whether a command that has ended well says that something is damaged. */
function tellsDamage(text: string): boolean {
  return /damaged|cannot be|left out/i.test(text);
}

/** Lays out a run of all kinds of files: ended, and stopped on its way; what it reads, and games in files of all kinds. */
async function lay(folder: string, run: StageRun, hostOf: HostOfRun | undefined): Promise<void> {
  const file = await writeStageRun(run, folder);
  await startRun(file, join(folder, "runs", "whole"));
  let saved = 0;
  await startRun(file, join(folder, "runs", "cut"), [], {
    ...(hostOf === undefined ? {} : { hostOf }),
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

/** A folder that commands read, and who reads which of its files. */
interface Laid {
  readonly name: string;
  readonly folder: string;
  /** Puts the files back. */
  readonly renew: () => void;
  readonly wholes: ReadonlyMap<Call, { out: string; made: unknown; tells: boolean }>;
  readonly readers: ReadonlyMap<string, readonly Call[]>;
  /** Its files that are damaged, by kind. */
  readonly kinds: ReadonlyMap<string, readonly string[]>;
}

/** Calls each command once with whole files, and sees which files it reads. */
async function laidOut(name: string, folder: string, calls: readonly Call[]): Promise<Laid> {
  const kept = `${folder}-kept`;
  // Pages tell when a file was written.
  const whole = { recursive: true, preserveTimestamps: true };
  cpSync(folder, kept, whole);
  // One path for all copies: the experiments name what they read.
  const renew = () => {
    rmSync(folder, { recursive: true });
    cpSync(kept, folder, whole);
  };
  const wholes = new Map<Call, { out: string; made: unknown; tells: boolean }>();
  const readers = new Map<string, Call[]>();
  for (const call of calls) {
    renew();
    const read = new Set<string>();
    for (const path of call.reads ?? [])
      for (const file of statSync(path).isFile() ? [""] : filesIn(path))
        read.add(relative(folder, join(path, file)));
    const unwatch = watchReads((path) => read.add(relative(folder, path)));
    const { code, err, out } = await ended(call).finally(unwatch);
    // Not every command can do something with every run: Daihinmin has no games in SGF.
    if (code === 0)
      wholes.set(call, { out: plain(out), made: await call.made?.(), tells: tellsDamage(err + out) });
    else expect([code, err]).toEqual([2, expect.not.stringMatching(TRACE)]);
    for (const file of code === 0 ? read : []) readers.set(file, [...(readers.get(file) ?? []), call]);
  }
  renew();
  const kinds = Map.groupBy(
    filesIn(folder).filter((file) => !/\/(?:tensorboard|data|logs)\/|report\.html$|run\.lock/.test(file)),
    kindOf,
  );
  return { name, folder, renew, wholes, readers, kinds };
}

/** A changed copy of a file's bytes; one that says something else, where the file is JSON: other spaces are no damage. */
function damaged(path: string, bytes: Buffer, random: Random): Uint8Array {
  for (;;) {
    const changed = mutatedBytes(bytes, random);
    if (extname(path) !== ".json" || !differInSpaces(bytes.toString(), Buffer.from(changed).toString()))
      return changed;
  }
}

/** Whether two JSON texts differ in the spaces between their values alone. */
function differInSpaces(a: string, b: string): boolean {
  if (a.replaceAll(/\s/g, "") !== b.replaceAll(/\s/g, "")) return false;
  try {
    return isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
  } catch {
    return false;
  }
}

/** Changes a file, calls a command, and returns what came of it. */
async function tryDamage(laid: Laid, kind: string, n: number): Promise<string> {
  const { folder, readers, renew, wholes } = laid;
  const random = Random.named(SEED, laid.name, kind, n);
  const file = oneOf(
    laid.kinds.get(kind)!.filter((each) => readers.has(each)),
    random,
  );
  const call = oneOf(readers.get(file)!, random);
  renew();
  const path = join(folder, file);
  const { atime, mtime } = statSync(path);
  const bytes = readFileSync(path);
  const gone = random.below(16) === 0;
  if (gone) rmSync(path);
  else {
    writeFileSync(path, damaged(path, bytes, random));
    utimesSync(path, atime, mtime);
  }
  const where = `seed ${SEED}, ${laid.name}, ${kind}, ${gone ? "removal" : "change"} ${n} of ${file}, ${call.command().name()} ${call.args.join(" ")}`;
  const { code, err, out } = await ended(call);
  expect(`${where}: ${err}`).not.toMatch(TRACE);
  const whole = wholes.get(call)!;
  if (code !== 0) {
    expect([1, 2], `${where}: ${err}`).toContain(code);
    expect(err + out, where).not.toBe("");
    return "told";
  }
  if (plain(out) === whole.out && isDeepStrictEqual(await call.made?.(), whole.made)) return "same";
  if (UNSEALED.includes(kind)) return "other";
  if (!whole.tells && tellsDamage(err + out)) return "told";
  const now = plain(out);
  let from = 0;
  while (from < now.length && now[from] === whole.out[from]) from++;
  throw new Error(
    `${where}: taken in silence:\n${err.slice(0, 500)}\n${now.slice(from, from + 500)}\nin place of\n${whole.out.slice(from, from + 500)}`,
  );
}

it(
  "each command says what is damaged in a file of any kind, or does what it should",
  async () => {
    const server = noServer === undefined ? await startServer() : undefined;
    const all: Laid[] = [];
    for (const run of folders) {
      if (run === "sweep") {
        const swept = join(scratch, run);
        all.push(await laidOut(run, swept, await layOfSweep(swept)));
        continue;
      }
      const folder = join(scratch, run.name);
      const fleet = server === undefined ? undefined : await openFleet({ fleet: server.url });
      await lay(folder, run, fleet?.hostOf);
      await fleet?.close();
      all.push(await laidOut(run.name, folder, callsIn(folder, run, server?.url)));
    }
    const kinds = new Set(all.flatMap((laid) => [...laid.kinds.keys()]));
    const readIn = (kind: string) =>
      all.filter((laid) => laid.kinds.get(kind)?.some((file) => laid.readers.has(file)));
    const unread = [...kinds].filter((kind) => readIn(kind).length === 0);
    // A tenth has some runs alone: what only others read is damaged with them.
    if (folders.length === everyFolder.length) {
      expect(unread, "each kind of file is read by a command").toEqual([]);
      expect([...kinds]).toEqual(
        expect.arrayContaining(["sweep.json", ...(server === undefined ? [] : ["fleet.json"])]),
      );
    }
    for (const kind of unread) kinds.delete(kind);
    const trials = new Trials("damaged files through commands", DAMAGED * kinds.size);
    for (const kind of kinds) {
      const members = readIn(kind);
      const counts: Record<string, number> = {};
      for (let n = 0; n < DAMAGED; n++) {
        const outcome = await trials.attempt(() => tryDamage(members[n % members.length]!, kind, n));
        counts[outcome] = (counts[outcome] ?? 0) + 1;
      }
      console.log(kind, counts);
    }
    trials.end();
  },
  // It only ends what hangs.
  600_000 + 300_000 * DAMAGED,
);
