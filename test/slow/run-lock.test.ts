import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { scratchFolder } from "../formats/scratch-folder.ts";

/** No process has such a number. */
const DEAD = "99999999";
/** What a claim does with the folder, in order: it looks, makes its file, looks, and looks for what is left. */
const OPERATIONS = 6;

/** A process that stops itself before the operation n on the folder, counted from 1, and then claims it and says how that went. */
function claimant(folder: string, n: number) {
  const module = new URL("../../src/graph/folder/run-lock.ts", import.meta.url).href;
  const text = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    let done = 0;
    for (const name of ["readdirSync", "readFileSync", "writeFileSync", "linkSync", "renameSync", "rmSync"]) {
      const before = fs[name];
      fs[name] = (path, ...rest) => {
        if (String(path).startsWith(${JSON.stringify(folder)}) && ++done === ${n}) process.kill(process.pid, "SIGSTOP");
        return before(path, ...rest);
      };
    }
    syncBuiltinESMExports();
    const { claimRunFolder } = await import("${module}");
    try {
      claimRunFolder(${JSON.stringify(folder)});
      console.log("holds");
    } catch (error) {
      console.log(error.name);
    }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", text], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, told: async () => (await lines.next()).value as string };
}

/** Waits until a process has stopped itself. */
async function stopped(pid: number): Promise<void> {
  while (!/\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) await setTimeout(10);
}

it.skipIf(process.platform !== "linux").each(Array.from({ length: OPERATIONS }, (_, i) => i + 1))(
  "a claim that is stopped before its operation %i and goes on later is never a second one",
  async (n) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, `run.lock.${DEAD}`), DEAD);
    writeFileSync(join(folder, "run.lock"), DEAD);
    const first = claimant(folder, n);
    await stopped(first.child.pid!);
    const second = claimant(folder, 0);
    const later = await second.told();
    first.child.kill("SIGCONT");
    const earlier = await first.told();
    expect([earlier, later].toSorted()).toEqual(["RunFolderInvalid", "holds"]);
    const holder = later === "holds" ? second : first;
    expect(readdirSync(folder)).toEqual([`run.lock.${holder.child.pid}`]);
    holder.child.kill("SIGKILL");
    await once(holder.child, "exit");
  },
);
