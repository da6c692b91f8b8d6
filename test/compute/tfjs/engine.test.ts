import * as tf from "@tensorflow/tfjs-core";
import { MathBackendCPU } from "@tensorflow/tfjs-backend-cpu";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Engine } from "../../../src/compute/engine.ts";
import { openEngine } from "../../../src/compute/open-engine.ts";
import { ROWS } from "../../../src/compute/tensors.ts";
import { openReferenceEngine } from "../../../src/compute/tfjs/engine.ts";
import { initialWeights } from "../../../src/models/net.ts";
import { openLoss } from "../../../src/models/nets/loss.ts";
import { mlp } from "../../../src/models/nets/mlp.ts";
import { openTraining } from "../../../src/models/nets/training.ts";
import { Random } from "../../../src/random.ts";
import { boardGame, netOf } from "../../models/boards.ts";
import { openPlainInference } from "../../models/nets/plain-inference.ts";
import { batchFor, outputsOf, positions } from "../../models/nets/random-batches.ts";

/** The stand-ins that were loaded, in order, and what the backend of the last one did. */
const standIns = vi.hoisted(() => ({ loaded: [] as string[], writes: 0 }));

/**
 * Stands for a native package of tfjs: as those do, it registers a backend called `tensorflow` with kernels of its own when
 * it is imported. It computes with the kernels of the plain backend, and counts the tensors that it is given.
 */
function standIn(name: string): object {
  class Counting extends MathBackendCPU {
    override write(...given: Parameters<MathBackendCPU["write"]>): object {
      standIns.writes++;
      return super.write(...given);
    }
  }
  standIns.loaded.push(name);
  // Both packages register the same name; in one process only the first that is loaded would compute.
  if (tf.findBackendFactory("tensorflow") === null) {
    tf.registerBackend("tensorflow", () => new Counting(), 3);
    tf.copyRegisteredKernels("cpu", "tensorflow");
  }
  return { node: {} };
}

vi.mock("@tensorflow/tfjs-node", () => standIn("node"));
vi.mock("@tensorflow/tfjs-node-gpu", () => standIn("node-gpu"));

const net = netOf(mlp, boardGame(2, 6, [3, 3, 2]), { hidden: [8], policy: true });

/** Values and logits of a net, and its weights and losses after two steps. */
async function computed(engine: Engine): Promise<Map<string, Float32Array>> {
  const random = Random.named("stand-in");
  const weights = initialWeights(net, random);
  const inference = await openPlainInference(engine, net, weights);
  const outputs = outputsOf(net, 3);
  await inference.run(positions(net, 3, random), 3, outputs);
  await inference.dispose();
  const options = { optimiser: { use: "adam" }, rows: 4 } as const;
  const training = await openTraining(engine, net, openLoss({ use: "alphazero" }), options, { weights });
  const losses = await training.steps(
    [batchFor(net, 4, random), batchFor(net, 4, random)],
    Float32Array.of(0.01, 0.01),
  );
  const { weights: trained } = await training.state();
  await training.dispose();
  return new Map([...Object.entries(outputs), ...Object.entries(losses), ...trained]);
}

describe("tfjs with a native package", () => {
  afterEach(() => {
    standIns.loaded.length = standIns.writes = 0;
  });

  it("takes tfjs-node where it is installed and no backend is named", async () => {
    const engine = await openEngine({ engine: "tfjs" });
    expect(engine.description).toBe("tfjs on tfjs-node");
    expect(standIns.loaded).toEqual(["node"]);
  });

  for (const backend of ["node", "node-gpu"] as const)
    it(`computes by ${backend} what the plain backend computes`, async () => {
      const expected = await computed(await openReferenceEngine());
      expect(standIns.writes).toBe(0);
      const engine = await openEngine({ engine: "tfjs", backend });
      expect(engine.description).toBe(`tfjs on tfjs-${backend}`);
      const found = await computed(engine);
      // The first test has loaded the other.
      expect(standIns.loaded).toEqual(backend === "node" ? [] : ["node-gpu"]);
      expect(standIns.writes).toBeGreaterThan(20);
      expect(found).toEqual(expected);
    });

  it("computes by the backend of each engine, whichever was opened last", async () => {
    const native = await openEngine({ engine: "tfjs", backend: "node" });
    const plain = await openReferenceEngine();
    const y = new Float32Array(2);
    for (const [engine, counts] of [
      [native, true],
      [plain, false],
      [native, true],
    ] as const) {
      const before = standIns.writes;
      const doubled = await engine.compile(({ x }) => ({ y: tf.mul(x!, 2) }), { x: [ROWS, 1] });
      await doubled.run({ x: Float32Array.of(1, 2) }, { y }, 2);
      await doubled.dispose();
      expect([...y]).toEqual([2, 4]);
      expect(standIns.writes > before).toBe(counts);
    }
  });
});
