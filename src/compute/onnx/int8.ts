import { sizeOf } from "../tensors.ts";
import { type Attributes, attributeOf, type ElementType, tensorOf, valueInfo } from "./graph.ts";
import type {
  GraphProto as Graph,
  NodeProto as Node,
  TensorProto,
  ValueInfoProto,
} from "./model-messages.ts";

/** The largest quantised weight: weights have 8 bits, and as many numbers below 0 as above. */
export const MOST_WEIGHT = 127;
/**
 * The largest quantised weight of 7 bits. Processors without VNNI add two products of an activation and a weight in 16 bits, and 2
 * * 255 * 63 is below 2^15: sums are exact on every processor.
 */
export const SAFE_WEIGHT = 63;
/** Quantised activations have 8 bits and no sign. */
const MOST_ACTIVATION = 255;

/** The output of a graph of ranges. */
export const RANGES = "ranges";

/**
 * An inference graph whose convolutions are computed in 8-bit integers. They are written as float32 operators between
 * `QuantizeLinear` and `DequantizeLinear`, which the runtime replaces by integer operators.
 *
 * Normalisation is folded into the filters. Filters are quantised symmetrically, each output channel with a scale of its own;
 * activations by a scale and a zero point for each tensor (Jacob et al. 2018, sections 2 and 3.2). Convolutions with a window of
 * one cell and all other layers stay in float32: the heads.
 *
 * `ranges` has the least and the greatest number of each quantised activation, in the order of `rangesOf`. `mostWeight` is the
 * largest quantised weight.
 */
export function inInt8(graph: Graph, ranges: Float32Array, mostWeight: number): Graph {
  const rewriting = new Rewriting(graph);
  const { activations } = rewriting;
  if (ranges.length !== 2 * activations.length)
    throw new RangeError(
      `${2 * activations.length} numbers are the ranges of this graph, not ${ranges.length}`,
    );
  const scales = activations.map((name, i): [string, Scale] => [
    name,
    scaleOf(ranges[2 * i]!, ranges[2 * i + 1]!),
  ]);
  rewriting.quantise(new Map(scales), mostWeight);
  return rewriting.toGraph();
}

/**
 * The graph that computes the ranges of an inference graph's quantised activations: its only output, `ranges`, is [N, 2 *
 * activations], the least and the greatest number of each activation in each row.
 */
export function rangesOf(graph: Graph): { readonly graph: Graph; readonly width: number } {
  const rewriting = new Rewriting(graph);
  const { activations } = rewriting;
  rewriting.reduceToRanges(activations);
  return { graph: rewriting.toGraph(), width: 2 * activations.length };
}

/** An activation is (q - zero) * step for a whole number q from 0 to 255. */
interface Scale {
  readonly step: number;
  readonly zero: number;
}

/** The range is widened to hold 0, which is a whole number then: padding is exact. */
function scaleOf(least: number, greatest: number): Scale {
  const low = Math.min(least, 0);
  const step = Math.fround((Math.max(greatest, 0) - low) / MOST_ACTIVATION);
  // An activation that was 0 everywhere has no range.
  return step === 0 ? { step: 1, zero: 0 } : { step, zero: Math.round(-low / step) };
}

/** A constant with its shape. */
interface Constant {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** A convolution to be quantised, and what is folded into it: y = factor * (filter * x) + bias. */
interface Convolution {
  readonly node: Node;
  /** [outputs, inputs, height, width]. */
  readonly filter: Constant;
  /** For each output channel, as is `bias`. */
  readonly factor: Float64Array;
  readonly bias: Float64Array;
  /** The name of its result, after what is folded into it. */
  output: string;
}

/** ONNX's number of the type float32. */
const FLOAT = 1;

/** A graph that is being rewritten. */
class Rewriting {
  readonly #graph: Graph;
  /** Constants and nodes by the name of their value. */
  readonly #stored: ReadonlyMap<string, TensorProto>;
  readonly #makers: ReadonlyMap<string, Node>;
  readonly #convolutions = new Map<Node, Convolution>();
  /** The nodes that are folded into the convolutions before them. */
  readonly #folded = new Set<Node>();
  readonly #initialisers: TensorProto[] = [];
  #nodes: Node[];
  #outputs: ValueInfoProto[];

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#nodes = [...graph.node!];
    this.#outputs = [...graph.output!];
    this.#stored = new Map(graph.initializer!.map((tensor) => [tensor.name!, tensor]));
    this.#makers = new Map(this.#nodes.map((node) => [node.output![0]!, node]));
    for (const node of this.#nodes) {
      const filter = this.#filterOf(node);
      if (filter !== undefined) this.#convolutions.set(node, this.#folding(node, filter));
    }
  }

