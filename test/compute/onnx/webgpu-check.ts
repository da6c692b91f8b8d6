import { ComputeUnavailable, type Device, type Engine } from "../../../src/compute/engine.ts";
import { openEngine } from "../../../src/compute/open-engine.ts";
import type { OptimiserOptions } from "../../../src/compute/optimiser.ts";
import { NO_INDEX } from "../../../src/models/nets/gather-logits.ts";
import { gatherWidth } from "../../../src/models/nets/gather-width.ts";
import { openInference } from "../../../src/models/nets/inference.ts";
import { openLoss } from "../../../src/models/nets/loss.ts";
import { initialWeights, type Net } from "../../../src/models/net.ts";
import { packedShapes } from "../../../src/models/nets/packed-input.ts";
import { residual } from "../../../src/models/nets/residual.ts";
import { openTraining } from "../../../src/models/nets/training.ts";
import { Random } from "../../../src/random.ts";
import { boardGame, netOf } from "../../models/boards.ts";
import { openPlainInference } from "../../models/nets/plain-inference.ts";
import { batchFor, outputsOf, positions, randomWeights } from "../../models/nets/random-batches.ts";
import { relativeError } from "../agreement.ts";

/**
 * Inference and training of a residual net with all the parts that one may have on WebGPU beside the same on the CPU; prints
 * one line. Two steps in one call, one in another.
 */
const net: Net = netOf(residual, boardGame(4, 30, [5, 5, 4], 3), {
  filters: 6,
  blocks: 2,
  valueUnits: 8,
  policyHead: "convolutional",
  globalPooling: 3,
  score: true,
  ownership: true,
  reply: true,
});
// With a large epsilon: without, Adam moves weights by the sign of gradients that are rounding errors.
const optimiser: OptimiserOptions = { use: "adam", epsilon: 1e-3 };
const rows = 4;
/** The net with planes of every encoding, as evaluators run it. */
const packed: Net = {
  ...net,
  encoding: [
    { as: "bits", channels: 1 },
    { as: "bytes", channels: 1, divisor: 5 },
    { as: "uniform", channels: 1 },
    { as: "floats", channels: 1 },
  ],
};

async function computed(device: Device): Promise<Map<string, Float32Array>> {
  const engine = await openEngine({ engine: "onnx", device });
  const found = new Map<string, Float32Array>();
  const random = Random.named("webgpu");
  const inference = await openPlainInference(engine, net, randomWeights(net, random));
  const outputs = outputsOf(net, rows);
  await inference.run(positions(net, rows, random), rows, outputs);
  await inference.dispose();
  for (const [name, values] of Object.entries(outputs)) found.set(name, values);
  for (const [name, values] of await evaluated(engine)) found.set(name, values);
  const training = await openTraining(
    engine,
    net,
    openLoss({ use: "alphazero", legalOnly: true }),
    { optimiser, rows, averaging: 0.7 },
    { weights: initialWeights(net, random) },
  );
  const batches = [1, 2, 3].map(() => batchFor(net, rows, random));
  for (const some of [batches.slice(0, 2), batches.slice(2)]) {
    const losses = await training.steps(some, new Float32Array(some.length).fill(0.01));
    for (const [name, values] of Object.entries(losses)) found.set(`${name} of ${some.length} steps`, values);
  }
  const { weights, average } = await training.state();
  await training.dispose();
  for (const [name, values] of weights) found.set(name, values);
  for (const [name, values] of average!) found.set(`average of ${name}`, values);
  return found;
}

/** Values and priors of packed positions. */
async function evaluated(engine: Engine): Promise<Map<string, Float32Array>> {
  const random = Random.named("webgpu", "packed");
  const inference = await openInference(engine, packed, randomWeights(packed, random));
  const width = gatherWidth(30, packed.maxLegal!);
  const {
    bytes: [, bytes],
    floats: [, floats],
  } = packedShapes(packed, rows) as Record<"bytes" | "floats", readonly [number, number]>;
  const batch = {
    bytes: Uint8Array.from({ length: rows * bytes }, () => random.below(6)),
    floats: Float32Array.from({ length: rows * floats }, () => random.float()),
    gather: Int32Array.from({ length: rows * width }, (_, i) =>
      i % width < 5 + Math.floor(i / width) ? (7 * i) % packed.logits! : NO_INDEX,
    ),
    width,
  };
  const [value, prior] = [new Float32Array(rows * packed.seats), new Float32Array(rows * width)];
  await inference.run(batch, rows, { value, prior });
  await inference.dispose();
  return new Map([
    ["packed value", value],
    ["prior", prior],
  ]);
}

try {
  const [cpu, gpu] = [await computed("cpu"), await computed("webgpu")];
  let [greatest, where] = [0, ""];
  for (const [name, values] of cpu) {
    const error = relativeError(gpu.get(name)!, values);
    if (error > greatest) [greatest, where] = [error, name];
  }
  console.log(`${greatest < 1e-3 ? "agrees" : "differs"}: relative error ${greatest} (${where})`);
} catch (error) {
  console.log(error instanceof ComputeUnavailable ? `ComputeUnavailable: ${error.message}` : String(error));
}
