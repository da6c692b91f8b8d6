import onnx from "onnx-proto";
import type { Random } from "../../../src/random.ts";

const { AttributeProto, ModelProto, TensorProto } = onnx.onnx;

/** What a model of the test looks like. */
export interface ForeignOptions {
  readonly shape: readonly [channels: number, height: number, width: number];
  readonly layout?: "nchw" | "nhwc";
  /** The first axis: a name for any number of positions. */
  readonly batch?: number | string;
  readonly actions: number;
  /** Numbers of the value output. */
  readonly values: number;
  readonly tanh?: boolean;
  readonly softmax?: boolean;
  /** Weights in place of the first drawn ones of the same name, such as `v.bias`: NaN and infinities make such outputs. */
  readonly weights?: Readonly<Record<string, readonly number[]>>;
  readonly irVersion?: number;
  readonly opset?: number;
}

/** A model with the names, the operators and the layout that exporters of other libraries write, and its weights. */
export interface ForeignModel {
  readonly bytes: Uint8Array;
  /** Value and policy output of one position, its planes in the order of `layout`, computed by plain loops. */
  compute(planes: Float32Array): { readonly v: number[]; readonly pi: number[] };
}

const FILTERS = 3;

/**
 * A convolution of 3x3 cells, rectified, and two dense layers on it: input `board`, outputs `v` and `pi`. The convolution
 * has its bias beside it and the dense layers are `Gemm` with transposed weights, as PyTorch writes them.
 */
export function foreignModel(options: ForeignOptions, random: Random): ForeignModel {
  const { actions, batch = "batch_size", layout = "nchw", shape, softmax, tanh, values } = options;
  const { weights: given = {}, irVersion = 8, opset = 17 } = options;
  const [channels, height, width] = shape;
  const cells = height * width;
  const draw = (...dims: number[]) => ({
    dims,
    data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => random.float() - 0.5),
  });
  const weights = {
    "conv.weight": draw(FILTERS, channels, 3, 3),
    "conv.bias": draw(FILTERS),
    "v.weight": draw(values, FILTERS * cells),
    "v.bias": draw(values),
    "pi.weight": draw(actions, FILTERS * cells),
    "pi.bias": draw(actions),
  };
  for (const [name, { data }] of Object.entries(weights)) data.set(given[name] ?? []);
  const ints = (name: string, list: number[]) => ({
    name,
    type: AttributeProto.AttributeType.INTS,
    ints: list,
  });
  const int = (name: string, i: number) => ({ name, type: AttributeProto.AttributeType.INT, i });
  const node = (opType: string, input: string[], output: string, attribute: object[] = []) => ({
    opType,
    name: `/${opType}_${output}`,
    input,
    output: [output],
    attribute,
  });
  const dense = (name: string, output: string) =>
    node("Gemm", ["flat", `${name}.weight`, `${name}.bias`], output, [int("transB", 1)]);
  const info = (name: string, sizes: readonly (number | string)[]) => ({
    name,
    type: {
      tensorType: {
        elemType: TensorProto.DataType.FLOAT,
        shape: {
          dim: sizes.map((size) => (typeof size === "number" ? { dimValue: size } : { dimParam: size })),
        },
      },
    },
  });
  const sizes = layout === "nchw" ? [channels, height, width] : [height, width, channels];
  const graph = {
    name: "main_graph",
    node: [
      ...(layout === "nhwc" ? [node("Transpose", ["board"], "images", [ints("perm", [0, 3, 1, 2])])] : []),
      node("Conv", [layout === "nhwc" ? "images" : "board", "conv.weight", "conv.bias"], "convolved", [
        ints("kernel_shape", [3, 3]),
        ints("pads", [1, 1, 1, 1]),
      ]),
      node("Relu", ["convolved"], "rectified"),
      node("Flatten", ["rectified"], "flat", [int("axis", 1)]),
      dense("v", tanh ? "v_raw" : "v"),
      ...(tanh ? [node("Tanh", ["v_raw"], "v")] : []),
      dense("pi", softmax ? "pi_raw" : "pi"),
      ...(softmax ? [node("Softmax", ["pi_raw"], "pi", [int("axis", -1)])] : []),
    ],
    initializer: Object.entries(weights).map(([name, { data, dims }]) => ({
      name,
      dims,
      dataType: TensorProto.DataType.FLOAT,
      rawData: new Uint8Array(data.buffer),
    })),
    input: [info("board", [batch, ...sizes])],
    output: [info("v", [batch, values]), info("pi", [batch, actions])],
  };
  const model = ModelProto.create({ irVersion, opsetImport: [{ domain: "", version: opset }], graph });
  return {
    bytes: ModelProto.encode(model).finish(),
    compute: (planes) => {
      const at = (c: number, y: number, x: number) =>
        y < 0 || x < 0 || y >= height || x >= width
          ? 0
          : planes[layout === "nchw" ? (c * height + y) * width + x : (y * width + x) * channels + c]!;
      const flat: number[] = [];
      for (let f = 0; f < FILTERS; f++)
        for (let y = 0; y < height; y++)
          for (let x = 0; x < width; x++) {
            let sum = weights["conv.bias"].data[f]!;
            for (let c = 0; c < channels; c++)
              for (let i = 0; i < 9; i++)
                sum +=
                  weights["conv.weight"].data[(f * channels + c) * 9 + i]! *
                  at(c, y + Math.floor(i / 3) - 1, x + (i % 3) - 1);
            flat.push(Math.max(0, sum));
          }
      const product = (name: "v" | "pi", count: number) =>
        Array.from({ length: count }, (_, row) =>
          flat.reduce(
            (sum, x, i) => sum + x * weights[`${name}.weight`].data[row * flat.length + i]!,
            weights[`${name}.bias`].data[row]!,
          ),
        );
      const v = product("v", values);
      const pi = product("pi", actions);
      const total = pi.reduce((sum, logit) => sum + Math.exp(logit), 0);
      return {
        v: tanh ? v.map(Math.tanh) : v,
        pi: softmax ? pi.map((logit) => Math.exp(logit) / total) : pi,
      };
    },
  };
}
