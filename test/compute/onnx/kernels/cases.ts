import * as tf from "@tensorflow/tfjs-core";
import { expect } from "vitest";
import type { Engine } from "../../../../src/compute/engine.ts";
import { sizeOf } from "../../../../src/compute/tensors.ts";
import { Random } from "../../../../src/random.ts";
import { normals, relativeError } from "../../agreement.ts";

type Shape = readonly number[];
type Inputs = Readonly<Record<string, tf.Tensor>>;
interface Case {
  readonly inputs: Readonly<Record<string, Shape>>;
  /** What tfjs passes to the kernel, made of the inputs. */
  readonly kernel: (inputs: Inputs) => {
    inputs: object;
    attributes?: Readonly<Record<string, unknown>>;
  };
}

const dimension = (random: Random) => 1 + random.below(5);
const image = (random: Random): Shape => [
  dimension(random),
  2 + random.below(6),
  2 + random.below(6),
  dimension(random),
];

/** A shape of rank 4, 2 or 1. */
const anyShape = (random: Random): Shape =>
  [image(random), [dimension(random), dimension(random)], [dimension(random)]][random.below(3)]!;

/** A shape that broadcasts with `shape`: the same, a scalar, the last axis alone, or with axes of length 1. */
const partner = (random: Random, shape: Shape): Shape =>
  [shape, [], shape.slice(-1), shape.map((size) => (random.below(2) === 0 ? 1 : size))][random.below(4)]!;

const unary =
  (change: (x: tf.Tensor) => tf.Tensor = (x) => x, attributes: Readonly<Record<string, unknown>> = {}) =>
  (random: Random): Case => ({
    inputs: { x: anyShape(random) },
    kernel: ({ x }) => ({ inputs: { x: change(x!) }, attributes }),
  });

const binary =
  (change: (x: tf.Tensor) => tf.Tensor = (x) => x) =>
  (random: Random): Case => {
    const a = anyShape(random);
    return {
      inputs: { a, b: partner(random, a) },
      kernel: ({ a: left, b }) => ({ inputs: { a: change(left!), b: change(b!) } }),
    };
  };

const positive = (x: tf.Tensor) => tf.add(tf.abs(x), 0.1);
const truth = (x: tf.Tensor) => tf.greater(x, 0);
const rounded = (x: tf.Tensor) => tf.mul(tf.sign(x), 2);

/** Whole numbers from 0 to `size` - 1. */
const below = (size: number, x: tf.Tensor) =>
  tf.cast(tf.clipByValue(tf.floor(tf.mul(tf.abs(x), 3)), 0, size - 1), "int32");

const reduction =
  (attribute = "axis") =>
  (random: Random): Case => {
    const x = anyShape(random);
    const axes = x.map((_, axis) => axis).filter(() => random.below(2) === 0);
    const kept = axes.length === 0 ? [x.length - 1] : axes;
    const attributes = { [attribute]: kept, keepDims: random.below(2) === 0 };
    return { inputs: { x }, kernel: ({ x: tensor }) => ({ inputs: { x: tensor! }, attributes }) };
  };

const convolution = (random: Random) => {
  const size = [1 + random.below(3), 1 + random.below(3)] as const;
  const pad = random.below(2) === 0 ? "same" : "valid";
  const x = [dimension(random), size[0] + random.below(6), size[1] + random.below(6), dimension(random)];
  const filter = [...size, x[3]!, dimension(random)];
  const out = pad === "same" ? x.slice(1, 3) : [x[1]! - size[0] + 1, x[2]! - size[1] + 1];
  const dy = [x[0]!, ...out, filter[3]!];
  return { x, filter, dy, attributes: { strides: [1, 1], pad, dataFormat: "NHWC", dilations: [1, 1] } };
};

