import { readFileSync } from "node:fs";
import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, it } from "vitest";
import type { Compiled } from "../../../src/compute/engine.ts";
import { MOST_WEIGHT, SAFE_WEIGHT } from "../../../src/compute/onnx/int8.ts";
import { largestExactWeight } from "../../../src/compute/onnx/int8-probe.ts";
import { traceFunction } from "../../../src/compute/onnx/trace.ts";
import { openEngine } from "../../../src/compute/open-engine.ts";
import { openReferenceEngine } from "../../../src/compute/tfjs/engine.ts";
import { ROWS, type TensorsByName, type Weight } from "../../../src/compute/tensors.ts";
import { Random } from "../../../src/random.ts";

const [ROW_COUNT, HEIGHT, WIDTH] = [3, 5, 6];

/** A rectified convolution with what may follow it before the rectifier. */
interface Case {
  readonly inputs: number;
  readonly outputs: number;
  readonly follows: "nothing" | "bias" | "normalisation";
}

const cases: readonly Case[] = [
  { inputs: 3, outputs: 8, follows: "nothing" },
  { inputs: 7, outputs: 5, follows: "bias" },
  { inputs: 16, outputs: 32, follows: "normalisation" },
  { inputs: 5, outputs: 3, follows: "normalisation" },
];

const EPSILON = 1e-5;

/** The function of a case. The sign keeps the rectifier from being an output, which is not quantised. */
const functionOf =
  ({ follows }: Case) =>
  (inputs: TensorsByName): TensorsByName => {
    const of = (name: string) => inputs[name] as tf.Tensor1D;
    let y: tf.Tensor4D = tf.conv2d(inputs["x"] as tf.Tensor4D, inputs["filter"] as tf.Tensor4D, 1, "same");
    if (follows === "bias") y = tf.add(y, of("offset"));
    if (follows === "normalisation")
      y = tf.batchNorm(y, of("mean"), of("variance"), of("offset"), of("scale"), EPSILON);
    return { y: tf.neg(tf.relu(y)) };
  };

function constantsOf({ inputs, outputs }: Case, random: Random): Map<string, Weight> {
  const vector = (draw: () => number): Weight => ({
    shape: [outputs],
    data: Float32Array.from({ length: outputs }, draw),
  });
  const filter = Float32Array.from({ length: 9 * inputs * outputs }, () => random.normal());
  return new Map<string, Weight>([
    ["filter", { shape: [3, 3, inputs, outputs], data: filter }],
    ["offset", vector(() => random.normal())],
    ["mean", vector(() => 2 * random.normal())],
    ["variance", vector(() => 0.1 + 3 * random.float())],
    ["scale", vector(() => random.normal())],
  ]);
}

/** The result of each output channel before the rectifier is factor * convolution + bias. */
function folded({ follows, outputs }: Case, constants: ReadonlyMap<string, Weight>) {
  const of = (name: string, channel: number) => constants.get(name)!.data[channel]!;
  return Array.from({ length: outputs }, (_, channel) => {
    if (follows === "nothing") return { factor: 1, bias: 0 };
    if (follows === "bias") return { factor: 1, bias: of("offset", channel) };
    const factor = of("scale", channel) / Math.sqrt(of("variance", channel) + EPSILON);
    return { factor, bias: of("offset", channel) - of("mean", channel) * factor };
  });
}

/** A whole number for each number of a tensor: q = round(number / step) + zero, from 0 to 255. */
function quantiser(least: number, greatest: number) {
  const step = Math.fround((Math.max(greatest, 0) - Math.min(least, 0)) / 255);
  const zero = Math.round(-Math.min(least, 0) / step);
  return {
    step,
    zero,
    whole: (x: number) => Math.max(0, Math.min(255, zero + halfToEven(x / step))),
  };
}

function halfToEven(x: number): number {
  const down = Math.floor(x);
  if (x - down !== 0.5) return Math.round(x);
  return down % 2 === 0 ? down : down + 1;
}

/** The function of a case in whole numbers, cell by cell, as its definition says. */
function slowly(
  each: Case,
  constants: ReadonlyMap<string, Weight>,
  x: Float32Array,
  ranges: Float32Array,
  mostWeight: number,
): { readonly y: Float32Array; readonly step: number } {
  const { inputs, outputs } = each;
  const [input, output] = [quantiser(ranges[0]!, ranges[1]!), quantiser(ranges[2]!, ranges[3]!)];
  const { data: filter } = constants.get("filter")!;
  const y = new Float32Array(ROW_COUNT * HEIGHT * WIDTH * outputs);
  for (const [channel, { bias, factor }] of folded(each, constants).entries()) {
    const weights = Array.from({ length: 9 * inputs }, (_, i) => factor * filter[i * outputs + channel]!);
    const step = Math.fround(Math.max(...weights.map(Math.abs)) / mostWeight);
    const whole = weights.map((weight) => Math.round(weight / step));
    const product = Math.fround(step * input.step);
    const offset = Math.round(bias / product);
    for (let row = 0; row < ROW_COUNT; row++)
      for (let h = 0; h < HEIGHT; h++)
        for (let w = 0; w < WIDTH; w++) {
          let sum = offset;
          for (let i = -1; i <= 1; i++)
            for (let j = -1; j <= 1; j++) {
              if (h + i < 0 || h + i >= HEIGHT || w + j < 0 || w + j >= WIDTH) continue;
              const cell = ((row * HEIGHT + h + i) * WIDTH + w + j) * inputs;
              for (let c = 0; c < inputs; c++)
                sum += whole[((i + 1) * 3 + j + 1) * inputs + c]! * (input.whole(x[cell + c]!) - input.zero);
            }
          const result = output.whole(sum * product) - output.zero;
          y[((row * HEIGHT + h) * WIDTH + w) * outputs + channel] = -result * output.step;
        }
  }
  return { y, step: output.step };
}

