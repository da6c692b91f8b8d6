import type { DataId } from "@tensorflow/tfjs-core";
import { currentLayer } from "../layer.ts";
import { assertFills, type Attributes, type ElementType, type GraphValue, OnnxGraph } from "./graph.ts";
import { combinationInBlocks } from "./blocked-images.ts";
import { combinationChannelsFirst } from "./channels-first-images.ts";
import {
  type BlockedConvolution,
  FROM_CHANNELS_FIRST,
  isImage,
  isUnwrittenImage,
  type Multiple,
  type Product,
  type RecordedTensor,
  TO_CHANNELS_FIRST,
  uniform,
} from "./recorded-tensor.ts";

/**
 * The domain of ONNX Runtime's operators on blocked images, in which the channels of a block lie together.
 *
 * The runtime itself uses them only where the filter is a constant, which it is not in training. They are its own,
 * and the size of a block depends on the processor: a graph with them is for this runtime on this machine.
 */
export const BLOCKED_DOMAIN = "com.microsoft.nchwc";

/** How a function is recorded. */
export interface RecordingOptions {
  /** The prime that stands for the open number of rows. */
  readonly openRows?: number | undefined;
  /** See `Recording.channelBlock`. */
  readonly channelBlock?: number | undefined;
}

/** One function being recorded: the graph so far, and what each tfjs tensor stands for in it. */
export class Recording {
  readonly graph: OnnxGraph;
  /** Channels in one block of ONNX Runtime's blocked convolutions, where these are to be used. */
  readonly channelBlock: number | undefined;
  readonly #tensors = new Map<DataId, RecordedTensor>();
  #layer = "";

  constructor({ openRows, channelBlock }: RecordingOptions) {
    this.graph = new OnnxGraph(openRows);
    this.channelBlock = channelBlock;
  }

  /** Notes what the tensor with this id stands for. */
  set(id: DataId, tensor: RecordedTensor): void {
    this.#tensors.set(id, tensor);
  }

  /** What the tensor with this id stands for. */
  get(id: DataId): RecordedTensor {
    const tensor = this.#tensors.get(id);
    if (tensor === undefined)
      throw new Error(
        "a recorded function used a tensor made outside it; pass it in as an input or a constant",
      );
    return tensor;
  }

  /**
   * Enters the layer that a kernel with these inputs belongs to.
   *
   * tfjs computes gradients after all layers were left: such a kernel belongs to the gradient of the layer
   * that its inputs come from.
   */
  enter(inputs: readonly RecordedTensor[]): void {
    this.#layer = currentLayer() || gradientLayer(inputs);
  }

  /** The path of the layer whose kernel is being recorded. */
  get layer(): string {
    return this.#layer;
  }

  /** A tensor that stands for an input of the graph. */
  input(name: string, shape: readonly number[]): RecordedTensor {
    return { shape, type: "float32", layer: "", plain: this.graph.input(name, shape) };
  }

  /** Appends a node over plain forms. */
  emit(
    operator: string,
    inputs: readonly (RecordedTensor | GraphValue)[],
    shape: readonly number[],
    attributes?: Attributes,
    type: ElementType = "float32",
  ): RecordedTensor {
    const values = inputs.map((input) => ("layer" in input ? this.plain(input) : input));
    return this.result(this.node(operator, values, shape, attributes, type));
  }

