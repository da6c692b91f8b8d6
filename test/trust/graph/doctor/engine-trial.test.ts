import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lookAtTorch } from "../../../../src/compute/torch/process.ts";
import { tryEngine } from "../../../../src/graph/doctor/engine-trial.ts";
import { bin, ludoflow } from "../../../cli/run-cli.ts";
import { NO_TORCH, torchPython } from "../../../compute/torch/python.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";

it("an engine that works is measured by self-play and training of an experiment", async () => {
  const outcome = await tryEngine({
    compute: { engine: "onnx", device: "cpu" },
    experiment: "connect-four-zero",
    seconds: 2,
  });
  expect(outcome).toMatchObject({ description: expect.stringContaining("onnx on cpu") as string });
  if ("failed" in outcome) return;
  const { batch, evaluations, hour, seconds, steps, weights } = outcome.speed!;
  expect(evaluations).toBeGreaterThan(0);
  expect(steps).toBeGreaterThan(0);
  expect(batch).toBeGreaterThan(0);
  expect(weights).toBeGreaterThan(1000);
  // As much as the share of an hour in the time of the whole run.
  expect(Object.keys(hour!).toSorted()).toEqual(["games", "steps"]);
  expect(seconds).toBeGreaterThan(0);
});

it("an engine whose process is killed fails its trial alone", async () => {
  const python = join(scratchFolder(), "python");
  // Kills the process that has started it.
  writeFileSync(python, "#!/bin/sh\nkill -SEGV $PPID\n");
  chmodSync(python, 0o755);
  const outcome = await tryEngine({ compute: { engine: "torch", device: "cpu", python }, seconds: 0 });
  expect(outcome).toEqual({ failed: expect.stringMatching(/^its process was ended by SIGSEGV/) as string });
});

it("PyTorch names the GPUs that it sees", async ({ skip }) => {
  skip(torchPython === undefined, NO_TORCH);
  const { devices, facts } = await lookAtTorch(torchPython!);
  expect(facts.torch).toMatch(/^\d+\.\d+/);
  for (const device of Object.keys(devices)) expect(["cuda", "mps", "xpu"]).toContain(device);
});

it("the command reports a Python that is not there, and what works", async () => {
  const { code, err, out } = await ludoflow(["doctor", "--no-measure", "--json", "--python", `${bin}-none`])
    .ended;
  expect({ code, err }).toMatchObject({ code: 0 });
  const { engines, torch } = JSON.parse(out) as {
    readonly engines: readonly { readonly compute: object; readonly description?: string }[];
    readonly torch: { readonly unavailable: string };
  };
  expect(torch.unavailable).toMatch(/is not there; name a Python/);
  expect(engines[0]).toMatchObject({ compute: { engine: "onnx", device: "cpu" } });
  expect(engines[0]!.description).toMatch(/^onnx on cpu/);
});
