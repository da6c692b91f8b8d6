import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../../src/compute/engine.ts";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import { optimiser } from "../../../../src/compute/optimiser.ts";
import { sizeOf } from "../../../../src/compute/tensors.ts";
import { Random } from "../../../../src/random.ts";
import { normals, relativeError } from "../../agreement.ts";

/** Images [rows, height, width, channels]; height and width of the window; filters; zeros above and to the left. */
interface Case {
  readonly images: readonly [number, number, number, number];
  readonly window: readonly [number, number];
  readonly filters: number;
  readonly pad: "same" | "valid";
}

const cases: readonly Case[] = [
  { images: [16, 8, 3, 64], window: [3, 3], filters: 64, pad: "same" },
  // The last tile reaches past the board; two blocks of rows; a window of even width.
  { images: [32, 7, 3, 64], window: [3, 2], filters: 80, pad: "same" },
  { images: [16, 10, 5, 64], window: [3, 3], filters: 64, pad: "valid" },
  // Blocks of channels in the images only: rows of a batch are summed as they are.
  { images: [6, 12, 4, 128], window: [3, 3], filters: 64, pad: "same" },
];

/** Half the sum of squares of a convolution's result, and its gradients by image and filter, summed one by one. */
function expected({ images, window, filters, pad }: Case, x: Float32Array, filter: Float32Array) {
  const [rows, height, width, channels] = images;
  const [top, left] = pad === "same" ? window.map((size) => (size - 1) >> 1) : [0, 0];
  const [outHeight, outWidth] =
    pad === "same" ? [height, width] : [height - window[0] + 1, width - window[1] + 1];
  const byImage = new Float64Array(x.length);
  const byFilter = new Float64Array(filter.length);
  const sums = new Float64Array(filters);
  let total = 0;
  const taps = (row: number, y: number, column: number, each: (cell: number, tap: number) => void) => {
    for (let i = 0; i < window[0]; i++)
      for (let j = 0; j < window[1]; j++) {
        const [from, at] = [y + i - top!, column + j - left!];
        if (from < 0 || from >= height || at < 0 || at >= width) continue;
        each(((row * height + from) * width + at) * channels, (i * window[1] + j) * channels * filters);
      }
  };
  for (let row = 0; row < rows; row++)
    for (let y = 0; y < outHeight; y++)
      for (let column = 0; column < outWidth; column++) {
        sums.fill(0);
        taps(row, y, column, (cell, tap) => {
          for (let c = 0; c < channels; c++)
            for (let o = 0; o < filters; o++) sums[o]! += x[cell + c]! * filter[tap + c * filters + o]!;
        });
        for (const sum of sums) total += (sum * sum) / 2;
        taps(row, y, column, (cell, tap) => {
          for (let c = 0; c < channels; c++) {
            let slope = 0;
            for (let o = 0; o < filters; o++) {
              const at = tap + c * filters + o;
              slope += filter[at]! * sums[o]!;
              byFilter[at]! += x[cell + c]! * sums[o]!;
            }
            byImage[cell + c]! += slope;
          }
        });
      }
  return { total, byImage, byFilter };
}

describe("a convolution in tiles and its gradients agree with sums one by one", () => {
  let onnx: Engine;
  beforeAll(async () => {
    onnx = await openEngine({ engine: "onnx" });
  });

  it.each(cases)("$images, window $window, $filters filters, $pad", async (each) => {
    const { images, window, filters, pad } = each;
    const random = Random.named("tiles", cases.indexOf(each));
    const shape = [...window, images[3], filters];
    const x = normals(random, sizeOf(images));
    const filter = normals(random, sizeOf(shape));
    const parameters = new Map([
      ["x", { shape: images, data: x }],
      ["filter", { shape, data: filter }],
    ]);
    const step = await onnx.gradStep(
      (weights) => {
        const y = tf.conv2d(weights["x"] as tf.Tensor4D, weights["filter"] as tf.Tensor4D, 1, pad);
        return { total: tf.mul(tf.sum(tf.square(y)), 0.5), parts: {}, state: {} };
      },
      // The momentum after one step is the gradient.
      optimiser({ use: "sgd" }),
      { parameters, trained: new Set(parameters.keys()), inputs: {} },
    );
    const losses = await step.steps({}, Float32Array.of(0));
    const state = await step.optimiserState();
    await step.dispose();
    const { total, byImage, byFilter } = expected(each, x, filter);
    expect(losses["total"]![0]! / total).toBeCloseTo(1, 5);
    expect(relativeError(state.get("momentum/x")!.data, Float32Array.from(byImage))).toBeLessThan(1e-5);
    expect(relativeError(state.get("momentum/filter")!.data, Float32Array.from(byFilter))).toBeLessThan(1e-5);
  });
});
