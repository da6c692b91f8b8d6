import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../../src/compute/engine.ts";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import { initialWeights, type Net } from "../../../../src/models/net.ts";
import { gatherWidth } from "../../../../src/models/nets/gather-width.ts";
import { openInference } from "../../../../src/models/nets/inference.ts";
import { openLoss } from "../../../../src/models/nets/loss.ts";
import { openTraining, type TrainingState } from "../../../../src/models/nets/training.ts";
import { Random } from "../../../../src/random.ts";
import { relativeError } from "../../../compute/agreement.ts";
import { NO_TORCH, torchPython } from "../../../compute/torch/python.ts";
import { batchFor, outputsOf, positions, randomWeights } from "../../../models/nets/random-batches.ts";
import { lossesOf, smallNets, trained } from "../../../models/nets/small-nets.ts";
import { openPlainInference } from "../../../models/nets/plain-inference.ts";

/** Differences of float32 relative to the largest number, as between ONNX Runtime and tfjs. */
const ONE_PASS = 1e-4;
/** After a step at the rate 1 without momentum, of gradients. */
const GRADIENTS = 1e-4;
/** After ten steps: rounding grows with each step, and Adam divides small gradients by their own size. */
const TEN_STEPS = 1e-3;

/** Each net with its place in the list: several have one name. */
const nets = smallNets.map((net, place) => [`${net.name} ${place}`, net] as const);

let onnx: Engine;
let torch: Engine;
beforeAll(async () => {
  if (torchPython === undefined) return;
  onnx = await openEngine({ engine: "onnx" });
  torch = await openEngine({ engine: "torch", python: torchPython });
});
afterAll(() => torch?.close());

const both = <T>(compute: (engine: Engine) => Promise<T>): Promise<[T, T]> =>
  Promise.all([compute(torch), compute(onnx)]);

/** Values and priors of packed positions, as in play: moves of each position are gathered, and the rest is padding. */
async function evaluated(engine: Engine, net: Net, rows: number, width: number) {
  const random = Random.named("evaluated", net.name, width);
  const inference = await openInference(engine, net, randomWeights(net, random));
  const { bytes, floats, policyIndices = new Int32Array(0) } = batchFor(net, rows, random);
  const most = policyIndices.length / rows;
  const gather = Int32Array.from(
    { length: rows * width },
    (_, i) =>
      (i % width < most ? policyIndices[Math.floor(i / width) * most + (i % width)] : undefined) ?? -1,
  );
  const out = { value: new Float32Array(rows * net.seats), prior: new Float32Array(rows * width) };
  await inference.run({ bytes, floats, gather, width }, rows, out);
  await inference.dispose();
  return out;
}

