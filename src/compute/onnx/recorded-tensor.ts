import { sizeOf } from "../tensors.ts";
import type { Attributes, ElementType, GraphValue } from "./graph.ts";

/**
 * What a tfjs tensor represents while a function is recorded: one case for each way to compute its numbers.
 *
 * Only a `WrittenTensor` has nodes from the start. The nodes of all other cases are written when a kernel first needs them
 * (`forms.ts`): until then a kernel may take the tensor apart and write something cheaper.
 */
export type RecordedTensor =
  | WrittenTensor
  | ConstantTensor
  | ViewTensor
  | BroadcastTensor
  | StepTensor
  | CombinationTensor
  | ImageProductTensor
  | BlockedConvolutionTensor
  | MatrixProductTensor
  | MultipleTensor;

/** What all recorded tensors have. */
interface Recorded {
  /** The shape in tfjs; of an image [rows, height, width, channels]. */
  readonly shape: readonly number[];
  readonly type: ElementType;
  /** The layer that computes the tensor; empty for inputs and constants. */
  readonly layer: string;
  /** The forms written so far. */
  readonly forms: Forms;
}

/**
 * The graph's values that hold a tensor.
 *
 * Images are [rows, height, width, channels] in tfjs and [rows, channels, height, width] in ONNX convolutions, so an image
 * may have up to three forms. Conversions between forms are written only when a kernel asks for a missing form.
 */
export interface Forms {
  /** In tfjs's order of axes. */
  plain?: GraphValue;
  /** [rows, channels, height, width]. */
  channelsFirst?: GraphValue;
  /**
   * In memory [rows, channels / block, height, width, block], for the runtime's blocked convolutions; the value has the
   * shape of the channels-first form.
   */
  blocked?: GraphValue;
}

/** An input, or a tensor computed by nodes that are in the graph already; it has a form. */
export interface WrittenTensor extends Recorded {
  readonly kind: "written";
}

/** A tensor whose elements are known while recording. */
export interface ConstantTensor extends Recorded {
  readonly kind: "constant";
  /** The name in the graph; those that begin with `constant/` may be shared. */
  readonly name: string;
  readonly data: Float32Array | Int32Array | Uint8Array;
  /** The value of every element, if all are equal. */
  readonly uniform?: number;
}

/** The elements of another tensor in another shape. */
export interface ViewTensor extends Recorded {
  readonly kind: "view";
  readonly of: RecordedTensor;
}

/** A smaller tensor repeated along axes in which it has length 1. */
export interface BroadcastTensor extends Recorded {
  readonly kind: "broadcast";
  readonly of: RecordedTensor;
}

/** 1 where another tensor's element is positive, else 0. */
export interface StepTensor extends Recorded {
  readonly kind: "step";
  readonly of: RecordedTensor;
}

/** An image that is a sum of images, each times a factor, and of an offset. */
export interface CombinationTensor extends Recorded, Combination {
  readonly kind: "combination";
}

/** An image that is the product of two images, element by element. */
export interface ImageProductTensor extends Recorded {
  readonly kind: "image product";
  readonly factors: readonly [RecordedTensor, RecordedTensor];
}

/** An image that is a convolution of blocked images. A sum can take it in as long as it is not written. */
export interface BlockedConvolutionTensor extends Recorded {
  readonly kind: "blocked convolution";
  readonly images: GraphValue;
  /** In blocks of inputs and outputs. */
  readonly filter: GraphValue;
  readonly attributes: Attributes;
}

/** A product of two matrices, each transposed if its flag is 1. A sum can take it in as long as it is not written. */
export interface MatrixProductTensor extends Recorded {
  readonly kind: "matrix product";
  readonly left: RecordedTensor;
  readonly right: RecordedTensor;
  readonly transA: number;
  readonly transB: number;
}

/** A matrix times a number. */
export interface MultipleTensor extends Recorded {
  readonly kind: "multiple";
  readonly of: RecordedTensor;
  readonly by: number;
}

/** A sum of images, each times a factor, and of an offset. Factors and offset are numbers or vectors over channels. */
export interface Combination {
  readonly terms: readonly Term[];
  readonly offset?: RecordedTensor;
}

/** A term of a combination: an image times a factor, 1 when absent. */
export interface Term {
  readonly image: RecordedTensor;
  readonly factor?: RecordedTensor;
}

/** An image that is made of other images. */
export type ImageExpression = CombinationTensor | ImageProductTensor | BlockedConvolutionTensor;

/** True for an image that has, or will have, one of ONNX's forms. */
export function isImage(tensor: RecordedTensor): boolean {
  const { channelsFirst, blocked } = tensor.forms;
  return channelsFirst !== undefined || blocked !== undefined || unwrittenImage(tensor) !== undefined;
}

/** The tensor itself, if it is an image made of other images that has none of ONNX's forms so far; else undefined. */
export function unwrittenImage(tensor: RecordedTensor): ImageExpression | undefined {
  if (tensor.forms.channelsFirst !== undefined || tensor.forms.blocked !== undefined) return undefined;
  switch (tensor.kind) {
    case "combination":
    case "image product":
    case "blocked convolution":
      return tensor;
    default:
      return undefined;
  }
}

/** A constant with the same value everywhere. */
export function uniform(shape: readonly number[], value: number): ConstantTensor {
  const data = new Float32Array(sizeOf(shape)).fill(value);
  return {
    kind: "constant",
    shape,
    type: "float32",
    layer: "",
    forms: {},
    name: "constant/uniform",
    data,
    uniform: value,
  };
}

/** The value of every element, if it is known while recording and equal for all. */
export function uniformValue(tensor: RecordedTensor): number | undefined {
  return tensor.kind === "constant" ? tensor.uniform : undefined;
}

/** The tensor that is repeated, for a tensor that repeats another; else the tensor itself. */
export function withoutBroadcast(tensor: RecordedTensor): RecordedTensor {
  return tensor.kind === "broadcast" ? tensor.of : tensor;
}

/** Position of each plain axis in the channels-first form. */
export const CHANNELS_FIRST_AXIS: readonly number[] = [0, 2, 3, 1];
/** The permutation from the plain form to the channels-first form. */
export const TO_CHANNELS_FIRST: readonly number[] = [0, 3, 1, 2];
/** The permutation back. */
export const FROM_CHANNELS_FIRST: readonly number[] = [0, 2, 3, 1];
