import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine, GradStep } from "../../../../src/compute/engine.ts";
import { encodeModel } from "../../../../src/compute/onnx/graph.ts";
import { traceTraining } from "../../../../src/compute/onnx/training.ts";
import { loadGradients } from "../../../../src/compute/tfjs/gradients.ts";
import { sizeOf } from "../../../../src/compute/tensors.ts";
import type { Game } from "../../../../src/games/game.ts";
import { ticTacToe } from "../../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import type { Net } from "../../../../src/models/net.ts";
import { exportOnnx } from "../../../../src/models/nets/inference.ts";
import { openLoss } from "../../../../src/models/nets/loss.ts";
import { openTraining } from "../../../../src/models/nets/training.ts";
import { nets, openNet } from "../../../../src/models/registry.ts";

/** Games of which only the planes and the numbers matter. */
function boardOf(size: number, channels: number): Game<unknown> {
  return {
    name: `board of ${size}x${size}`,
    players: 2,
    actions: 2 * size * size,
    maxLegal: 40,
    returnBounds: [-1, 1],
    nets: {
      planes: { only: { shape: [size, size, channels] } },
      actionPlanes: { planes: 2, index: (action: number) => action },
    },
  } as unknown as Game<unknown>;
}

const everything = { score: true, ownership: true, reply: true, globalPooling: 4, zeroHeads: true };
const tower = { filters: 16, blocks: 2, valueUnits: 8 };
const cases: readonly (readonly [Game<any>, string, Readonly<Record<string, unknown>>])[] = [
  [ticTacToe, "mlp", { policy: true, hidden: [8] }],
  [boardOf(4, 17), "cnn22", { filters: [32, 64], units: [8, 4], valueScale: 100 }],
  [boardOf(9, 5), "residual", tower],
  [boardOf(9, 21), "residual", { ...tower, filters: 12, ...everything, policyHead: "convolutional" }],
  [boardOf(9, 5), "residual", { ...tower, filters: 64, ...everything, valueActivation: "linear" }],
];

/** What the graph of a net's training steps looks like to ONNX Runtime. */
async function trainingGraph(net: Net, rows: number, channelBlock?: number): Promise<Uint8Array> {
  let model: Uint8Array | undefined;
  const gradStep: Engine["gradStep"] = (loss, optimiser, options) => {
    model = encodeModel(traceTraining(loss, optimiser, options, channelBlock).graph);
    return Promise.resolve({} as GradStep);
  };
  const loss = openLoss({ use: net.actions === undefined ? "value-regression" : "alphazero" });
  await openTraining(
    { gradStep } as Engine,
    net,
    loss,
    { optimiser: { use: "sgd" }, rows },
    { weights: zeros(net) },
  );
  return model!;
}

function zeros(net: Net): Map<string, Float32Array> {
  return new Map(net.parameters.map(({ name, shape }) => [name, new Float32Array(sizeOf(shape))]));
}

describe("recorded graphs", () => {
  beforeAll(loadGradients);

  // Trained weights are the same bits only as long as the graphs are the same bytes. Where a change of the graphs is
  // wanted, `npm run test:slow -- test/slow/compute/onnx/recorded-graphs.test.ts -u` writes the new digests; say so in the change log.
  it("are the same bytes as before", async () => {
    const lines: string[] = [];
    for (const [game, use, chosen] of cases) {
      const definition = nets.find(({ name }) => name === use)!;
      const properties = Object.entries(
        definition.options.properties as Record<string, { default?: unknown }>,
      );
      const defaults = Object.fromEntries(properties.map(([name, option]) => [name, option.default]));
      const opened = openNet(use, game, { ...defaults, ...chosen });
      if (opened.kind !== "network") throw new Error(`${use} is no network`);
      const { net } = opened;
      const note = (graph: string, bytes: Uint8Array) =>
        lines.push(`${use} ${game.name} ${graph} ${createHash("sha256").update(bytes).digest("hex")}`);
      note("inference", exportOnnx(net, zeros(net)));
      for (const rows of [6, 16])
        for (const block of [undefined, 8, 16])
          note(`training ${rows} rows, block ${block ?? "none"}`, await trainingGraph(net, rows, block));
    }
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/recorded-graphs.txt");
  });
});