/** What a kernel gets, by its name in tfjs; drawn at random. */
export const kernelCases: Readonly<Record<string, (random: Random) => Case>> = {
  Add: binary(),
  AddN: (random) => {
    const shape = anyShape(random);
    return {
      inputs: { a: shape, b: shape, c: shape },
      kernel: (inputs) => ({ inputs: Object.values(inputs) }),
    };
  },
  Sub: binary(),
  Multiply: binary(),
  RealDiv: binary(positive),
  Maximum: binary(),
  Minimum: binary(),
  Pow: binary(positive),
  SquaredDifference: binary(),
  Greater: binary(rounded),
  GreaterEqual: binary(rounded),
  Less: binary(rounded),
  LessEqual: binary(rounded),
  Equal: binary(rounded),
  LogicalAnd: binary(truth),
  LogicalOr: binary(truth),
  LogicalNot: unary(truth),
  Abs: unary(),
  Ceil: unary(),
  Cos: unary(),
  Erf: unary(),
  Exp: unary(),
  Floor: unary(),
  Log: unary(positive),
  Neg: unary(),
  Reciprocal: unary(positive),
  Sigmoid: unary(),
  Sign: unary(),
  Sin: unary(),
  Softplus: unary(),
  Sqrt: unary(positive),
  Tanh: unary(),
  Rsqrt: unary(positive),
  Square: unary(),
  Relu: unary(),
  Step: (random) => unary(undefined, { alpha: random.below(2) === 0 ? 0 : -1 })(random),
  Elu: unary(),
  LeakyRelu: unary(undefined, { alpha: 0.3 }),
  ClipByValue: unary(undefined, { clipValueMin: -0.5, clipValueMax: 0.7 }),
  Select: (random) => {
    const shape = anyShape(random);
    return {
      inputs: { condition: shape, t: shape, e: shape },
      kernel: ({ condition, t, e }) => ({
        inputs: { condition: truth(condition!), t: t!, e: e! },
      }),
    };
  },
  Cast: (random) =>
    unary(rounded, { dtype: ["int32", "bool", "float32"][random.below(3)], truncate: false })(random),
  Identity: unary(),
  ZerosLike: unary(),
  OnesLike: unary(),
  Reshape: (random) => {
    const x = anyShape(random);
    const shape = [...x.slice(1).toReversed(), x[0]!];
    return { inputs: { x }, kernel: (inputs) => ({ inputs, attributes: { shape } }) };
  },
  ExpandDims: (random) => {
    const input = anyShape(random);
    const dim = random.below(input.length + 1);
    return { inputs: { input }, kernel: (inputs) => ({ inputs, attributes: { dim } }) };
  },
  SplitV: (random) => {
    const x = anyShape(random);
    const axis = random.below(x.length);
    const first = random.below(x[axis]! + 1);
    const parts = [
      [first, x[axis]! - first],
      [first, -1],
    ][random.below(2)]!;
    const numOrSizeSplits = random.below(4) === 0 ? x[axis]! : parts;
    return { inputs: { x }, kernel: (inputs) => ({ inputs, attributes: { axis, numOrSizeSplits } }) };
  },
  Transpose: (random) => {
    const x = anyShape(random);
    // Often between the orders of an image in tfjs and in ONNX.
    const orders = [
      [0, 3, 1, 2],
      [0, 2, 3, 1],
    ];
    if (x.length === 4 && random.below(3) > 0) {
      const order = orders[random.below(2)]!;
      return { inputs: { x }, kernel: (inputs) => ({ inputs, attributes: { perm: order } }) };
    }
    const perm = x.map((_, axis) => axis);
    for (let i = perm.length - 1; i > 0; i--) {
      const j = random.below(i + 1);
      [perm[i], perm[j]] = [perm[j]!, perm[i]!];
    }
    return { inputs: { x }, kernel: (inputs) => ({ inputs, attributes: { perm } }) };
  },
  Concat: (random) => {
    const shape = anyShape(random);
    const axis = random.below(shape.length);
    return {
      inputs: { a: shape, b: shape.with(axis, dimension(random)) },
      kernel: (inputs) => ({ inputs: Object.values(inputs), attributes: { axis } }),
    };
  },
  Slice: (random) => {
    const x = anyShape(random);
    const begin = x.map((size) => random.below(size));
    const size = x.map((length, i) => (random.below(3) === 0 ? -1 : 1 + random.below(length - begin[i]!)));
    return { inputs: { x }, kernel: (inputs) => ({ inputs, attributes: { begin, size } }) };
  },
  Tile: (random) => {
    const x = anyShape(random);
    const reps = x.map(() => 1 + random.below(3));
    return { inputs: { x }, kernel: (inputs) => ({ inputs, attributes: { reps } }) };
  },
  PadV2: (random) => {
    const x = anyShape(random);
    const attributes = {
      paddings: x.map(() => [random.below(3), random.below(3)]),
      constantValue: random.normal(),
    };
    return { inputs: { x }, kernel: (inputs) => ({ inputs, attributes }) };
  },
  Fill: (random) => {
    const attributes = { shape: [2, dimension(random)], value: 0.25, dtype: "float32" };
    return { inputs: { unused: [1] }, kernel: () => ({ inputs: {}, attributes }) };
  },
  GatherV2: (random) => {
    const [rows, width, count] = [dimension(random), dimension(random), dimension(random)];
    return {
      inputs: { x: [rows, width], at: [rows, count] },
      kernel: ({ x, at }) => ({
        inputs: { x, indices: below(width, at!) },
        attributes: { axis: 1, batchDims: 1 },
      }),
    };
  },
  ScatterNd: (random) => {
    // Many updates of few elements: those of one element are added.
    const [size, count] = [dimension(random), 3 * dimension(random)];
    return {
      inputs: { updates: [count], at: [count, 1] },
      kernel: ({ updates, at }) => ({
        inputs: { updates, indices: below(size, at!) },
        attributes: { shape: [size] },
      }),
    };
  },
  Sum: reduction(),
  Mean: reduction(),
  Max: reduction("reductionIndices"),
  Min: reduction(),
  BatchMatMul: (random) => {
    const [batch, rows, depth, columns] = [1 + random.below(2), 1, 1, 1].map(
      (least) => least + random.below(4),
    ) as [number, number, number, number];
    const transposeA = random.below(2) === 0;
    const transposeB = random.below(2) === 0;
    return {
      inputs: {
        a: [batch, ...(transposeA ? [depth, rows] : [rows, depth])],
        b: [batch, ...(transposeB ? [columns, depth] : [depth, columns])],
      },
      kernel: (inputs) => ({ inputs, attributes: { transposeA, transposeB } }),
    };
  },
  Conv2D: (random) => {
    const { x, filter, attributes } = convolution(random);
    return { inputs: { x, filter }, kernel: (inputs) => ({ inputs, attributes }) };
  },
  Conv2DBackpropInput: (random) => {
    const { x, filter, dy, attributes } = convolution(random);
    return {
      inputs: { dy, filter },
      kernel: (inputs) => ({ inputs, attributes: { ...attributes, inputShape: x } }),
    };
  },
  Conv2DBackpropFilter: (random) => {
    const { x, filter, dy, attributes } = convolution(random);
    return {
      inputs: { x, dy },
      kernel: (inputs) => ({ inputs, attributes: { ...attributes, filterShape: filter } }),
    };
  },
  Softmax: (random) => ({
    inputs: { logits: [dimension(random), dimension(random)] },
    kernel: (inputs) => ({ inputs, attributes: { dim: 1 } }),
  }),
  FusedBatchNorm: (random) => {
    const x = image(random);
    const channels = x.slice(-1);
    return {
      inputs: { x, scale: channels, offset: channels, mean: channels, variance: channels },
      kernel: ({ variance, ...rest }) => ({
        inputs: { ...rest, variance: positive(variance!) },
        attributes: { varianceEpsilon: 1e-3 },
      }),
    };
  },
};

