import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../src/compute/engine.ts";
import { openEngine } from "../../../src/compute/open-engine.ts";
import { optimiser } from "../../../src/compute/optimiser.ts";
import { openReferenceEngine } from "../../../src/compute/tfjs/engine.ts";
import { Random } from "../../../src/random.ts";
import { normals, relativeError } from "../../compute/agreement.ts";

/** Rows, height, width and channels of the images; height and width of the window; filters; padding. */
type Case = readonly [
  images: readonly number[],
  window: readonly number[],
  filters: number,
  pad: "same" | "valid",
];

const cases: readonly Case[] = [
  [[16, 5, 6, 16], [3, 3], 16, "same"],
  [[32, 5, 5, 16], [3, 3], 32, "same"],
  [[48, 5, 5, 7], [3, 3], 16, "same"],
  [[16, 7, 5, 33], [1, 1], 16, "same"],
  [[16, 3, 4, 256], [3, 3], 16, "same"],
  [[16, 6, 7, 16], [5, 3], 16, "same"],
  [[16, 6, 7, 16], [2, 4], 16, "same"],
  [[32, 6, 7, 16], [3, 2], 16, "valid"],
  [[24, 5, 5, 16], [3, 3], 16, "same"],
  [[16, 5, 5, 16], [3, 3], 12, "same"],
  // Filled up with zeros to whole blocks: the channels, the filters, or both.
  [[16, 5, 5, 21], [3, 3], 8, "same"],
  [[16, 4, 5, 16], [1, 1], 27, "same"],
  [[16, 5, 6, 35], [3, 2], 16, "valid"],
];

/** The gradients of two convolutions, one behind the other: an image is both an input and a result. */
async function gradients(engine: Engine, [images, window, filters, pad]: Case, seed: number) {
  const random = Random.named("blocked", seed);
  const [rows, height, width, channels] = images as [number, number, number, number];
  const first = [...window, channels, filters];
  const second = [1, 1, filters, filters];
  const parameter = (shape: number[]) => ({
    shape,
    data: normals(
      random,
      shape.reduce((size, dimension) => size * dimension, 1),
    ),
  });
  const parameters = new Map([
    ["first", parameter(first)],
    ["second", parameter(second)],
  ]);
  const step = await engine.gradStep(
    (weights, { x }) => {
      const y = tf.relu(tf.conv2d(x as tf.Tensor4D, weights["first"] as tf.Tensor4D, 1, pad));
      const z = tf.conv2d(y, weights["second"] as tf.Tensor4D, 1, "same");
      return { total: tf.mean(tf.square(z)), parts: {}, state: {} };
    },
    optimiser({ use: "sgd", momentum: 0 }),
    { parameters, trained: new Set(parameters.keys()), inputs: { x: [rows, height, width, channels] } },
  );
  await step.steps({ x: normals(random, rows * height * width * channels) }, Float32Array.of(1));
  const after = await step.parameters();
  await step.dispose();
  return new Map(
    [...parameters].map(([name, { data }]) => [
      name,
      after.get(name)!.data.map((value, i) => data[i]! - value),
    ]),
  );
}

describe("the gradients of convolutions on blocked images agree with tfjs cpu", () => {
  let onnx: Engine;
  let reference: Engine;
  beforeAll(async () => {
    onnx = await openEngine({ engine: "onnx" });
    reference = await openReferenceEngine();
  });

  it.each(cases)("images %j, window %j, %i filters, %s", async (...each) => {
    const seed = cases.indexOf(each);
    const actual = await gradients(onnx, each, seed);
    const expected = await gradients(reference, each, seed);
    for (const [name, gradient] of expected)
      expect(relativeError(actual.get(name)!, gradient), name).toBeLessThan(1e-4);
  });
});