  /** Appends a node over values of the graph. */
  node(
    operator: string,
    inputs: readonly GraphValue[],
    shape: readonly number[],
    attributes?: Attributes,
    type?: ElementType,
  ): GraphValue {
    return this.graph.node(this.#layer, operator, inputs, shape, attributes, type);
  }

  /** Appends one of the runtime's nodes over blocked images. */
  blockedNode(
    operator: string,
    inputs: readonly GraphValue[],
    shape: readonly number[],
    attributes: Attributes = {},
  ): GraphValue {
    return this.graph.node(this.#layer, operator, inputs, shape, attributes, "float32", BLOCKED_DOMAIN);
  }

  /** Writes a blocked convolution, in the layer that it was computed in, and what is added to it. */
  convolution(
    { shape, layer }: RecordedTensor,
    { images, filter, attributes }: BlockedConvolution,
    added?: GraphValue,
  ): GraphValue {
    const inputs = [images, filter];
    const channelsFirst = TO_CHANNELS_FIRST.map((axis) => shape[axis]!);
    if (added !== undefined) inputs.push(this.filled([channelsFirst[1]!], 0), added);
    return this.graph.node(layer, "Conv", inputs, channelsFirst, attributes, "float32", BLOCKED_DOMAIN);
  }

  /** The tensor whose plain form is this value. */
  result(plain: GraphValue): RecordedTensor {
    return { shape: plain.shape, type: plain.type, layer: this.#layer, plain };
  }

  /** The image whose channels-first form is this value. */
  image(channelsFirst: GraphValue): RecordedTensor {
    const shape = FROM_CHANNELS_FIRST.map((axis) => channelsFirst.shape[axis]!);
    return { shape, type: channelsFirst.type, layer: this.#layer, channelsFirst };
  }

  /** The image whose blocked form is this value. */
  blockedImage(blocked: GraphValue): RecordedTensor {
    const shape = FROM_CHANNELS_FIRST.map((axis) => blocked.shape[axis]!);
    return { shape, type: blocked.type, layer: this.#layer, blocked };
  }

  /** The value in tfjs's order of axes. */
  plain(tensor: RecordedTensor): GraphValue {
    tensor.plain ??= this.#writePlain(tensor);
    return tensor.plain;
  }

  /** The value of an image as [rows, channels, height, width]. */
  channelsFirst(tensor: RecordedTensor): GraphValue {
    tensor.channelsFirst ??= this.#writeChannelsFirst(tensor);
    return tensor.channelsFirst;
  }

  /** The value of an image in blocks of channels, under the shape of its channels-first form. */
  blocked(tensor: RecordedTensor): GraphValue {
    tensor.blocked ??= this.#writeBlocked(tensor, false);
    return tensor.blocked;
  }

  /**
   * True of an image that is computed in blocks, now or when it is first needed.
   *
   * Blocked images come from blocked convolutions, and what is computed of them alone stays in blocks.
   */
  inBlocks(image: RecordedTensor): boolean {
    if (!isUnwrittenImage(image)) return image.blocked !== undefined;
    const of = image.combination?.terms.map((term) => term.image) ?? image.imageProduct;
    return of === undefined || of.some((each) => this.inBlocks(each));
  }

  #writeBlocked(tensor: RecordedTensor, rectified: boolean): GraphValue {
    const { combination, imageProduct, blockedConvolution } = tensor;
    if (isUnwrittenImage(tensor) && this.inBlocks(tensor)) {
      if (blockedConvolution !== undefined) return this.convolution(tensor, blockedConvolution);
      if (combination !== undefined) return combinationInBlocks(this, combination, rectified);
      const [a, b] = imageProduct!.map((factor) => this.blocked(factor)) as [GraphValue, GraphValue];
      return this.node("Mul", [a, b], a.shape);
    }
    const image = this.channelsFirst(tensor);
    return this.blockedNode("ReorderInput", [image], image.shape);
  }

  #writeChannelsFirst(tensor: RecordedTensor): GraphValue {
    const { broadcastOf, combination } = tensor;
    if (this.inBlocks(tensor)) {
      const blocked = this.blocked(tensor);
      return this.blockedNode("ReorderOutput", [blocked], blocked.shape, { channels: blocked.shape[1]! });
    }
    if (combination !== undefined) return combinationChannelsFirst(this, combination);
    if (broadcastOf?.shape.length !== 4) return this.transposed(this.plain(tensor), TO_CHANNELS_FIRST);
    const shape = TO_CHANNELS_FIRST.map((axis) => tensor.shape[axis]!);
    return this.#repeated(this.channelsFirst(broadcastOf), shape);
  }

  /** A product of matrices, and what is added to it. */
  product({ left, right, transA, transB }: Product, shape: readonly number[], added?: Multiple): GraphValue {
    const factors = [this.plain(left), this.plain(right)];
    if (added === undefined) return this.node("Gemm", factors, shape, { transA, transB });
    const beta = { float: added.by };
    return this.node("Gemm", [...factors, this.plain(added.tensor)], shape, { transA, transB, beta });
  }

  /** A number, or a vector over channels, as a vector. */
  vector(tensor: RecordedTensor, channels: number): GraphValue {
    const value = this.plain(tensor);
    return value.shape[0] === channels ? value : this.#repeated(value, [channels]);
  }

  /** A constant with one value everywhere. */
  filled(shape: readonly number[], value: number): GraphValue {
    return this.plain(uniform(shape, value));
  }

  /** A number, or a vector over channels, in the shape that is broadcast over channels-first images. */
  byChannel(tensor: RecordedTensor): GraphValue {
    const value = this.plain(tensor);
    return value.shape.length === 0 ? value : this.reshaped(value, [value.shape[0]!, 1, 1]);
  }

  /** The value with its axes permuted; nothing is moved where only axes of length 1 change places. */
  transposed(value: GraphValue, permutation: readonly number[]): GraphValue {
    const shape = permutation.map((axis) => value.shape[axis]!);
    const moved = permutation.filter((axis) => value.shape[axis] !== 1);
    if (moved.every((axis, i) => i === 0 || axis > moved[i - 1]!)) return this.reshaped(value, shape);
    return this.node("Transpose", [value], shape, { perm: [...permutation] }, value.type);
  }

  /** The value with another shape of the same size. */
  reshaped(value: GraphValue, shape: readonly number[]): GraphValue {
    if (sameShape(value.shape, shape)) return value;
    return this.node("Reshape", [value, this.graph.targetShape(shape)], shape, {}, value.type);
  }

  #writePlain(tensor: RecordedTensor): GraphValue {
    if (tensor.viewOf !== undefined) return this.reshaped(this.plain(tensor.viewOf), tensor.shape);
    if (tensor.broadcastOf !== undefined) return this.#repeated(this.plain(tensor.broadcastOf), tensor.shape);
    if (tensor.stepOf !== undefined) return this.#writeStep(tensor.stepOf);
    if (tensor.constant !== undefined) {
      const { name, data } = tensor.constant;
      assertFills(tensor.shape, data);
      return this.graph.constant(name, tensor.shape, tensor.type, data);
    }
    if (tensor.productOf !== undefined) return this.product(tensor.productOf, tensor.shape);
    if (tensor.multipleOf !== undefined) {
      const { tensor: of, by } = tensor.multipleOf;
      return this.node("Mul", [this.plain(of), this.graph.scalar(by)], tensor.shape);
    }
    if (!isImage(tensor)) throw new Error("a recorded tensor without a value");
    return this.transposed(this.channelsFirst(tensor), FROM_CHANNELS_FIRST);
  }

  #repeated(value: GraphValue, shape: readonly number[]): GraphValue {
    // ONNX's Expand keeps a dimension where the target says 1, as it does for open ones.
    const target = shape.map((size) => (this.graph.isOpen(size) ? 1 : size));
    return this.node("Expand", [value, this.graph.integers(target)], shape, {}, value.type);
  }

  #writeStep(of: RecordedTensor): GraphValue {
    return this.#positive(this.plain(this.rectified(of)));
  }

