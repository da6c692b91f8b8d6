import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { withLaterNetOptions } from "../../../../src/operators/experiment/later-options.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { afterAll, describe, expect, it } from "vitest";
import { AgentInvalid } from "../../../../src/graph/agents/agent-invalid.ts";
import { openAgent } from "../../../../src/graph/agents/open-agent.ts";
import { resolveNet } from "../../../../src/graph/agents/open-net.ts";
import { type Game, OVER } from "../../../../src/games/game.ts";
import { createGame } from "../../../../src/games/registry.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { checkWhole } from "../../../../src/graph/check-whole.ts";
import { ExperimentInvalid } from "../../../../src/graph/problem.ts";
import { exportOnnx } from "../../../../src/models/nets/inference.ts";
import { initialWeights } from "../../../../src/models/net.ts";
import { openNet, type OpenNetwork } from "../../../../src/models/registry.ts";
import { writeCheckpoint } from "../../../../src/operators/run/weights/checkpoint-files.ts";
import { Random } from "../../../../src/random.ts";
import { foreignModel } from "../../../models/onnx/foreign-model.ts";

const folder = mkdtempSync(join(tmpdir(), "ludoflow-onnx-agent-"));
afterAll(() => rmSync(folder, { recursive: true }));

const config = { rules: "go", size: 5, komi: 7.5 };

/** The settings of a small net of ours with both heads, whose logits do not lie in the order of the actions. */
const settings = {
  use: "convolutional",
  filters: 4,
  layers: 2,
  planes: "alphago",
  policy: true,
  value: true,
  valueUnits: 8,
  values: "win-share",
};

function ownNet(game: Game<unknown>) {
  const { use, ...options } = { ...settings, valueActivation: "tanh", valueScale: 1 };
  const open = openNet(use, game, options) as OpenNetwork;
  const weights = initialWeights(open.net, Random.named("weights"));
  for (const { name, trained } of open.net.parameters)
    if (trained)
      for (const [i, x] of weights.get(name)!.entries()) weights.get(name)![i] = x + ((i % 7) - 3) / 9;
  return { open, weights };
}

/** The moves of games between agents of one kind with this net, after two random plies each. */
function gamesWith(game: Game<unknown>, net: unknown, seeds: readonly number[]): string[][] {
  const opened = resolveNet(net, game, config);
  const agent = { use: "puct-max-n", simulations: 8, net };
  const out = new Int32Array(game.maxLegal);
  return seeds.map((seed) => {
    const players = [0, 1].map(() => openAgent(agent, game, () => opened));
    const random = Random.named("game", seed);
    const state = game.initial();
    const moves: string[] = [];
    for (let ply = 0; game.toMove(state) !== OVER && ply < 24; ply++) {
      const action =
        ply < 2
          ? out[random.below(game.legal(state, out))]!
          : players[game.toMove(state)]!.decide(state, random, ply).action;
      moves.push(game.notation.format(state, action));
      game.play(state, action);
    }
    return moves;
  });
}

describe("a net of ours as a model file", () => {
  const game = createGame("go", { size: 5, komi: 7.5 }) as Game<unknown>;
  const { open, weights } = ownNet(game);
  const file = join(folder, "net.onnx");
  writeFileSync(file, exportOnnx(open.net, weights));

  it("plays the moves of the net", () => {
    const checkpoint = join(folder, "checkpoint");
    writeCheckpoint(checkpoint, {
      game: config,
      net: { ...settings, valueActivation: "tanh", valueScale: 1 },
      name: "own",
      version: 1,
      learned: 1,
      unit: "steps",
      progress: {},
      tensors: new Map(
        open.net.parameters.map(({ name, shape }) => [
          `weights/${name}`,
          { shape, data: weights.get(name)! },
        ]),
      ),
    });
    const model = {
      use: "onnx",
      file,
      layout: "nhwc",
      outputs: { value: "value", policy: "policy" },
      planes: "alphago",
      values: "win-share",
    };
    expect(gamesWith(game, model, [1, 2])).toEqual(gamesWith(game, checkpoint, [1, 2]));
  });

  it("runs in ONNX Runtime alone with any number of positions, its logits in the order of the actions", async () => {
    const session = await InferenceSession.create(file);
    const size = open.net.input.reduce((a, b) => a * b, 1);
    const x = Float32Array.from({ length: 3 * size }, (_, i) => (i * 7919) % 2);
    const run = async (rows: number) => {
      const data = x.subarray(0, rows * size);
      const { policy, value } = await session.run({
        x: new Tensor("float32", data, [rows, ...open.net.input]),
      });
      return { policy: policy!, value: value! };
    };
    const three = await run(3);
    expect(three.policy.dims).toEqual([3, game.actions]);
    expect(three.value.dims).toEqual([3, 2]);
    const one = await run(1);
    expect([...(one.policy.data as Float32Array)]).toEqual([
      ...(three.policy.data as Float32Array).subarray(0, game.actions),
    ]);
  });
});

