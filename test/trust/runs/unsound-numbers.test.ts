import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import { ludoflow } from "../../cli/run-cli.ts";
import { writeExperiment } from "../../graph/tiny-run.ts";
import { foreignModel } from "../../models/onnx/foreign-model.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-unsound-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A model for Tic-tac-toe whose value is the number of stones on the board, times `each`. */
function countingStones(file: string, each: number): void {
  const centre = (channel: number) => 9 * channel + 4;
  const convolution = Array.from({ length: 81 }, () => 0);
  convolution[centre(0)] = convolution[centre(1)] = 1;
  const zeros = (count: number) => Array.from({ length: count }, () => 0);
  const { bytes } = foreignModel(
    {
      shape: [3, 3, 3],
      actions: 9,
      values: 1,
      weights: {
        "conv.weight": convolution,
        "conv.bias": zeros(3),
        "v.weight": [...Array.from({ length: 9 }, () => each), ...zeros(18)],
        "v.bias": [0],
        "pi.weight": zeros(9 * 27),
        "pi.bias": zeros(9),
      },
    },
    Random.named("stones"),
  );
  writeFileSync(join(scratch, file), bytes);
}

const experiment = (model: string, settings: string) => `
name: stones
seed: 1
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  torch: { use: onnx, file: ${model}, layout: nchw, outputs: { policy: pi, value: v }${settings} }
agents: { torch: { use: puct-max-n, simulations: 4, net: torch }, random: { use: random } }
graph: { match: { use: arena, agents: [torch, random], games: 4, retries: 3 } }
`;

describe("a run with a model whose numbers are sound at first", () => {
  it("stops at the first number that is infinite: the net, the output and the position are named", async () => {
    // From seven stones on, which no position of the trial has, the sum is greater than the greatest float32.
    countingStones("overflow.onnx", 5e37);
    const file = writeExperiment(scratch, experiment("overflow.onnx", ""), "overflow.yaml");
    const { code, err } = await ludoflow(["run", file, "--out", join(scratch, "overflow")]).ended;
    expect(err).toMatch(
      /the run has failed: the net "torch" \(.*overflow\.onnx\) gives -?Infinity as the value of seat [01] \(output "v"\) in the position [\dxo/]+ [xo]: a value is a finite number/,
    );
    expect(err).not.toContain("started again");
    expect(code).toBe(1);
  });

  it("says once that values leave their range", async () => {
    countingStones("range.onnx", 1);
    const file = writeExperiment(
      scratch,
      experiment("range.onnx", ", values: win-share, range: [0, 6]"),
      "range.yaml",
    );
    const out = join(scratch, "range");
    const { code, err } = await ludoflow(["run", file, "--out", out]).ended;
    expect(err.match(/warning: .*its output "v" has given [789], and its range is \[0, 6\]/g)).toHaveLength(
      1,
    );
    expect(code).toBe(0);
    const [run] = readdirSync(out).includes("metrics.jsonl") ? [""] : readdirSync(out);
    const notes = readFileSync(join(out, run!, "metrics.jsonl"), "utf8")
      .split("\n")
      .filter((line) => line.includes("its range is"));
    expect(notes).toHaveLength(1);
  });
});

it("a run stops at a return of a plug-in's game that is NaN, with the game and the moves before", async () => {
  writeFileSync(
    join(scratch, "unsound.ts"),
    `import { defineGame } from "ludoflow";

export default defineGame({
  name: "unsound",
  description: "A game of three plies, whose last return is NaN after the action 1.",
  players: 2,
  create: (_, rules) =>
    rules({
      actions: 2,
      initial: () => ({ plies: 0, last: 0 }),
      toMove: ({ plies }) => (plies === 3 ? -2 : plies % 2),
      legal: (state, out) => {
        out[0] = 0;
        out[1] = 1;
        return state.plies === 3 ? 0 : 2;
      },
      play: (state, action) => {
        state.plies++;
        state.last = action;
      },
      copy: (from, into) => void Object.assign(into, from),
      returns: ({ plies, last }, out) => void out.fill(plies < 3 ? 0 : last === 1 ? NaN : 0.5),
    }),
});
`,
  );
  const file = writeExperiment(
    scratch,
    `
name: unsound
seed: 1
plugins: [./unsound.ts]
game: { rules: unsound }
agents: { uct: { use: uct, simulations: 20 }, random: { use: random } }
graph: { match: { use: arena, agents: [uct, random], games: 4, retries: 3 } }
`,
    "unsound.yaml",
  );
  const { code, err } = await ludoflow(["run", file, "--allow-code", "--out", join(scratch, "unsound")])
    .ended;
  expect(err).toMatch(
    /unsound\.ts:\d+:\d+: returns gave NaN for seat 0 in the position \{"plies":3,"last":1\}; every number is finite \(game \d of stage "match", at ply \d/,
  );
  expect(err).not.toContain("started again");
  expect(code).toBe(1);
});
