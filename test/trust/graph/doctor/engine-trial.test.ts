import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lookAtTorch } from "../../../../src/compute/torch/process.ts";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { worksOf } from "../../../../src/graph/cost/cost.ts";
import { type EngineSpeed, tryEngine } from "../../../../src/graph/doctor/engine-trial.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { experimentPath } from "../../../../src/graph/shipped-experiments.ts";
import { bin, ludoflow } from "../../../cli/run-cli.ts";
import { NO_TORCH, torchPython } from "../../../compute/torch/python.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";

/** Only ends what hangs. */
const LONGEST_MS = 3_000_000;

it(
  "an engine that works is measured by self-play and training of an experiment",
  async () => {
    const compute = { engine: "onnx", device: "cpu" } as const;
    let speed: EngineSpeed | undefined;
    // On a busy machine nothing may happen in a short time.
    for (const seconds of [3, 30, 200]) {
      const outcome = await tryEngine({ compute, experiment: "connect-four-zero", seconds });
      if ("failed" in outcome) throw new Error(outcome.failed);
      expect(outcome.description).toMatch(/^onnx on cpu/);
      ({ speed } = outcome);
      if (speed?.hour !== undefined && !speed.least) break;
    }
    const { batch, evaluations, hour, seconds, steps, weights } = speed!;
    expect(evaluations).toBeGreaterThan(0);
    expect(steps).toBeGreaterThan(0);
    expect(batch).toBeGreaterThan(0);
    expect(weights).toBeGreaterThan(1000);
    expect(Object.keys(hour!).toSorted()).toEqual(["games", "steps"]);
    // An hour is as large a part of the games as of the steps.
    const { games, steps: all } = amounts();
    expect(hour!["games"]! / games).toBeCloseTo(3600 / seconds, 6);
    expect(hour!["steps"]! / all).toBeCloseTo(3600 / seconds, 6);
  },
  LONGEST_MS,
);

/** The games and the steps of the whole experiment. */
function amounts(): { readonly games: number; readonly steps: number } {
  const works = worksOf(checkGraph(readExperiment(experimentPath("connect-four-zero"))));
  const total = (unit: string) =>
    [...works.values()].find((work) => work.purpose === "learn" && work.unit === unit)!.total;
  return { games: total("games"), steps: total("steps") };
}

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
