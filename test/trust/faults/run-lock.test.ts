import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { lockName } from "../../../src/graph/folder/run-lock.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

/** No process has such a number. */
const DEAD = "99999999";
/** What a claim does with the folder, in order: it looks, makes its file, looks, and looks for what is left. */
const OPERATIONS = 6;

/** A process that stops itself before the operation n on the folder, counted from 1, and then claims it and says how that went. */
function claimant(folder: string, n: number) {
  const module = new URL("../../../src/graph/folder/run-lock.ts", import.meta.url).href;
  const text = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    let done = 0;
    for (const name of ["readdirSync", "openSync", "linkSync", "renameSync", "rmSync"]) {
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
    expect(readdirSync(folder)).toEqual([lockName(holder.child.pid)]);
    holder.child.kill("SIGKILL");
    await once(holder.child, "exit");
  },
);

/** A process that says "ready", waits, and runs the text of a program with `folder`, `say` and `claimRunFolder`. */
function program(folder: string, text: string) {
  const module = new URL("../../../src/graph/folder/run-lock.ts", import.meta.url).href;
  const whole = `
    import { once } from "node:events";
    import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
    import { claimRunFolder } from "${module}";
    const folder = ${JSON.stringify(folder)};
    const say = (line) => process.stdout.write(line + "\\n");
    say("ready");
    ${text}
    process.exit();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", whole], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, told: async () => (await lines.next()).value as string };
}

it("is claimed by one process where several claim at once what a killed one has left", async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, `run.lock.${DEAD}`), "");
  const claimants = Array.from({ length: 4 }, () =>
    program(
      folder,
      `
      await once(process.stdin, "data");
      try {
        claimRunFolder(folder);
        say("claimed");
        await once(process.stdin, "data");
      } catch (error) {
        say(error.name);
      }`,
    ),
  );
  for (const { told } of claimants) expect(await told()).toBe("ready");
  for (const { child } of claimants) child.stdin.write("go");
  const outcomes = await Promise.all(claimants.map(({ told }) => told()));
  const left = readdirSync(folder).toSorted();
  for (const { child } of claimants) child.kill("SIGKILL");
  expect(outcomes.toSorted()).toEqual([
    "RunFolderInvalid",
    "RunFolderInvalid",
    "RunFolderInvalid",
    "claimed",
  ]);
  const holder = claimants[outcomes.indexOf("claimed")]!.child.pid;
  expect(left).toEqual([lockName(holder)]);
}, 60_000);

it("is never held by two processes, whether a claim is freed or left", async () => {
  const folder = scratchFolder();
  const claimants = Array.from({ length: 3 }, () =>
    program(
      folder,
      `
      await once(process.stdin, "data");
      try {
        for (let i = 0; i < 50; i++) {
          const release = claimRunFolder(folder);
          mkdirSync(folder + "/held");
          rmdirSync(folder + "/held");
          if (i % 2 === 0) writeFileSync(folder + "/run.lock.${DEAD}", "");
          release();
        }
        say("never met another");
      } catch (error) {
        say(error.message);
      }`,
    ),
  );
  for (const { told } of claimants) expect(await told()).toBe("ready");
  for (const { child } of claimants) child.stdin.write("go");
  expect(await Promise.all(claimants.map(({ told }) => told()))).toEqual(
    claimants.map(() => "never met another"),
  );
  for (const { child } of claimants) child.kill("SIGKILL");
}, 60_000);
