import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkWhole } from "../../../src/graph/check-whole.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { ExperimentInvalid, formatProblem } from "../../../src/graph/problem.ts";
import { Random } from "../../../src/random.ts";
import { type ForeignOptions, foreignModel } from "../../models/onnx/foreign-model.ts";

const folder = mkdtempSync(join(tmpdir(), "ludoflow-check-models-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

/** What is wrong with an experiment that plays with a model: its problems as `check` reports them. */
async function wrongWith(model: Partial<ForeignOptions>, settings = "", name = "model"): Promise<string> {
  const number = files++;
  const options = { shape: [3, 3, 3], actions: 9, values: 1, tanh: true, ...model } as const;
  const { bytes } = foreignModel(options, Random.named("check models"));
  writeFileSync(join(folder, `${number}.onnx`), bytes);
  const file = join(folder, `${name}${number}.yaml`);
  writeFileSync(
    file,
    `name: foreign
seed: 1
game: { rules: tic-tac-toe }
nets:
  torch: { use: onnx, file: ${number}.onnx, layout: nchw, outputs: { policy: pi, value: v }, values: win-loss${settings} }
agents: { torch: { use: puct-max-n, simulations: 4, net: torch }, random: { use: random } }
graph: { match: { use: arena, agents: [torch, random], games: 2 } }
`,
  );
  try {
    await checkWhole(readExperiment(file));
    return "";
  } catch (error) {
    if (!(error instanceof ExperimentInvalid)) throw error;
    return error.problems.map(formatProblem).join("\n").replaceAll(`${folder}/`, "");
  }
}

describe("a model of a file that is computed for first positions", () => {
  it("is taken if its numbers are finite", async () => {
    expect(await wrongWith({})).toBe("");
    expect(await wrongWith({ softmax: true }, ", policyOutput: probabilities")).toBe("");
  });

  it("is refused, with its place in the file, if a value is NaN or infinite", async () => {
    expect(await wrongWith({ weights: { "v.bias": [NaN] } })).toMatch(
      /^model\d+\.yaml:5:29: nets\.torch\.file: the net "torch" \(\d+\.onnx\) gives NaN as the value of seat 0 \(output "v"\) in the position 3\/3\/3 x: a value is a finite number; compute this position where the model was made, and export the model again$/,
    );
    expect(await wrongWith({ tanh: false, weights: { "v.bias": [Infinity] } })).toMatch(
      /gives Infinity as the value/,
    );
    expect(await wrongWith({ tanh: false, weights: { "v.bias": [-Infinity] } }, ", range: [0, 1]")).toMatch(
      /gives -Infinity as the value/,
    );
    expect(
      await wrongWith({ tanh: false, weights: { "v.bias": [Infinity] } }, ", valueActivation: tanh"),
    ).toMatch(/gives NaN as the value/);
    expect(await wrongWith({ values: 2, tanh: false, weights: { "v.bias": [0, NaN] } })).toMatch(
      /gives NaN as the value of seat 1/,
    );
  });

  it("is refused if a logit of a legal move is NaN or +infinity, or if all of them are -infinity", async () => {
    const unsound =
      /gives no probabilities of the legal moves \(output "pi"\) in the position 3\/3\/3 x: a legal move has a logit of NaN/;
    expect(await wrongWith({ weights: { "pi.bias": [0, NaN] } })).toMatch(unsound);
    expect(await wrongWith({ weights: { "pi.bias": [Infinity] } })).toMatch(unsound);
    expect(await wrongWith({ weights: { "pi.bias": Array.from({ length: 9 }, () => -Infinity) } })).toMatch(
      unsound,
    );
    expect(
      await wrongWith({ softmax: true, weights: { "pi.bias": [NaN] } }, ", policyOutput: probabilities"),
    ).toMatch(unsound);
  });

  it("may give -infinity for some moves, which are not played", async () => {
    expect(await wrongWith({ weights: { "pi.bias": [-Infinity, 0, -Infinity] } })).toBe("");
  });

  it("is refused if its values are outside of their range, and its probabilities below 0", async () => {
    const five = { tanh: false, weights: { "v.bias": [5] } };
    expect(await wrongWith(five, ", range: [-1, 1]")).toMatch(
      /the net "torch" \(\d+\.onnx\): its output "v" has given [\d.]+, and its range is \[-1, 1\]/,
    );
    expect(await wrongWith(five, ", range: [-10, 10]")).toBe("");
    expect(await wrongWith({}, ", policyOutput: probabilities")).toMatch(
      /its output "pi" has given -[\d.]+ as the probability of an action, which is 0 or more: if it has logits, write policyOutput: logits/,
    );
  });

  it("is refused in words if it is newer than ONNX Runtime", async () => {
    expect(await wrongWith({ irVersion: 99 })).toMatch(
      /cannot be computed: its IR version is 99, and ONNX Runtime reads versions up to \d+ here: export it/,
    );
    expect(await wrongWith({ opset: 99 })).toMatch(
      /cannot be computed: it is written for opset 99 of ai\.onnx, and ONNX Runtime knows opsets up to \d+ here: export it with opset_version=\d+ or less$/,
    );
  });
});
