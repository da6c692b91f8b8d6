import type { Attributes, ElementType, GraphValue } from "./graph.ts";
import { sizeOf } from "../tensors.ts";

/**
 * What a tfjs tensor stands for while a function is recorded.
 *
 * Images are [rows, height, width, channels] in tfjs and [rows, channels, height, width] in ONNX convolutions.
 * A recorded tensor therefore has up to three forms in the graph, `plain` in tfjs's order, `channelsFirst`, and
 * `blocked` for the runtime's own convolutions; what turns one into another is written only when a kernel asks for
 * the form that is missing.
 * Constants and reshaped views are likewise written when first used.
 */
export interface RecordedTensor {
  readonly shape: readonly number[];
  readonly type: ElementType;
  /** The layer it was computed in. */
  readonly layer: string;
  plain?: GraphValue;
  channelsFirst?: GraphValue;
  /** The channels-first form with the channels of a block innermost: [rows, channels / block, height, width, block]. */
  blocked?: GraphValue;
  /** Values known while recording. */
  readonly constant?: Constant;
  /** The tensor that this one is a reshaped view of. */
  readonly viewOf?: RecordedTensor;
  /** The smaller tensor that this one repeats along axes of length 1. */
  readonly broadcastOf?: RecordedTensor;
  /** Set where every element is 0 or 1: the tensor whose positive elements gave 1. */
  readonly stepOf?: RecordedTensor;
  /** Set where the image is a combination of others; computed when one of its forms is asked for. */
  readonly combination?: Combination;
  /** Set where the image is the product of two, element by element; computed when one of its forms is asked for. */
  readonly imageProduct?: readonly [RecordedTensor, RecordedTensor];
  /** Set where the image is a convolution of blocked ones, written when first needed: a sum may take it in. */
  readonly blockedConvolution?: BlockedConvolution;
  /** Set where the matrix is a product of two, written when first needed: a sum may take it in. */
  readonly productOf?: Product;
  /** Set where every element is one of another tensor's, times a number; written when first needed. */
  readonly multipleOf?: Multiple;
  /** The sums of an image by channel, once they have been computed. */
  channelSums?: RecordedTensor;
  /** The rectified tensor, once it has been computed. */
  rectified?: RecordedTensor;
  /** The gradient by a convolution's result at each point of `winograd.ts`, once it has been computed. */
  atPoints?: readonly GraphValue[];
  /** Matrices of the cells under a window, by window and padding, once they have been computed. */
  unfolded?: Map<string, GraphValue>;
}

/** A sum of images, each times a factor, and of an offset; factors and offset are numbers or vectors over channels. */
export interface Combination {
  readonly terms: readonly Term[];
  readonly offset?: RecordedTensor;
}

/** An image that has been computed, times a factor. */
export interface Term {
  readonly image: RecordedTensor;
  readonly factor?: RecordedTensor;
}

/** A convolution of images in blocks, its filter in blocks of inputs and outputs. */
export interface BlockedConvolution {
  readonly images: GraphValue;
  readonly filter: GraphValue;
  readonly attributes: Attributes;
}

/** A product of matrices, each transposed where its number is 1. */
export interface Product {
  readonly left: RecordedTensor;
  readonly right: RecordedTensor;
  readonly transA: number;
  readonly transB: number;
}

/** A tensor times a number. */
export interface Multiple {
  readonly tensor: RecordedTensor;
  readonly by: number;
}

/** True of an image that is computed in one of ONNX's forms. */
export function isImage(tensor: RecordedTensor): boolean {
  return tensor.channelsFirst !== undefined || tensor.blocked !== undefined || isUnwrittenImage(tensor);
}

/** True of an image that is made of others, and not computed in any form so far. */
export function isUnwrittenImage(tensor: RecordedTensor): boolean {
  const { channelsFirst, blocked, combination, imageProduct, blockedConvolution } = tensor;
  return (
    channelsFirst === undefined &&
    blocked === undefined &&
    (combination ?? imageProduct ?? blockedConvolution) !== undefined
  );
}

/** Data of a constant, and its name where it has one of its own. */
export interface Constant {
  readonly name: string;
  readonly data: Float32Array | Int32Array | Uint8Array;
  /** The value of every element, where all are equal. */
  readonly uniform?: number;
}

/** A constant with one value everywhere. */
export function uniform(shape: readonly number[], value: number): RecordedTensor {
  const data = new Float32Array(sizeOf(shape)).fill(value);
  return {
    shape,
    type: "float32",
    layer: "",
    constant: { name: "constant/uniform", data, uniform: value },
  };
}

/** Position of each plain axis in the channels-first form. */
export const CHANNELS_FIRST_AXIS: readonly number[] = [0, 2, 3, 1];
/** The permutation that turns the plain form into the channels-first one. */
export const TO_CHANNELS_FIRST: readonly number[] = [0, 3, 1, 2];
/** The permutation back. */
export const FROM_CHANNELS_FIRST: readonly number[] = [0, 2, 3, 1];