  /** 1 where a rectified value is not 0: min(1, 3e38 y), measured at half the time of Sign. */
  #positive(rectified: GraphValue): GraphValue {
    const attributes = { alpha: { float: 3e38 }, beta: { float: 0 } };
    return this.node("HardSigmoid", [rectified], rectified.shape, attributes);
  }

  /** max(x, 0), computed once for every x. */
  rectified(of: RecordedTensor): RecordedTensor {
    if (of.rectified === undefined) {
      of.rectified = this.#writeRectified(of);
    }
    return of.rectified;
  }

  #writeRectified(of: RecordedTensor): RecordedTensor {
    const relu = (x: GraphValue) => this.node("Relu", [x], x.shape);
    if (!isImage(of)) return this.result(relu(this.plain(of)));
    if (!this.inBlocks(of)) return this.image(relu(this.channelsFirst(of)));
    const fused = isUnwrittenImage(of) && of.combination !== undefined;
    return this.blockedImage(fused ? this.#writeBlocked(of, true) : relu(this.blocked(of)));
  }

  /** 1 where x is positive, else 0, in the form that x has. */
  step(tensor: RecordedTensor): RecordedTensor {
    const of = tensor.stepOf;
    if (of !== undefined && isImage(of) && !isImage(tensor)) {
      const rectified = this.rectified(of);
      if (this.inBlocks(rectified)) tensor.blocked = this.#positive(this.blocked(rectified));
      else tensor.channelsFirst = this.#positive(this.channelsFirst(rectified));
    }
    return tensor;
  }
}

/** True where both shapes are equal. */
export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((dimension, i) => dimension === b[i]);
}

function gradientLayer(inputs: readonly RecordedTensor[]): string {
  const layer = inputs.findLast((input) => input.layer !== "")?.layer ?? "";
  if (layer === "" || layer.startsWith("gradient/")) return layer || "gradient";
  return `gradient/${layer}`;
}
