import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claimRunFolder } from "../../../src/graph/folder/run-lock.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

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
