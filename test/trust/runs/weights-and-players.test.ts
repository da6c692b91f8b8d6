import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCheckpoint } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { ludoflow } from "../../cli/run-cli.ts";
import { root } from "../../docs/pages.ts";
import { startRun, writeExperiment } from "../../graph/tiny-run.ts";

const experiment = `
name: tiny-weights
seed: 3
workers: 1
compute: { threads: 1 }
game: { rules: 2048, rows: 3, columns: 3 }
nets:
  table: { use: n-tuple, tuples: 2x6 }
  net: { use: cnn22, filters: [4, 6], units: [16, 8], deviation: 0.5, valueScale: 100 }
agents:
  teacher: { use: greedy, net: net }
graph:
  learn: { use: td-learner, net: table, games: 60, every: 60 }
  saved-table: { use: checkpoint, from: learn }
  games: { use: self-play, agent: teacher, games: 2, generation: 2, examples: { use: td, lambda: 1 } }
  replay: { use: replay-buffer, from: games, capacity: 1000 }
  train: { use: trainer, from: replay, net: net, batch: 8, steps: 3, rate: 0.001 }
  saved-net: { use: checkpoint, from: train }
`;

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const run = join(scratch, "run");
const table = join(run, "checkpoints/table/0000000060");
const net = join(run, "checkpoints/net/0000000003");

beforeAll(async () => {
  expect(await startRun(writeExperiment(scratch, experiment), run)).toEqual({ outcome: "finished" });
}, 120_000);

async function play(...args: string[]): Promise<string> {
  const { code, err, out } = await ludoflow(["play", ...args]).ended;
  expect(err).toBe("");
  expect(code).toBe(0);
  return out;
}

describe("ludoflow play", () => {
  it("takes an agent of an experiment, and says what cannot be played", async () => {
    const file = writeExperiment(
      scratch,
      `
name: agents
seed: 1
game: { rules: tic-tac-toe }
agents: { uct: { use: uct, simulations: 20 }, random: { use: random } }
graph: { match: { use: arena, agents: [uct, random], games: 4 } }
`,
      "agents.yaml",
    );
    const played = JSON.parse(await play(`${file}#uct`, "--json")) as { readonly moves: readonly string[] };
    expect(played.moves.length).toBeGreaterThan(4);
    for (const [args, says] of [
      [[file], /several agents: choose .*#NAME \(known: uct, random\)/],
      [[`${file}#uct`, "--human", "3"], /--human 3: tic-tac-toe has 2 seats/],
      [[`${file}#uct`, "--human", "1", "--json"], /exclude each other/],
      [[`${file}#uct`, "--agent", "{ use: greedy }"], /--agent is for checkpoints/],
    ] as const) {
      const { code, err } = await ludoflow(["play", ...args]).ended;
      expect([code, err]).toEqual([2, expect.stringMatching(says)]);
    }
  });
});

describe("ludoflow weights", () => {
  it("writes the model file that a checkpoint of a run has, and prints its inputs and outputs; tables have none", async () => {
    const file = join(scratch, "net.onnx");
    const { code, out } = await ludoflow(["weights", net, "--onnx", file]).ended;
    expect(code).toBe(0);
    expect(readFileSync(file)).toEqual(readFileSync(join(net, "inference.onnx")));
    expect(out).toMatch(
      /^input x: float32 \[N, 3, 3, \d+\], the planes "tiles"[^]*^output value: float32 \[N, 1\]/m,
    );
    const refused = await ludoflow(["weights", table, "--onnx", join(scratch, "table.onnx")]).ended;
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("only nets can be written as model files");
  });

  it("writes a model file that use: onnx reads back, as the same player", async () => {
    const model = join(scratch, "connect-four.onnx");
    const committed = join(root, "experiments/connect-four-zero-net");
    expect((await ludoflow(["weights", committed, "--onnx", model]).ended).code).toBe(0);
    const file = writeExperiment(
      scratch,
      `
extends: connect-four-player
name: twins
nets:
  model:
    use: onnx
    file: ${model}
    layout: nhwc
    planes: compact
    outputs: { value: value, policy: policy }
    values: win-loss
agents:
  zero: { use: puct-max-n, net: zero, simulations: 40 }
  model: { use: puct-max-n, net: model, simulations: 40 }
graph: { sample: { agents: [zero, model], analyse: 0 } }
`,
      "twins.yaml",
    );
    const movesOf = async (agent: string) =>
      (JSON.parse(await play(`${file}#${agent}`, "--json")) as { readonly moves: readonly string[] }).moves;
    const moves = await movesOf("zero");
    expect(moves.length).toBeGreaterThan(20);
    expect(await movesOf("model")).toEqual(moves);
  });

  it("writes a checkpoint that plays the same and holds nothing of the learner", async () => {
    for (const [name, checkpoint] of Object.entries({ table, net })) {
      const out = join(scratch, `${name}-alone`);
      const { code } = await ludoflow(["weights", checkpoint, "--out", out]).ended;
      expect(code).toBe(0);
      expect([...readCheckpoint(out).tensors.keys()].every((key) => key.startsWith("weights/"))).toBe(true);
      expect(readCheckpoint(checkpoint).tensors.size).toBeGreaterThan(readCheckpoint(out).tensors.size);
      expect(await play(out, "--json")).toBe(await play(checkpoint, "--json"));
    }
  });

  it("refuses a folder that is there, and writes nothing", async () => {
    const { code, err } = await ludoflow(["weights", net, "--out", table]).ended;
    expect(code).toBe(2);
    expect(err).toContain("exists already; name a folder that does not exist yet");
    const { code: missing } = await ludoflow(["weights", scratch, "--out", join(scratch, "none")]).ended;
    expect(missing).toBe(2);
    expect(existsSync(join(scratch, "none"))).toBe(false);
  });
});
