import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/compute/open-engine.ts";
import { optimiser, type OptimiserOptions } from "../../src/compute/optimiser.ts";

/** Weights after each step of minimising (w - 3)^2 from w = 1. */
async function descend(options: OptimiserOptions, rates: readonly number[]): Promise<number[]> {
  const engine = await openEngine({ engine: "onnx" });
  const program = await engine.gradStep(
    ({ w }, { target }) => ({
      total: tf.sum(tf.square(tf.sub(w!, target!))),
      parts: {},
      state: {},
    }),
    optimiser(options),
    {
      parameters: new Map([["w", { shape: [1], data: Float32Array.of(1) }]]),
      trained: new Set(["w"]),
      inputs: { target: [1] },
    },
  );
  const path: number[] = [];
  for (const rate of rates) {
    await program.steps({ target: Float32Array.of(3) }, Float32Array.of(rate));
    path.push((await program.parameters()).get("w")!.data[0]!);
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
