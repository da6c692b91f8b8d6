import type { DataId } from "@tensorflow/tfjs-core";
import { currentLayer } from "../layer.ts";
import { sizeOf } from "../tensors.ts";
import { type Attributes, type ElementType, type GraphValue, OnnxGraph } from "./graph.ts";
import { FROM_CHANNELS_FIRST, type RecordedTensor, type WrittenTensor } from "./recorded-tensor.ts";

/**
 * The domain of ONNX Runtime's private operators on blocked images, in which the channels of a block lie together.
 *
 * The runtime itself uses these operators only with constant filters, and filters are not constant in training. The size
 * of a block depends on the processor, so a graph with these operators is for this runtime on this machine only.
 */
export const BLOCKED_DOMAIN = "com.microsoft.nchwc";

/** ONNX's numbers of the types that elements are converted to. */
export const CAST_TO = { float32: 1, int32: 6, bool: 9 } as const;

/** How a function is recorded. */
export interface RecordingOptions {
  /** The primes that represent open dimensions, by name. */
  readonly open?: Readonly<Record<string, number>>;
  /** See `Recording.channelBlock`. */
  readonly channelBlock?: number | undefined;
}

/** One function being recorded: the graph so far, and what each tfjs tensor represents in it. */
export class Recording {
  readonly graph: OnnxGraph;
  /** Channels in one block of ONNX Runtime's blocked convolutions; undefined if these are not used. */
  readonly channelBlock: number | undefined;
  readonly #tensors = new Map<DataId, RecordedTensor>();
  #layer = "";

  constructor({ open, channelBlock }: RecordingOptions) {
    this.graph = new OnnxGraph(open);
    this.channelBlock = channelBlock;
  }

  /** Notes what the tensor with this id represents. */
  set(id: DataId, tensor: RecordedTensor): void {
    this.#tensors.set(id, tensor);
  }

  /** What the tensor with this id represents. */
  get(id: DataId): RecordedTensor {
    const tensor = this.#tensors.get(id);
    if (tensor === undefined)
      throw new Error(
        "a recorded function used a tensor made outside it; pass it in as an input or a constant",
      );
    return tensor;
  }

  /**
   * Enters the layer of a kernel with these inputs.
   *
   * tfjs computes gradients after all layers were left. A kernel outside all layers therefore belongs to the gradient of
   * the layer that its inputs come from.
   */
  enter(inputs: readonly RecordedTensor[]): void {
    this.#layer = currentLayer() || gradientLayer(inputs);
  }

  /** The path of the layer whose kernel is being recorded. */
  get layer(): string {
    return this.#layer;
  }

  /** A tensor that represents an input of the graph. Bytes are converted to int32, which tfjs knows. */
  input(name: string, shape: readonly number[], type: ElementType = "float32"): WrittenTensor {
    const given = this.graph.input(name, shape, type);
    const plain = type === "uint8" ? this.converted(given, "int32") : given;
    return { kind: "written", shape, type: plain.type, layer: "", forms: { plain } };
  }

  /** The value with its elements converted to another type. */
  converted(value: GraphValue, type: keyof typeof CAST_TO): GraphValue {
    return this.node("Cast", [value], value.shape, { to: CAST_TO[type] }, type);
  }

  /** Appends a node in the present layer. */
  node(
    operator: string,
    inputs: readonly GraphValue[],
    shape: readonly number[],
    attributes?: Attributes,
    type?: ElementType,
  ): GraphValue {
    return this.graph.node(this.#layer, operator, inputs, shape, attributes, type);
  }

  /** Appends one of the runtime's nodes on blocked images, in the present layer or in the one given. */
  blockedNode(
    operator: string,
    inputs: readonly GraphValue[],
    shape: readonly number[],
    attributes: Attributes = {},
    layer: string = this.#layer,
  ): GraphValue {
    return this.graph.node(layer, operator, inputs, shape, attributes, "float32", BLOCKED_DOMAIN);
  }

  /** The tensor whose plain form is this value. */
  result(plain: GraphValue): WrittenTensor {
    return this.#written(plain.shape, plain, { plain });
  }

  /** The image whose channels-first form is this value. */
  image(channelsFirst: GraphValue): WrittenTensor {
    return this.#written(plainShape(channelsFirst), channelsFirst, { channelsFirst });
  }

  /** The image whose blocked form is this value. */
  blockedImage(blocked: GraphValue): WrittenTensor {
    return this.#written(plainShape(blocked), blocked, { blocked });
  }

  #written(shape: readonly number[], { type }: GraphValue, forms: WrittenTensor["forms"]): WrittenTensor {
    return { kind: "written", shape, type, layer: this.#layer, forms };
  }

  /** A constant with the same value everywhere. */
  filled(shape: readonly number[], value: number): GraphValue {
    return this.graph.constant(
      "constant/uniform",
      shape,
      "float32",
      new Float32Array(sizeOf(shape)).fill(value),
    );
  }

  /** The value with its axes permuted; nothing is moved if only axes of length 1 change places. */
  transposed(value: GraphValue, permutation: readonly number[]): GraphValue {
    const shape = permutation.map((axis) => value.shape[axis]!);
    const moved = permutation.filter((axis) => value.shape[axis] !== 1);
    if (moved.every((axis, i) => i === 0 || axis > moved[i - 1]!)) return this.reshaped(value, shape);
    return this.node("Transpose", [value], shape, { perm: [...permutation] }, value.type);
  }

  /** The value in another shape of the same size. */
  reshaped(value: GraphValue, shape: readonly number[]): GraphValue {
    if (sameShape(value.shape, shape)) return value;
    return this.node("Reshape", [value, this.graph.targetShape(shape)], shape, {}, value.type);
  }

  /** The value repeated along axes in which it has length 1. */
  repeated(value: GraphValue, shape: readonly number[]): GraphValue {
    // ONNX's Expand keeps a dimension if the target says 1, which is right for open dimensions too.
    const target = shape.map((size) => (this.graph.isOpen(size) ? 1 : size));
    return this.node("Expand", [value, this.graph.integers(target)], shape, {}, value.type);
  }
}

/** True if both shapes are equal. */
export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((dimension, i) => dimension === b[i]);
}

function plainShape({ shape }: GraphValue): number[] {
  return FROM_CHANNELS_FIRST.map((axis) => shape[axis]!);
}

function gradientLayer(inputs: readonly RecordedTensor[]): string {
  const layer = inputs.findLast((input) => input.layer !== "")?.layer ?? "";
  if (layer === "" || layer.startsWith("gradient/")) return layer || "gradient";
  return `gradient/${layer}`;
}
