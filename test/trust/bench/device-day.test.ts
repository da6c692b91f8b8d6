import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../../src/package-root.ts";
import { NO_TORCH, torchPython } from "../../compute/torch/python.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const program = join(packageRoot(), "bench/device-day.ts");
const pieces = ["machine", "correctness", "check", "modules", "compiled", "selfplay", "webgpu"];

/** Runs the day in a folder in which all pieces but these have been measured. */
function continued(missing: readonly string[], python: string) {
  const folder = scratchFolder();
  for (const piece of pieces)
    if (!missing.includes(piece)) writeFileSync(join(folder, `${piece}.json`), `{"kept":"${piece}"}`);
  // As a piece that was cut while its file was written.
  writeFileSync(join(folder, `${missing[0]!}.json.part`), "{");
  const { status, stderr } = spawnSync(process.execPath, [program, folder], {
    env: { ...process.env, GPU_DAY_PYTHON: python, GPU_DAY_SHORTER: "20", GPU_DAY_PATIENCE: "20" },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(readFileSync(join(folder, "gpu-day.json"), "utf8")) as Record<string, any>;
}

it("continues with what is missing, and puts all pieces into one file", ({ skip }) => {
  skip(torchPython === undefined, NO_TORCH);
  const all = continued(["machine", "check"], torchPython!);
  expect(Object.keys(all)).toEqual(pieces);
  for (const piece of pieces.filter((name) => name !== "machine" && name !== "check"))
    expect(all[piece]).toEqual({ kept: piece });
  expect(all["machine"].torch.torch).toMatch(/^\d/);
  // The planted fault is far beyond the bound, and rounding far below.
  const { bound, faulty, sound } = all["check"] as Record<string, number>;
  expect(sound!).toBeLessThan(bound! / 10);
  expect(faulty!).toBeGreaterThan(2 * bound!);
});

it("says in its place what failed, and goes on", () => {
  const all = continued(["machine"], "no-such-python");
  expect(all["machine"]).toEqual({ failed: "ended by 1" });
  expect(all["webgpu"]).toEqual({ kept: "webgpu" });
});
