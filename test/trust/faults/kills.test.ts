import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import { oldNode } from "../../bin/old-node.ts";
import { bin } from "../../cli/run-cli.ts";
import { allRuns, foundBy, writeStageRun } from "../../faults/stage-runs.ts";
import { Trials } from "../../faults/trials.ts";

/** Kills over all runs, and the seed of all draws: `LUDOFLOW_KILLS=1000 LUDOFLOW_KILL_SEED=2`. */
const KILLS = Number(process.env["LUDOFLOW_KILLS"] ?? 50);
const SEED = Number(process.env["LUDOFLOW_KILL_SEED"] ?? 1);
import { ofThisTenth } from "../tenth.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Starts a command in a process group of its own. */
function begin(node: string, args: readonly string[]) {
  const child = spawn(node, [bin, ...args], { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let told = "";
  child.stderr.on("data", (bytes: Buffer) => (told += bytes.toString()));
  return {
    child,
    told: () => told,
    ended: once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
  };
}

/** The processes that a process has started and that still run. */
function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    return [];
  }
}

/** Kills a launcher, the program that it has launched, or both. */
function kill(pid: number, level: "launcher" | "program" | "both"): void {
  const [program] = childrenOf(pid);
  const victims = { launcher: [pid], program: [program ?? pid], both: [-pid] }[level];
  for (const victim of victims)
    try {
      process.kill(victim, "SIGKILL");
    } catch (error) {
      // It has ended by itself.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
}

const runs = allRuns();
const old = oldNode();

it.skipIf(process.platform !== "linux").each(ofThisTenth(runs))(
  "a run of $name ends in the same results after kills at any moments, of its launcher or its program",
  async (run) => {
    const node = old ?? process.execPath;
    const file = await writeStageRun(run, join(scratch, run.name));
    const unbroken = join(scratch, `${run.name}-unbroken`);
    const since = performance.now();
    const whole = begin(node, ["run", file, "--out", unbroken]);
    expect(await whole.ended, whole.told()).toEqual([0, null]);
    const length = performance.now() - since;
    const found = foundBy(unbroken);
    const random = Random.named(SEED, run.name);
    const most = Math.ceil(KILLS / runs.length);
    const trials = new Trials("kills", most);
    let kills = 0;
    let folder = "";
    let parts = 0;
    const begun = () => existsSync(join(folder, "manifest.json"));
    const next = () => {
      if (folder !== "") rmSync(folder, { recursive: true, force: true });
      folder = join(scratch, `${run.name}-${kills}`);
      parts = 0;
    };
    /** Resumes the run to its end, and compares. */
    const finish = async () => {
      const last = begin(node, ["resume", folder]);
      expect(await last.ended, last.told()).toEqual([0, null]);
      expect(last.told()).not.toMatch(/^ +at /m);
      expect(foundBy(folder), `seed ${SEED}, ${kills} kills`).toEqual(found);
    };
    next();
    while (kills < most) {
      const started = parts++ > 0;
      const part = begin(node, started ? ["resume", folder] : ["run", file, "--out", folder]);
      const level = old === undefined ? "both" : (["launcher", "program", "both"] as const)[random.below(3)]!;
      const alone = await Promise.race([setTimeout(random.float() * length), part.ended]);
      if (alone === undefined) {
        kill(part.child.pid!, level);
        kills++;
        trials.count(`${level}${started ? ", resumed" : ""}`);
      }
      const [code] = await part.ended;
      if (alone !== undefined) expect(code, part.told()).toBe(0);
      expect(part.told(), `seed ${SEED}, ${kills} kills`).not.toMatch(/^ +at /m);
      if (!begun()) {
        next();
      } else if (alone !== undefined || parts > 6) {
        await finish();
        next();
      }
    }
    if (parts > 0) await finish();
    trials.end();
  },
  // It only ends what hangs.
  300_000 + 60_000 * KILLS,
);
