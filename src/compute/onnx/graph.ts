import { sizeOf } from "../tensors.ts";
import {
  type AttributeProto,
  AttributeType,
  DataType,
  type GraphProto,
  modelBytes,
  type NodeProto,
  type TensorProto,
  type ValueInfoProto,
} from "./model-messages.ts";

/** Element types used in the graphs. */
export type ElementType = "float32" | "int8" | "int32" | "int64" | "uint8" | "bool";

/** A named value of the graph. */
export interface GraphValue {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: ElementType;
}

/** Attributes of a node: integers, lists of integers, strings, or `{ float }`. */
export type Attributes = Readonly<
  Record<string, number | readonly number[] | string | { readonly float: number }>
>;

type Data = Float32Array | Int8Array | Int32Array | Uint8Array | BigInt64Array;

const dataType: Record<ElementType, number> = {
  float32: DataType.FLOAT,
  int8: DataType.INT8,
  int32: DataType.INT32,
  int64: DataType.INT64,
  uint8: DataType.UINT8,
  bool: DataType.BOOL,
};

/** The ONNX opset of the nodes: the first whose `ScatterElements` adds. */
const OPSET = 16;
const IR_VERSION = 8;

/**
 * An ONNX graph under construction.
 *
 * A dimension that is open has a prime in its place while the function is traced, larger than any real dimension. A
 * dimension of the finished graph is open exactly if such a prime divides it.
 */
export class OnnxGraph {
  /** The primes of the open dimensions, by the name of the dimension. */
  readonly #open: readonly (readonly [name: string, prime: number])[];
  readonly #nodes: NodeProto[] = [];
  readonly #initialisers = new Map<string, TensorProto>();
  readonly #small = new Map<string, GraphValue>();
  readonly #inputs: GraphValue[] = [];
  readonly #values = new Map<string, GraphValue>();
  readonly #names = new Map<string, number>();

  constructor(open: Readonly<Record<string, number>> = {}) {
    this.#open = Object.entries(open);
  }

  /** Declares an input of the graph. */
  input(name: string, shape: readonly number[], type: ElementType = "float32"): GraphValue {
    const value = { name: this.#fresh(name), shape, type };
    this.#inputs.push(value);
    return value;
  }

  /** A value of the graph around this one, for the body of a loop. */
  outer(name: string, shape: readonly number[], type: ElementType = "float32"): GraphValue {
    return { name, shape, type };
  }

  /**
   * A constant. Equal small constants whose names begin with `constant/` are written once. `data` is read when the model is
   * written.
   */
  constant(name: string, shape: readonly number[], type: ElementType, data: Data): GraphValue {
    const unnamed = name.startsWith("constant/") && data.length <= 16;
    const key = unnamed ? `${type}:${shape.join(",")}:${data.join(",")}` : undefined;
    const known = key === undefined ? undefined : this.#small.get(key);
    if (known !== undefined) return known;
    const value = { name: this.#fresh(name), shape, type };
    this.#initialisers.set(value.name, tensorOf(value.name, shape, type, data));
    if (key !== undefined) this.#small.set(key, value);
    return value;
  }

  /** A constant scalar. */
  scalar(value: number): GraphValue {
    return this.constant("constant/scalar", [], "float32", Float32Array.of(value));
  }

  /** A constant list of integers: axes, starts, repeats. */
  integers(values: readonly number[]): GraphValue {
    return this.constant("constant/integers", [values.length], "int64", BigInt64Array.from(values, BigInt));
  }

  /** A constant target shape for `Reshape` and `Expand`; the open dimension becomes -1. */
  targetShape(shape: readonly number[]): GraphValue {
    return this.integers(shape.map((dimension) => (this.isOpen(dimension) ? -1 : dimension)));
  }

  /** True for a dimension that depends on an open one. */
  isOpen(dimension: number): boolean {
    return dimension > 0 && this.#open.some(([, prime]) => dimension % prime === 0);
  }

  /** Appends a node with one output. Its name begins with the path `layer`. */
  node(
    layer: string,
    operator: string,
    inputs: readonly GraphValue[],
    shape: readonly number[],
    attributes: Attributes = {},
    type: ElementType = "float32",
    domain = "",
  ): GraphValue {
    const name = this.#fresh(layer === "" ? operator : `${layer}/${operator}`);
    const value = { name, shape, type };
    this.#nodes.push({
      name,
      opType: operator,
      domain,
      input: inputs.map((input) => input.name),
      output: [name],
      attribute: Object.entries(attributes).map(([key, attribute]) => attributeOf(key, attribute)),
      docString: layer,
    });
    this.#values.set(name, value);
    return value;
  }

