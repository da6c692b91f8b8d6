import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../src/compute/engine.ts";
import { openEngine } from "../../src/compute/open-engine.ts";
import { openReferenceEngine } from "../../src/compute/tfjs-engine.ts";
import { Random } from "../../src/random.ts";
import { normals, relativeError } from "./agreement.ts";

const CHANNELS = 3;
const shapes = { x: [2, 4, 5, CHANNELS], y: [2, 4, 5, CHANNELS], v: [CHANNELS], w: [CHANNELS] };
type Images = Record<"x" | "y", tf.Tensor4D> & Record<"v" | "w", tf.Tensor1D>;

/** Linear operations on images and vectors over channels, in a random order, with sums taken on the way. */
function chain(seed: number): (tensors: Images) => Record<string, tf.Tensor> {
  return ({ x, y, v, w }) => {
    const random = Random.named("combination", seed);
    const convolved = (image: tf.Tensor4D) =>
      tf.conv2d(image, tf.ones([1, 1, CHANNELS, CHANNELS]), 1, "same");
    const images: tf.Tensor[] = [convolved(x), convolved(y)];
    const others: tf.Tensor[] = [v, w, tf.scalar(0.5), tf.reshape(v, [1, 1, 1, CHANNELS])];
    const pick = (from: tf.Tensor[]) => from[random.below(from.length)]!;
    const sums: tf.Tensor[] = [];
    for (let i = 0; i < 12; i++) {
      const image = pick(images);
      const other = random.below(3) === 0 ? pick(images) : pick(others);
      const operation = [tf.add, tf.sub, tf.mul][random.below(3)]!;
      // Products of images grow without bound in a chain.
      const linear = operation === tf.mul && other.rank === 4 && other.shape[1] !== 1 ? tf.add : operation;
      images.push(random.below(2) === 0 ? linear(image, other) : linear(other, image));
      if (random.below(3) === 0) images.push(tf.relu(images.at(-1)!));
      if (random.below(2) === 0) {
        const axes = [0, 1, 2];
        sums.push(random.below(2) === 0 ? tf.sum(images.at(-1)!, axes) : tf.mean(pick(images), axes));
      }
    }
    return { last: images.at(-1)!, other: pick(images), sums: tf.concat([v, ...(sums as tf.Tensor1D[])]) };
  };
}

describe("combinations of images by channel", () => {
  let onnx: Engine;
  let reference: Engine;
  beforeAll(async () => {
    onnx = await openEngine({ engine: "onnx" });
    reference = await openReferenceEngine();
  });

  it.each(Array.from({ length: 25 }, (_, seed) => seed))("agree with tfjs cpu in chain %i", async (seed) => {
    const random = Random.named("combination data", seed);
    const data = {
      x: normals(random, 2 * 20 * CHANNELS),
      y: normals(random, 2 * 20 * CHANNELS),
      v: normals(random, CHANNELS),
      w: normals(random, CHANNELS),
    };
    const [actual, expected] = await Promise.all(
      [onnx, reference].map(async (engine) => {
        const compiled = await engine.compile(chain(seed) as never, shapes);
        const results = Object.fromEntries(
          Object.entries(compiled.outputs).map(([name, shape]) => [
            name,
            new Float32Array((shape as number[]).reduce((size, dimension) => size * dimension, 1)),
          ]),
        );
        await compiled.run(data, results, 1);
        await compiled.dispose();
        return results;
      }),
    );
    for (const [name, values] of Object.entries(expected!))
      expect(relativeError(actual![name]!, values), name).toBeLessThan(1e-4);
  });
});
