import { expect, it } from "vitest";
import type { EngineSpeed } from "../../../src/graph/doctor/engine-trial.ts";
import { type ExaminedEngine, fastestOf } from "../../../src/graph/doctor/examination.ts";

const speed = (seconds: number, more: Partial<EngineSpeed> = {}): EngineSpeed => ({
  batch: 64,
  weights: 1000,
  seconds,
  least: false,
  hour: { games: 1 },
  ...more,
});

const engine = (device: "cpu" | "webgpu" | "cuda", blokuszero: EngineSpeed): ExaminedEngine => ({
  compute: { engine: device === "cuda" ? "torch" : "onnx", device },
  speeds: { blokuszero },
});

it("the fastest engine is that whose self-play and training take the least time", () => {
  const found = fastestOf([engine("cpu", speed(30)), engine("cuda", speed(10)), engine("webgpu", speed(20))]);
  expect(found).toEqual({ blokuszero: { engine: "torch", device: "cuda" } });
});

it("a lower bound is not faster than a time, and a part of a run is no time", () => {
  const bounded = engine("cpu", speed(1, { least: true }));
  const { hour: _, ...part } = speed(2);
  const engines = [bounded, engine("webgpu", part), engine("cuda", speed(10))];
  expect(fastestOf(engines).blokuszero).toEqual({ engine: "torch", device: "cuda" });
  expect(fastestOf([bounded]).blokuszero).toEqual({ engine: "onnx", device: "cpu" });
  expect(fastestOf([engine("webgpu", part)])).toEqual({});
});

it("an engine that fails one experiment is compared in the others", () => {
  const failing: ExaminedEngine = {
    compute: { engine: "onnx", device: "webgpu" },
    speeds: { blokuszero: { failed: "its process was ended by SIGSEGV" }, "connect-four-zero": speed(1) },
  };
  expect(fastestOf([failing, engine("cpu", speed(30))])).toEqual({
    "connect-four-zero": { engine: "onnx", device: "webgpu" },
    blokuszero: { engine: "onnx", device: "cpu" },
  });
});
