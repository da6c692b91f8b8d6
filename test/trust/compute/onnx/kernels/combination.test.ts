import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../../../src/compute/engine.ts";
import { openEngine } from "../../../../../src/compute/open-engine.ts";
import { optimiser } from "../../../../../src/compute/optimiser.ts";
import { sizeOf, type TensorsByName } from "../../../../../src/compute/tensors.ts";
import { openReferenceEngine } from "../../../../../src/compute/tfjs/engine.ts";
import { Random } from "../../../../../src/random.ts";
import { normals, relativeError } from "../../../../compute/agreement.ts";

const CHANNELS = 3;
const shapes = { x: [2, 4, 5, CHANNELS], y: [2, 4, 5, CHANNELS], v: [CHANNELS], w: [CHANNELS] };
/** Whole blocks: in training such images are computed in blocks. */
const BLOCKED_CHANNELS = 16;
type Images = Record<"x" | "y", tf.Tensor4D> & Record<"v" | "w", tf.Tensor1D>;

/** Linear operations on images and vectors over channels, in a random order, with sums taken on the way. */
function chain(seed: number, channels = CHANNELS): (tensors: Images) => Record<string, tf.Tensor> {
  return ({ x, y, v, w }) => {
    const random = Random.named("combination", seed);
    const convolved = (image: tf.Tensor4D) =>
      tf.conv2d(image, tf.ones([1, 1, channels, channels]), 1, "same");
    const images: tf.Tensor[] = [convolved(x), convolved(y)];
    const others: tf.Tensor[] = [v, w, tf.scalar(0.5), tf.reshape(v, [1, 1, 1, channels])];
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

  it.each(Array.from({ length: 15 }, (_, seed) => seed))(
    "have the gradients of tfjs cpu in chain %i, in blocks of channels",
    async (seed) => {
      const random = Random.named("blocked combination", seed);
      const image = [2, 4, 5, BLOCKED_CHANNELS];
      const vector = [BLOCKED_CHANNELS];
      await compareGradients(random, { x: image, y: image, v: vector, w: vector }, (weights) => {
        const { last, other, sums } = chain(seed, BLOCKED_CHANNELS)(weights as never);
        const cubes = tf.mul(last!, tf.mul(other!, last!));
        return tf.addN([tf.sum(tf.square(last!)), tf.sum(cubes), tf.sum(tf.square(sums!))]);
      });
    },
  );

  it("have the gradients of tfjs cpu in a normalised residual layer, in blocks of channels", async () => {
    const vector = [BLOCKED_CHANNELS];
    const filter = [3, 3, BLOCKED_CHANNELS, BLOCKED_CHANNELS];
    const shapes = {
      x: [2, 4, 5, BLOCKED_CHANNELS],
      first: filter,
      second: filter,
      scale: vector,
      offset: vector,
    };
    await compareGradients(Random.named("residual layer", 0), shapes, (weights) => {
      const { x, first, second, scale, offset } = weights as Record<string, tf.Tensor>;
      const image = tf.relu(tf.conv2d(x as tf.Tensor4D, first as tf.Tensor4D, 1, "same"));
      const y = tf.conv2d(image, second as tf.Tensor4D, 1, "same");
      const centred = tf.sub(y, tf.mean(y, [0, 1, 2]));
      const variance = tf.mean(tf.square(centred), [0, 1, 2]);
      const normalised = tf.add(tf.mul(centred, tf.mul(scale!, tf.rsqrt(variance))), offset!);
      return tf.sum(tf.square(tf.relu(tf.add(image, normalised))));
    });
  });

  /** Compares the gradients of a function of parameters of these shapes, drawn at random. */
  async function compareGradients(
    random: Random,
    shapes: Readonly<Record<string, readonly number[]>>,
    total: (weights: TensorsByName) => tf.Tensor,
  ): Promise<void> {
    const parameters = new Map(
      Object.entries(shapes).map(([name, shape]) => [name, { shape, data: normals(random, sizeOf(shape)) }]),
    );
    const gradients = async (engine: Engine) => {
      const step = await engine.gradStep(
        (weights) => ({ total: total(weights) as tf.Scalar, parts: {}, state: {} }),
        optimiser({ use: "sgd", momentum: 0 }),
        { parameters, trained: new Set(parameters.keys()), inputs: { unused: [1] } },
      );
      await step.steps({ unused: Float32Array.of(0) }, Float32Array.of(1));
      const after = await step.parameters();
      await step.dispose();
      return new Map(
        [...parameters].map(([name, { data }]) => [
          name,
          after.get(name)!.data.map((value, i) => data[i]! - value),
        ]),
      );
    };
    const actual = await gradients(onnx);
    for (const [name, gradient] of await gradients(reference))
      expect(relativeError(actual.get(name)!, gradient), name).toBeLessThan(1e-4);
  }
});
