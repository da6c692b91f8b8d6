import { join } from "node:path";
import { expect, it } from "vitest";
import { writeCheckpoint } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { ludoflow } from "../../cli/run-cli.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../../graph/tiny-run.ts";

it("a checkpoint of a game that is not known is reported by check, weights and play, as a mistake", async () => {
  const folder = scratchFolder();
  const checkpoint = join(folder, "checkpoint");
  writeCheckpoint(checkpoint, {
    game: { rules: "nonsense" },
    net: { use: "mlp", hidden: [4] },
    name: "value",
    version: 1,
    learned: 1,
    unit: "steps",
    progress: {},
    tensors: new Map([["w", { shape: [1], data: Float32Array.of(1) }]]),
  });
  const file = writeExperiment(
    folder,
    `
name: unknown
seed: 1
game: { rules: tic-tac-toe }
nets: { value: { use: mlp, hidden: [4], weights: ${checkpoint} } }
agents: { greedy: { use: greedy, net: value } }
graph: { match: { use: arena, agents: [greedy], games: 2 } }
`,
  );
  for (const args of [
    ["check", file],
    ["run", file, "--out", join(folder, "run")],
    ["weights", checkpoint, "--onnx", join(folder, "net.onnx")],
    ["play", checkpoint, "--json"],
    ["play", `${file}#greedy`, "--json"],
  ]) {
    const { code, err } = await ludoflow(args).ended;
    expect(err, args.join(" ")).toMatch(/nonsense|tic-tac-toe/);
    expect(err, args.join(" ")).not.toMatch(/^ +at |internal error in ludoflow/m);
    expect(code, args.join(" ")).toBe(2);
  }
});