describe("PyTorch and ONNX Runtime agree on", () => {
  it.for(nets)("values and logits of %s", async ([, net], { skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    const [actual, expected] = await both(async (engine) => {
      const random = Random.named("plain", net.name);
      const inference = await openPlainInference(engine, net, randomWeights(net, random));
      const out = outputsOf(net, 5);
      await inference.run(positions(net, 5, random), 5, out);
      await inference.dispose();
      return out;
    });
    expect(relativeError(actual.value, expected.value)).toBeLessThan(ONE_PASS);
    if (net.actions !== undefined)
      expect(relativeError(actual.policy!, expected.policy!)).toBeLessThan(ONE_PASS);
  });

  it.for(nets)("values and priors of packed positions of %s", async ([, net], { skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    const least = net.maxLegal === undefined ? 0 : gatherWidth(net.maxLegal, net.maxLegal);
    for (const rows of [1, 4])
      for (const width of new Set([least, least === 0 ? 0 : least + 8])) {
        const [actual, expected] = await both((engine) => evaluated(engine, net, rows, width));
        expect(relativeError(actual.value, expected.value)).toBeLessThan(ONE_PASS);
        expect(relativeError(actual.prior, expected.prior)).toBeLessThan(ONE_PASS);
        if (width > 0) expect(Math.max(...actual.prior)).toBeGreaterThan(0);
      }
  });

  const losses = nets.flatMap(([called, net]) =>
    lossesOf(net).map((loss) => [`${JSON.stringify(loss)} of ${called}`, net, loss] as const),
  );

  it.for(losses)("gradients of %s", async ([, net, loss], { skip }) => {
    skip(torchPython === undefined, NO_TORCH);
    // With no momentum and a rate of 1, a step moves each weight by its gradient.
    const [actual, expected] = await both(async (engine) => {
      const { losses: values, state } = await trained(engine, net, loss, { use: "sgd", momentum: 0 }, [1]);
      const before = initialWeights(net, Random.named("training", net.name));
      const moved = [...state.weights].map(
        ([name, data]) => [name, data.map((value, i) => before.get(name)![i]! - value)] as const,
      );
      return { values, gradients: new Map(moved) };
    });
    for (const [name, gradient] of expected.gradients)
      expect(relativeError(actual.gradients.get(name)!, gradient), name).toBeLessThan(GRADIENTS);
    for (const [name, values] of Object.entries(expected.values))
      expect(relativeError(actual.values[name]!, values), name).toBeLessThan(ONE_PASS);
  });

  const optimisers = [
    { use: "sgd", momentum: 0.9, weightDecay: 0.01, penalty: 0.001 },
    { use: "adam", weightDecay: 0.01 },
  ] as const;
  const steps = nets.flatMap(([called, net]) =>
    optimisers.map((optimiser) => [`${optimiser.use} on ${called}`, net, optimiser] as const),
  );

  it.for(steps)(
    "ten steps of %s, averages and running statistics included",
    async ([, net, optimiser], { skip }) => {
      skip(torchPython === undefined, NO_TORCH);
      const loss = lossesOf(net).at(-1)!;
      const rates = Array.from({ length: 10 }, (_, i) => 0.001 * (i + 1));
      const [actual, expected] = await both((engine) =>
        trained(engine, net, loss, optimiser, rates, { averaging: 0.7 }),
      );
      for (const kind of ["weights", "optimiser", "average"] as const)
        for (const [name, values] of expected.state[kind]!)
          expect(relativeError(actual.state[kind]!.get(name)!, values), `${kind} ${name}`).toBeLessThan(
            TEN_STEPS,
          );
      for (const [name, values] of Object.entries(expected.losses))
        expect(relativeError(actual.losses[name]!, values), name).toBeLessThan(TEN_STEPS);
      expect(actual.state.optimiser.get("step")).toEqual(Float32Array.of(10));
    },
  );
});

it("PyTorch takes the same steps by one call or by several, and after it continues from its state", async ({
  skip,
}) => {
  skip(torchPython === undefined, NO_TORCH);
  const net = smallNets.at(-1)!;
  const random = Random.named("calls", net.name);
  const weights = initialWeights(net, random);
  const batches = [1, 2, 3].map(() => batchFor(net, 4, random));
  const run = async (calls: readonly (readonly number[])[], resume: boolean) => {
    let state: TrainingState = { weights, optimiser: new Map() };
    const options = { optimiser: { use: "adam" }, rows: 4, averaging: 0.9, accumulating: true } as const;
    const open = () => openTraining(torch, net, openLoss({ use: "alphazero" }), options, state);
    let training = await open();
    for (const call of calls) {
      // The second minibatch only adds its gradient to that of the third.
      const rates = Float32Array.from(call, (i) => (i === 1 ? 0 : 0.01));
      await training.steps(
        call.map((i) => batches[i]!),
        rates,
      );
      state = await training.state();
      if (!resume) continue;
      await training.dispose();
      training = await open();
    }
    await training.dispose();
    return state;
  };
  const once = await run([[0, 1, 2]], false);
  expect(once.optimiser.get("step")).toEqual(Float32Array.of(2));
  expect(await run([[0, 1, 2]], false)).toEqual(once);
  expect(await run([[0], [1, 2]], false)).toEqual(once);
  expect(await run([[0, 1], [2]], true)).toEqual(once);
});
