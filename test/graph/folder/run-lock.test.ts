import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { RunFolderInvalid } from "../../../src/graph/folder/run-folder-invalid.ts";
import { claimRunFolder, lockName, processAtWork } from "../../../src/graph/folder/run-lock.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { reasonOf } from "../../formats/reason-of.ts";

afterEach(() => void vi.useRealTimers());

it("is claimed with what a killed process has left half written removed, and all else as it was", () => {
  const folder = scratchFolder();
  const games = join(folder, "examples", "games");
  mkdirSync(games, { recursive: true });
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const others = [
    "00000000.log",
    `.00000000.log.${process.ppid}.part`,
    `00000000.log.${ended}.part`,
    ".part",
  ];
  for (const name of [...others, `.00000000.log.${ended}.part`, `.00000001.log.${process.pid}.part`])
    writeFileSync(join(games, name), "half");
  const release = claimRunFolder(folder);
  expect(readdirSync(games).toSorted()).toEqual(others.toSorted());
  release();
  expect(readdirSync(folder)).toEqual(["examples"]);
});

it("is claimed once in a process, whatever the folder is called", () => {
  const folder = scratchFolder();
  const link = join(scratchFolder(), "link");
  symlinkSync(folder, link);
  const release = claimRunFolder(folder);
  for (const name of [folder, link, `${folder}/.`])
    expect(reasonOf(RunFolderInvalid, () => claimRunFolder(name))).toBe(
      `this process is at work in ${name} already; wait until that run has ended`,
    );
  expect(readdirSync(folder)).toEqual([lockName()]);
  release();
  claimRunFolder(link)();
  expect(readdirSync(folder)).toEqual([]);
});

it("of another container or machine counts while it is touched, whatever process has its number here", () => {
  const folder = scratchFolder();
  for (const pid of [process.pid, 99999999]) {
    const lock = join(folder, `run.lock.${pid}.00000000`);
    writeFileSync(lock, "");
    const touched = (secondsAgo: number) =>
      utimesSync(lock, new Date(), new Date(Date.now() - 1000 * secondsAgo));
    touched(50);
    expect(processAtWork(folder)).toBe(pid);
    expect(reasonOf(RunFolderInvalid, () => claimRunFolder(folder))).toMatch(
      new RegExp(
        `^process ${pid} of another container or machine was at work in ${folder} 5\\d s ago; end it, and try again 60 s later \\(or, if it has ended, remove ${lock}\\)$`,
      ),
    );
    expect(readdirSync(folder)).toEqual([`run.lock.${pid}.00000000`]);
    touched(61);
    expect(processAtWork(folder)).toBeUndefined();
    const release = claimRunFolder(folder);
    expect(readdirSync(folder)).toEqual([lockName()]);
    release();
  }
}, 20_000);

it("is touched as long as it is held", () => {
  vi.useFakeTimers({ now: Date.now() });
  const folder = scratchFolder();
  const release = claimRunFolder(folder);
  const touched = () => statSync(join(folder, lockName())).mtimeMs;
  vi.advanceTimersByTime(3_600_000);
  expect(Math.abs(touched() - Date.now())).toBeLessThan(10_001);
  release();
  vi.advanceTimersByTime(20_000);
  expect(readdirSync(folder)).toEqual([]);
});