describe("a model that ONNX Runtime cannot compute", () => {
  const game = createGame("tic-tac-toe", {}) as Game<unknown>;
  const refused = (bytes: Uint8Array, settings: object) => {
    const broken = join(folder, "broken.onnx");
    writeFileSync(broken, bytes);
    try {
      resolveNet({ use: "onnx", file: broken, ...settings }, game, { rules: "tic-tac-toe" });
    } catch (error) {
      expect(error).toBeInstanceOf(AgentInvalid);
      return (error as Error).message;
    }
    return "it opens";
  };

  it("is a mistake that is reported when its agent opens", () => {
    const { bytes } = foreignModel({ shape: [3, 3, 3], actions: 9, values: 1 }, Random.named("broken"));
    const other = Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll("Relu", "Rolu"), "latin1");
    expect(refused(other, { layout: "nchw", outputs: { value: "v" } })).toMatch(
      /^agent: the model .*broken\.onnx cannot be computed: .*Rolu/,
    );
  });

  it("does not take the process with it if ONNX Runtime ends its own", () => {
    const net = {
      filters: 4,
      blocks: 1,
      valueUnits: 4,
      values: "win-loss",
      valueActivation: "tanh",
      valueScale: 1,
    };
    const { use, ...options } = withLaterNetOptions({ use: "residual", ...net });
    const open = openNet(use, game, options) as OpenNetwork;
    const bytes = Buffer.from(exportOnnx(open.net, initialWeights(open.net, Random.named("weights"))));
    // Padding of -100 rows, as a damaged byte makes it.
    const padding = Buffer.from(BigInt64Array.of(0n, 1n, 1n, 0n, 0n, 1n, 1n, 0n).buffer);
    bytes.writeBigInt64LE(-100n, bytes.indexOf(padding) + 8);
    expect(refused(bytes, { layout: "nhwc", values: "win-loss", outputs: { value: "value" } })).toMatch(
      /^agent: the model .*broken\.onnx cannot be computed: ONNX Runtime crashes \(SIGABRT: .*\); it is damaged/,
    );
  });
});

describe("an experiment with a model file", () => {
  const yaml = `
name: foreign
seed: 1
game: { rules: tic-tac-toe }
nets: { torch: { use: onnx, file: model.onnx, layout: nchw, outputs: { policy: pi, value: v } } }
agents: { torch: { use: puct-max-n, simulations: 4, net: torch }, random: { use: random } }
graph:
  match: { use: arena, agents: [torch, random], games: 2 }
`;
  const file = join(folder, "foreign.yaml");
  const write = (name: string) =>
    writeFileSync(
      join(folder, "model.onnx"),
      foreignModel({ shape: [3, 3, 3], actions: 9, values: 1 }, Random.named(name)).bytes,
    );

  it("keeps what the file held: another content is another experiment, and is refused if the first is asked for", () => {
    writeFileSync(file, yaml);
    write("first");
    const first = readExperiment(file).experiment;
    checkGraph(readExperiment(file));
    expect(readExperiment(file).experiment).toEqual(first);
    write("second");
    const second = readExperiment(file).experiment;
    expect(second.nets["torch"]!["sha256"]).not.toBe(first.nets["torch"]!["sha256"]);
    writeFileSync(
      file,
      yaml.replace("use: onnx,", `use: onnx, sha256: ${String(first.nets["torch"]!["sha256"])},`),
    );
    expect(() => checkGraph(readExperiment(file))).toThrow("another one than expected");
  });

  it("is refused, with the place, if the model gives a number that is none", async () => {
    writeFileSync(
      join(folder, "model.onnx"),
      foreignModel(
        { shape: [3, 3, 3], actions: 9, values: 1, weights: { "v.bias": [NaN] } },
        Random.named("no number"),
      ).bytes,
    );
    writeFileSync(file, yaml);
    const wrong = await checkWhole(readExperiment(file)).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(ExperimentInvalid);
    expect(
      (wrong as ExperimentInvalid).problems.map(({ line, message, path }) => [line, path, message]),
    ).toEqual([
      [
        5,
        "nets.torch.file",
        expect.stringMatching(
          /^the net "torch" \(.*model\.onnx\) gives NaN as the value of seat 0 \(output "v"\) in the position 3\/3\/3 x: /,
        ),
      ],
    ]);
  });

  it("cannot train the model, nor compute it with tfjs, nor take weights for it", () => {
    write("first");
    const trained = `  games: { use: self-play, agent: torch, games: 4, generation: 2, inFlight: 1, workers: 1 }
  replay: { use: replay-buffer, from: games, capacity: 100 }
  learn: { use: trainer, from: replay, net: torch, batch: 4, steps: 1, rate: 0.1 }
`;
    writeFileSync(
      file,
      `${yaml.replace("use: onnx,", "use: onnx, weights: somewhere,")}compute: { engine: tfjs }\n`,
    );
    expect(() => checkGraph(readExperiment(file))).toThrow(
      /choose engine: onnx under compute[^]*leave weights out/,
    );
    writeFileSync(file, `${yaml}compute: null\n`);
    expect(() => checkGraph(readExperiment(file))).toThrow(/compute: expected a map/);
    writeFileSync(file, yaml + trained);
    expect(() => checkGraph(readExperiment(file))).toThrow(
      "is a model in a file (use: onnx), which plays and is not trained",
    );
  });
});
