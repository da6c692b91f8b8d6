import { expect, describe, it } from "vitest";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { checkWhole } from "../../../src/graph/check-whole.ts";
import { checkExperiment, type ExperimentFile } from "../../../src/graph/experiment-file.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";

/** A match of a net with this setting. */
function fileOf(
  evaluations: string,
  compute: object = {},
  {
    rules = "connect-four",
    net = { use: "residual", filters: 8, blocks: 1 },
  }: { readonly rules?: string; readonly net?: object } = {},
): ExperimentFile {
  return checkExperiment("file.yaml", {
    name: "int8",
    seed: 1,
    compute,
    game: { rules },
    nets: { zero: { ...net, evaluations } },
    agents: { player: { use: "greedy", net: "zero" }, random: { use: "random" } },
    graph: { match: { use: "arena", agents: ["player", "random"], games: 2 } },
  } as unknown as Experiment);
}

const problemOf = (file: ExperimentFile) =>
  checkWhole(file).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );

describe("evaluations", () => {
  it("are not in int8 on engines and devices without it", async () => {
    expect(await problemOf(fileOf("int8"))).toBeUndefined();
    expect(await problemOf(fileOf("int8", { engine: "tfjs" }))).toBe(
      "file.yaml: nets.zero.evaluations: int8 is for the engine onnx on the cpu, and compute names the engine tfjs; write evaluations: float32, or change compute",
    );
    expect(await problemOf(fileOf("int8", { device: "webgpu" }))).toMatch(/names the device webgpu/);
    // What is left to the run needs neither.
    for (const compute of [{ engine: "tfjs" }, { device: "webgpu" }])
      expect(await problemOf(fileOf("auto", compute))).toBeUndefined();
  });

  it("are not in int8 if a net has no such convolutions", async () => {
    const why =
      "file.yaml: nets.zero.evaluations: int8 is for convolutions with windows of more than one cell on boards of more than 16 cells, and this net has none; write evaluations: float32";
    expect(await problemOf(fileOf("int8", {}, { rules: "tic-tac-toe" }))).toBe(why);
    expect(await problemOf(fileOf("int8", {}, { net: { use: "mlp" } }))).toBe(why);
    expect(await problemOf(fileOf("auto", {}, { rules: "tic-tac-toe" }))).toBeUndefined();
  });

  it("are no setting of tables and of models in files", () => {
    for (const net of [{ use: "linear" }, { use: "onnx", file: "model.onnx", outputs: { value: "v" } }])
      expect(() => checkGraph(fileOf("int8", {}, { net }))).toThrow(/unknown key "evaluations"/);
  });
});