  /** The numbers of a value that is a constant, transposed and reshaped as its nodes do; undefined for other values. */
  #constantOf(name: string): Constant | undefined {
    const stored = this.#stored.get(name);
    if (stored?.dataType === FLOAT)
      return { shape: stored.dims!.map(Number), data: new Float32Array(bufferOf(stored)) };
    const { attribute, input, opType } = this.#makers.get(name) ?? {};
    if (opType !== "Transpose" && opType !== "Reshape") return undefined;
    const constant = this.#constantOf(input![0]!);
    if (constant === undefined) return undefined;
    if (opType === "Transpose") return transposed(constant, attribute![0]!.ints!.map(Number));
    const shape = Array.from(new BigInt64Array(bufferOf(this.#stored.get(input![1]!)!)), Number);
    return { shape, data: constant.data };
  }

  /** A convolution with the bias and the normalisation that follow it. */
  #folding(node: Node, filter: Constant): Convolution {
    const [outputs] = filter.shape as [number];
    const [factor, bias] = [new Float64Array(outputs).fill(1), new Float64Array(outputs)];
    const convolution = { node, filter, factor, bias, output: node.output![0]! };
    let next = this.#onlyReader(convolution.output);
    while (next !== undefined && this.#fold(convolution, next)) {
      this.#folded.add(next);
      convolution.output = next.output![0]!;
      next = this.#onlyReader(convolution.output);
    }
    return convolution;
  }

  /** The filter of a node that is a convolution to be quantised. */
  #filterOf({ opType, domain, input }: Node): Constant | undefined {
    if (opType !== "Conv" || domain !== "") return undefined;
    const filter = this.#constantOf(input![1]!);
    return filter !== undefined && filter.shape[2]! * filter.shape[3]! > 1 ? filter : undefined;
  }

  /** Folds a node into the convolution before it, if it is its bias or its normalisation. */
  #fold({ bias, factor }: Convolution, { opType, input, attribute }: Node): boolean {
    if (opType !== "Add" && opType !== "BatchNormalization") return false;
    const constants = input!.map((name) => this.#constantOf(name));
    if (opType === "Add") {
      const offset = constants.find((each) => each?.shape.length === 3 && each.shape[0] === bias.length);
      if (offset?.data.length !== bias.length) return false;
      for (let i = 0; i < bias.length; i++) bias[i]! += offset.data[i]!;
      return true;
    }
    const [scale, offset, mean, variance] = constants.slice(1).map((each) => each?.data);
    if (scale === undefined || offset === undefined || mean === undefined || variance === undefined)
      return false;
    const epsilon = attribute!.find(({ name }) => name === "epsilon")!.f!;
    for (let i = 0; i < bias.length; i++) {
      const times = scale[i]! / Math.sqrt(variance[i]! + epsilon);
      factor[i]! *= times;
      bias[i] = (bias[i]! - mean[i]!) * times + offset[i]!;
    }
    return true;
  }

  /**
   * The values to quantise, in the order of the graph: what convolutions read, and their results. A result that only a rectifier
   * reads is quantised after it.
   */
  get activations(): string[] {
    const wanted = new Set<string>();
    for (const { node, output } of this.#convolutions.values()) {
      wanted.add(node.input![0]!);
      const reader = this.#onlyReader(output);
      wanted.add(reader?.opType === "Relu" ? reader.output![0]! : output);
    }
    return [...wanted];
  }

  /** The only node that reads a value, unless the value is an output of the graph. */
  #onlyReader(name: string): Node | undefined {
    if (this.#outputs.some((each) => each.name === name)) return undefined;
    const readers = this.#nodes.filter(({ input }) => input!.includes(name));
    return readers.length === 1 ? readers[0] : undefined;
  }