/** Computes a kernel with drawn inputs by two engines, and expects equal results but for rounding. */
export async function expectKernelAgrees(name: string, engines: readonly [Engine, Engine]): Promise<void> {
  const random = Random.named("kernels", name);
  for (let repetition = 0; repetition < 8; repetition++) {
    const { inputs, kernel } = kernelCases[name]!(random);
    // Half of the time images come out of a convolution, and so are channels-first when the kernel gets them.
    const convolved = repetition % 2 === 1;
    const fn = (tensors: Inputs) => {
      const seen = Object.fromEntries(
        Object.entries(tensors).map(([key, x]) => [key, convolved ? throughConvolution(x) : x]),
      );
      const call = kernel(seen);
      const result = tf
        .engine()
        .runKernel<tf.Tensor | tf.Tensor[]>(name, call.inputs as never, call.attributes as never);
      // Several tensors the other way round, so that their order shows.
      const one = Array.isArray(result)
        ? tf.concat(result.map((part) => tf.reshape(part, [-1])).toReversed())
        : result;
      return { y: tf.cast(one, "float32") };
    };
    const data = Object.fromEntries(
      Object.entries(inputs).map(([key, shape]) => [key, normals(random, sizeOf(shape))]),
    );
    const [actual, expected] = await Promise.all(
      engines.map(async (engine) => {
        const compiled = await engine.compile(fn, inputs);
        const y = new Float32Array(sizeOf(compiled.outputs["y"] as number[]));
        await compiled.run(data, { y }, 1);
        await compiled.dispose();
        return y;
      }),
    );
    expect(relativeError(actual!, expected!), JSON.stringify(inputs)).toBeLessThan(1e-5);
  }
}

function throughConvolution(x: tf.Tensor): tf.Tensor {
  if (x.rank !== 4) return x;
  return tf.conv2d(x as tf.Tensor4D, identityFilter(x.shape[3]!), 1, "same");
}

function identityFilter(channels: number): tf.Tensor4D {
  const data = new Float32Array(channels * channels);
  for (let i = 0; i < channels; i++) data[i * channels + i] = 1;
  return tf.tensor4d(data, [1, 1, channels, channels]);
}