async function computed(compiled: Compiled, x: Float32Array, name: string): Promise<Float32Array> {
  const [, ...shape] = compiled.outputs[name] as readonly number[];
  const size = shape.reduce((product, length) => product * length, 1);
  const result = new Float32Array(ROW_COUNT * size);
  await compiled.run({ x }, { [name]: result }, ROW_COUNT);
  await compiled.dispose();
  return result;
}

describe.each(cases)("a convolution of $inputs to $outputs channels, then $follows", (each) => {
  const random = Random.named("int8", each.follows, each.inputs);
  const constants = constantsOf(each, random);
  const x = Float32Array.from({ length: ROW_COUNT * HEIGHT * WIDTH * each.inputs }, () => random.normal());
  const shapes = { x: [ROWS, HEIGHT, WIDTH, each.inputs] } as const;
  const fn = functionOf(each);

  it("has the ranges of what it reads and of its rectified result, in each row", async () => {
    const engine = await openEngine({ threads: 1 });
    const float = await computed(await engine.compile(fn, shapes, { constants }), x, "y");
    const ranges = await computed(
      await engine.compile(fn, shapes, { constants, int8: "ranges" }),
      x,
      "ranges",
    );
    for (let row = 0; row < ROW_COUNT; row++) {
      const part = (all: Float32Array) => {
        const size = all.length / ROW_COUNT;
        return all.subarray(row * size, (row + 1) * size);
      };
      const [least, greatest, leastResult, greatestResult] = part(ranges);
      expect([least, greatest]).toEqual([Math.min(...part(x)), Math.max(...part(x))]);
      expect(leastResult).toBeCloseTo(-Math.max(...part(float)), 4);
      expect(greatestResult).toBeCloseTo(-Math.min(...part(float)), 4);
    }
  });

  it("gives what whole numbers give", async () => {
    // The second row reaches beyond the range, and is cut off there.
    const ranges = Float32Array.of(-2.5, 2.5, 0, 12);
    for (const bits of [undefined, "portable"] as const) {
      const engine = await openEngine({ threads: 1, ...(bits === undefined ? {} : { bits }) });
      const found = await computed(await engine.compile(fn, shapes, { constants, int8: ranges }), x, "y");
      const most = bits === "portable" ? SAFE_WEIGHT : await largestExactWeight();
      const { step, y } = slowly(each, constants, x, ranges, most);
      let other = 0;
      for (const [i, expected] of y.entries()) {
        // A sum is scaled in float32: halves may be rounded either way.
        expect(Math.abs(found[i]! - expected)).toBeLessThan(1.01 * step);
        if (Math.abs(found[i]! - expected) > 0.01 * step) other++;
      }
      expect(other).toBeLessThan(0.01 * y.length);
    }
  });
});

it("refuses ranges of another graph", () => {
  const [each] = cases as [Case];
  const constants = constantsOf(each, Random.named("int8"));
  const shapes = { x: [ROWS, HEIGHT, WIDTH, each.inputs] } as const;
  const trace = (int8: Float32Array) => traceFunction(functionOf(each), shapes, { constants, int8 });
  expect(() => trace(new Float32Array(6))).toThrow("4 numbers are the ranges of this graph, not 6");
});

it("is refused by the engine tfjs", async () => {
  const engine = await openReferenceEngine();
  const compiled = engine.compile(({ x }) => ({ y: x! }), { x: [1] }, { int8: "ranges" });
  await expect(compiled).rejects.toThrow(
    "int8 is not available: tfjs computes in float32; choose the engine onnx",
  );
});

it("takes weights of 8 bits only where the processor does not cut off sums of products", async ({ skip }) => {
  skip(process.platform !== "linux" || process.arch !== "x64", "the flags of Linux on x86-64 are read");
  const vnni = /\b(?:avx512_vnni|avx_vnni)\b/.test(readFileSync("/proc/cpuinfo", "utf8"));
  expect(await largestExactWeight()).toBe(vnni ? MOST_WEIGHT : SAFE_WEIGHT);
});
