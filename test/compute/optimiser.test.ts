import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/compute/open-engine.ts";
import { optimiser, type OptimiserOptions } from "../../src/compute/optimiser.ts";
import type { Weight } from "../../src/compute/tensors.ts";
import { relativeError } from "./agreement.ts";

/** The first weight after each step of minimising the sum of (w - 3)^2 from w = 1. */
async function descend(options: OptimiserOptions, rates: readonly number[]): Promise<number[]> {
  const paths = await descendFrom(options, rates, { shape: [1], data: Float32Array.of(1) });
  return paths.map(([w]) => w!);
}

/** The weights after each step of minimising the sum of (w - 3)^2. */
async function descendFrom(
  options: OptimiserOptions,
  rates: readonly number[],
  start: Weight,
): Promise<Float32Array[]> {
  const engine = await openEngine({ engine: "onnx" });
  const program = await engine.gradStep(
    ({ w }, { target }) => ({
      total: tf.sum(tf.square(tf.sub(w!, target!))),
      parts: {},
      state: {},
    }),
    optimiser(options),
    {
      parameters: new Map([["w", start]]),
      trained: new Set(["w"]),
      inputs: { target: [1] },
    },
  );
  const path: Float32Array[] = [];
  for (const rate of rates) {
    await program.steps({ target: Float32Array.of(3) }, Float32Array.of(rate));
    path.push((await program.parameters()).get("w")!.data);
  }
  await program.dispose();
  return path;
}

const rates = [0.1, 0.1, 0.05, 0.02];

function closeTo(path: readonly number[], expected: readonly number[]): void {
  expect(path).toHaveLength(expected.length);
  for (const [i, w] of path.entries()) expect(w).toBeCloseTo(expected[i]!, 5);
}

describe("optimisers", () => {
  it("sgd follows its definition: momentum, decoupled decay, and a penalty that momentum sees", async () => {
    let w = 1;
    let velocity = 0;
    const expected = rates.map((rate) => {
      velocity = 0.9 * velocity + 2 * (w - 3) + 0.3 * w;
      w = w * (1 - rate * 0.5) - rate * velocity;
      return w;
    });
    closeTo(await descend({ use: "sgd", momentum: 0.9, weightDecay: 0.5, penalty: 0.3 }, rates), expected);
  });

  it.each([[[48, 5]], [[5, 32]], [[7, 3]]])(
    "every weight of a matrix %j moves as a weight alone does",
    async (shape) => {
      const data = Float32Array.from({ length: shape[0]! * shape[1]! }, (_, i) => i / 10);
      const options = { use: "sgd", momentum: 0.9, weightDecay: 0.5 } as const;
      const weights = Float64Array.from(data);
      const velocities = new Float64Array(data.length);
      const expected = rates.map((rate) => {
        for (const [i, w] of weights.entries()) {
          velocities[i] = 0.9 * velocities[i]! + 2 * (w - 3);
          weights[i] = w * (1 - rate * 0.5) - rate * velocities[i];
        }
        return Float32Array.from(weights);
      });
      for (const [i, actual] of (await descendFrom(options, rates, { shape, data })).entries())
        expect(relativeError(actual, expected[i]!)).toBeLessThan(1e-6);
    },
  );

  it("sgd without momentum keeps no state", async () => {
    expect(optimiser({ use: "sgd", momentum: 0 }).slots).toEqual([]);
    closeTo(await descend({ use: "sgd", momentum: 0 }, [0.25]), [2]);
  });

  it("adam follows its definition, bias correction and decoupled decay included", async () => {
    let w = 1;
    let mean = 0;
    let square = 0;
    const expected = rates.map((rate, i) => {
      const gradient = 2 * (w - 3);
      mean = 0.9 * mean + 0.1 * gradient;
      square = 0.999 * square + 0.001 * gradient ** 2;
      const direction = mean / (1 - 0.9 ** (i + 1)) / (Math.sqrt(square / (1 - 0.999 ** (i + 1))) + 1e-8);
      w = w * (1 - rate * 0.1) - rate * direction;
      return w;
    });
    closeTo(await descend({ use: "adam", weightDecay: 0.1 }, rates), expected);
  });
});

describe("gradients of several minibatches in one step", () => {
  const targets = [3, 5, -2, 4, 1, 0];

  /** The weight and the number of steps after minibatches of one target each at these rates, all in one call. */
  async function learn(
    engineName: "onnx" | "tfjs",
    options: OptimiserOptions,
    minibatches: readonly (readonly number[])[],
    stepRates: readonly number[],
    accumulating: boolean,
  ) {
    const engine = await openEngine({ engine: engineName, ...(engineName === "tfjs" && { backend: "cpu" }) });
    const program = await engine.gradStep(
      ({ w }, { target }) => ({ total: tf.sum(tf.square(tf.sub(w!, target!))), parts: {}, state: {} }),
      optimiser(options),
      {
        parameters: new Map([["w", { shape: [2], data: Float32Array.of(1, -1) }]]),
        trained: new Set(["w"]),
        inputs: { target: [minibatches[0]!.length, 1] },
        averaging: 0.5,
        accumulating,
      },
    );
    await program.steps({ target: Float32Array.from(minibatches.flat()) }, Float32Array.from(stepRates));
    const weights = (await program.parameters()).get("w")!.data;
    const state = await program.optimiserState();
    await program.dispose();
    return { weights, state };
  }

  it.each([
    ["onnx", { use: "adam" }],
    ["onnx", { use: "sgd", momentum: 0.9, weightDecay: 0.1, penalty: 0.2 }],
    ["tfjs", { use: "adam" }],
  ] as const)("are those of one large minibatch: %s with %j", async (engine, options) => {
    const whole = await learn(engine, options, [targets.slice(0, 3), targets.slice(3)], [0.1, 0.05], false);
    const single = targets.map((target) => [target]);
    const parts = await learn(engine, options, single, [0, 0, 0.1, 0, 0, 0.05], true);
    expect(relativeError(parts.weights, whole.weights)).toBeLessThan(1e-5);
    expect(parts.state.get("step")!.data[0]).toBe(2);
    for (const [name, { data }] of whole.state)
      expect(relativeError(parts.state.get(name)!.data, data)).toBeLessThan(1e-5);
    expect([...parts.state.get("gradient/w")!.data]).toEqual([0, 0]);
    // What is summed when a call ends is part of the state.
    const open = await learn(engine, options, single, [0, 0, 0.1, 0, 0, 0], true);
    expect([...open.state.get("gradient/w")!.data].every((sum) => sum !== 0)).toBe(true);
  });
});
