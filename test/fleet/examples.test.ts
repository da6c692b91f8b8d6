import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../formats/scratch-folder.ts";

const example = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../examples/fleet", name), "utf8");
const call = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: "utf8" });

it("the service is one that systemd takes", ({ skip }) => {
  skip(call("systemd-analyze", "--version").status !== 0, "no systemd-analyze");
  const unit = join(scratchFolder(), "ludoflow-joiner.service");
  // The program need not be installed where the tests run.
  writeFileSync(
    unit,
    example("ludoflow-joiner.service").replace("/usr/local/bin/ludoflow", process.execPath),
  );
  expect(call("systemd-analyze", "verify", unit)).toMatchObject({ status: 0, stderr: "" });
});

it("the script of SLURM jobs is one that bash reads", ({ skip }) => {
  skip(call("bash", "--version").status !== 0, "no bash");
  const script = join(scratchFolder(), "joiners.sbatch");
  writeFileSync(script, example("joiners.sbatch"));
  expect(call("bash", "-n", script)).toMatchObject({ status: 0, stderr: "" });
});