  /** Quantises activations and the filters of the convolutions. */
  quantise(scales: ReadonlyMap<string, Scale>, mostWeight: number): void {
    const quantised = new Map<string, string>();
    const nodes: Node[] = [];
    const addQuantised = (name: string) => {
      const scale = scales.get(name);
      if (scale === undefined) return;
      const parameters = [
        this.#constant(`${name}/step`, [], "float32", Float32Array.of(scale.step)),
        this.#constant(`${name}/zero`, [], "uint8", Uint8Array.of(scale.zero)),
      ];
      const whole = `${name}/quantised`;
      nodes.push(nodeOf("QuantizeLinear", [name, ...parameters], whole));
      nodes.push(nodeOf("DequantizeLinear", [whole, ...parameters], `${name}/dequantised`));
      quantised.set(name, `${name}/dequantised`);
    };
    for (const { name } of this.#graph.input!) addQuantised(name!);
    for (const node of this.#nodes) {
      if (this.#folded.has(node)) continue;
      const convolution = this.#convolutions.get(node);
      const input = node.input!.map((name) => quantised.get(name) ?? name);
      if (convolution === undefined) nodes.push({ ...node, input });
      else {
        const { step } = scales.get(node.input![0]!)!;
        nodes.push(...this.#quantised(convolution, input[0]!, step, mostWeight));
      }
      for (const name of convolution === undefined ? node.output! : [convolution.output]) addQuantised(name);
    }
    this.#nodes = nodes;
  }

  /** A convolution with its filter and its bias as whole numbers. */
  #quantised(
    { node, filter, factor, bias, output }: Convolution,
    input: string,
    step: number,
    mostWeight: number,
  ): Node[] {
    const [outputs] = filter.shape as [number];
    const size = filter.data.length / outputs;
    const weights = new Int8Array(filter.data.length);
    const steps = new Float32Array(outputs);
    const sumSteps = new Float32Array(outputs);
    const offsets = new Int32Array(outputs);
    for (let i = 0; i < outputs; i++) {
      const row = filter.data.subarray(i * size, (i + 1) * size);
      const largest =
        Math.abs(factor[i]!) * row.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
      // A filter of zeros has no largest weight.
      steps[i] = largest === 0 ? 1 : largest / mostWeight;
      sumSteps[i] = steps[i]! * step;
      for (let j = 0; j < size; j++) weights[i * size + j] = Math.round((row[j]! * factor[i]!) / steps[i]!);
      offsets[i] = Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.round(bias[i]! / sumSteps[i]!)));
    }
    const parts: Node[] = [];
    const dequantised = (
      part: string,
      shape: readonly number[],
      type: "int8" | "int32",
      data: Int8Array | Int32Array,
      by: Float32Array,
    ) => {
      const inputs = [
        this.#constant(part, shape, type, data),
        this.#constant(`${part}/steps`, [outputs], "float32", by),
      ];
      parts.push(nodeOf("DequantizeLinear", inputs, `${part}/dequantised`, { axis: 0 }));
      return `${part}/dequantised`;
    };
    const inputs = [
      input,
      dequantised(`${output}/filter`, filter.shape, "int8", weights, steps),
      dequantised(`${output}/bias`, [outputs], "int32", offsets, sumSteps),
    ];
    return [...parts, { ...node, input: inputs, output: [output] }];
  }

  /** Makes the ranges of these values the only output. */
  reduceToRanges(names: readonly string[]): void {
    const parts = names.flatMap((name) =>
      (["ReduceMin", "ReduceMax"] as const).map((operator) => {
        this.#nodes.push(nodeOf(operator, [name], `${name}/${operator}`, { axes: [1, 2, 3], keepdims: 0 }));
        const column = `${name}/${operator}/column`;
        const axes = this.#constant(`${column}/axes`, [1], "int64", BigInt64Array.of(1n));
        this.#nodes.push(nodeOf("Unsqueeze", [`${name}/${operator}`, axes], column));
        return column;
      }),
    );
    this.#nodes.push(nodeOf("Concat", parts, RANGES, { axis: 1 }));
    this.#outputs = [valueInfo(RANGES, ["N", parts.length])];
  }

  /** The graph, reduced to what its outputs need. */
  toGraph(): Graph {
    const needed = new Set(this.#outputs.map(({ name }) => name!));
    const nodes: Node[] = [];
    for (const node of this.#nodes.toReversed()) {
      if (!node.output!.some((name) => needed.has(name))) continue;
      nodes.unshift(node);
      for (const name of node.input!) needed.add(name);
    }
    const initializer = [...this.#graph.initializer!, ...this.#initialisers];
    return {
      ...this.#graph,
      node: nodes,
      initializer: initializer.filter(({ name }) => needed.has(name!)),
      output: this.#outputs,
      valueInfo: [],
    };
  }

  #constant(
    name: string,
    shape: readonly number[],
    type: ElementType,
    data: Parameters<typeof tensorOf>[3],
  ): string {
    this.#initialisers.push(tensorOf(name, shape, type, data));
    return name;
  }
}

function nodeOf(
  operator: string,
  input: readonly string[],
  output: string,
  attributes: Attributes = {},
): Node {
  const attribute = Object.entries(attributes).map(([key, value]) => attributeOf(key, value));
  return { name: output, opType: operator, domain: "", input: [...input], output: [output], attribute };
}

/** The bytes of a constant, copied: numbers of several bytes begin anywhere in those of a file. */
function bufferOf({ rawData }: TensorProto): ArrayBuffer {
  return new Uint8Array(rawData!).buffer;
}

/** The constant with its axes permuted. */
function transposed({ shape, data }: Constant, permutation: readonly number[]): Constant {
  const strides = shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
  const result = permutation.map((axis) => shape[axis]!);
  const moved = Float32Array.from(data, (_, i) => {
    let [rest, from] = [i, 0];
    for (let axis = result.length - 1; axis >= 0; axis--) {
      from += (rest % result[axis]!) * strides[permutation[axis]!]!;
      rest = Math.floor(rest / result[axis]!);
    }
    return data[from]!;
  });
  return { shape: result, data: moved };
}