  /**
   * The finished graph, reduced to what the outputs need.
   *
   * Every value in `outputs` appears under its key; `description` becomes the graph's doc string.
   */
  toGraph(name: string, description: string, outputs: Readonly<Record<string, GraphValue>>): GraphProto {
    const { nodes, values } = this.#withOutputNames(outputs);
    const needed = new Set(Object.keys(outputs));
    const kept: NodeProto[] = [];
    for (const node of nodes.toReversed()) {
      if (!node.output!.some((output) => needed.has(output))) continue;
      kept.push(node);
      for (const input of node.input!) needed.add(input);
    }
    kept.reverse();
    return {
      name,
      docString: description,
      node: kept,
      initializer: [...this.#initialisers.values()].filter((tensor) => needed.has(tensor.name!)),
      input: this.#inputs.map((input) => this.#info(input.name, input)),
      output: Object.entries(outputs).map(([key, value]) => this.#info(key, value)),
      valueInfo: values
        .filter((value) => needed.has(value.name))
        .map((value) => this.#info(value.name, value)),
    };
  }

  /** The last value of numbers of each layer that these outputs need, by the layer's name, in the order of the nodes. */
  lastOfLayers(outputs: Readonly<Record<string, GraphValue>>): Record<string, GraphValue> {
    const last: Record<string, GraphValue> = {};
    for (const { docString: layer, output } of this.toGraph("layers", "", outputs).node!) {
      // An output has another name than in this graph.
      const value = this.#values.get(output![0]!);
      if (layer && value?.type === "float32") last[layer] = value;
    }
    return last;
  }

  /**
   * The nodes and inner values, after each output got its name.
   *
   * A computed value is renamed. A value that is an input, a constant or another output already is copied.
   */
  #withOutputNames(outputs: Readonly<Record<string, GraphValue>>) {
    const renamed = new Map<string, string>();
    const copies: NodeProto[] = [];
    for (const [key, { name }] of Object.entries(outputs))
      if (this.#values.has(name) && !renamed.has(name)) renamed.set(name, key);
      else
        copies.push({
          name: `output/${key}`,
          opType: "Identity",
          input: [renamed.get(name) ?? name],
          output: [key],
          docString: "output",
        });
    const rename = (name: string) => renamed.get(name) ?? name;
    const nodes = this.#nodes.map((node) => ({
      ...node,
      input: node.input!.map(rename),
      output: node.output!.map(rename),
    }));
    const values = [...this.#values.values()].filter((value) => !renamed.has(value.name));
    return { nodes: [...nodes, ...copies], values };
  }

  #info(name: string, { shape, type }: GraphValue): ValueInfoProto {
    const dimensions = shape.map((dimension) => {
      const open = this.#open.filter(([, prime]) => dimension > 0 && dimension % prime === 0);
      if (open.length === 0) return dimension;
      const times = open.reduce((rest, [, prime]) => rest / prime, dimension);
      return [...(times === 1 ? [] : [times]), ...open.map(([symbol]) => symbol)].join("*");
    });
    return valueInfo(name, dimensions, type);
  }

  #fresh(name: string): string {
    const uses = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, uses);
    return uses === 1 ? name : this.#fresh(`${name}_${uses}`);
  }
}

/** Name, type and shape of a value. Open dimensions are names. */
export function valueInfo(
  name: string,
  shape: readonly (number | string)[],
  type: ElementType = "float32",
): ValueInfoProto {
  const dim = shape.map((dimension) =>
    typeof dimension === "number" ? { dimValue: dimension } : { dimParam: dimension },
  );
  return { name, type: { tensorType: { elemType: dataType[type], shape: { dim } } } };
}

/** A constant of a graph. `data` is read when the model is written. */
export function tensorOf(name: string, shape: readonly number[], type: ElementType, data: Data): TensorProto {
  const rawData = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return { name, dims: [...shape], dataType: dataType[type], rawData };
}

/** An attribute of a node. */
export function attributeOf(name: string, value: Attributes[string]): AttributeProto {
  if (typeof value === "number") return { name, type: AttributeType.INT, i: value };
  if (typeof value === "string")
    return { name, type: AttributeType.STRING, s: new TextEncoder().encode(value) };
  if ("float" in value) return { name, type: AttributeType.FLOAT, f: value.float };
  return { name, type: AttributeType.INTS, ints: [...value] };
}

/** A graph as a model in ONNX's binary form. */
export function encodeModel(graph: GraphProto): Uint8Array {
  return modelBytes({
    irVersion: IR_VERSION,
    producerName: "ludoflow",
    opsetImport: [
      { domain: "", version: OPSET },
      ...[...domainsOf(graph)].map((domain) => ({ domain, version: 1 })),
    ],
    graph,
  });
}

/** The domains of operators other than ONNX's own, including those in bodies of loops. */
function domainsOf(graph: GraphProto): Set<string> {
  const domains = new Set<string>();
  for (const { domain, attribute } of graph.node ?? []) {
    if (domain) domains.add(domain);
    for (const { g } of attribute ?? []) if (g) for (const inner of domainsOf(g)) domains.add(inner);
  }
  return domains;
}

/** Refuses a constant whose data does not fill its shape: a bug in a kernel mapping. */
export function assertFills(shape: readonly number[], data: { readonly length: number }): void {
  if (sizeOf(shape) !== data.length)
    throw new RangeError(`${data.length} values do not fill the shape [${shape.join(", ")}]`);
}
