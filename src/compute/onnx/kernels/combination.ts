import { productSumsInBlocks, sumsInBlocks } from "../blocked-images.ts";
import {
  type Combination,
  isImage,
  isUnwrittenImage,
  type RecordedTensor,
  type Term,
  uniform,
} from "../recorded-tensor.ts";
import type { Recording } from "../recording.ts";
import { sizeOf } from "../../tensors.ts";
import { view } from "./arrangement.ts";
import { pointwise } from "./elementwise.ts";

/**
 * A sum, difference or product as a combination of images by channel, where it is one: nothing is computed yet.
 *
 * Normalisation and its gradient are such combinations of two or three images. Written when first needed they take
 * half the passes over memory that the steps of the formulas take one by one, and their sums by channel follow from
 * sums that are known. Undefined where the operation is none of these, or between images of which none is one.
 */
export function combination(
  recording: Recording,
  operator: "Add" | "Sub" | "Mul",
  first: RecordedTensor,
  second: RecordedTensor,
): RecordedTensor | undefined {
  const a = withoutOnes(first.broadcastOf ?? first);
  const b = withoutOnes(second.broadcastOf ?? second);
  if (isWhole(a) && isByChannel(b, a)) {
    const of = combinationOf(a);
    if (operator === "Mul") return combined(recording, a, scaled(recording, of, b));
    return combined(recording, a, { ...of, offset: sum(recording, operator, of.offset, b) });
  }
  if (isByChannel(a, b) && isWhole(b)) {
    const of = operator === "Sub" ? negated(recording, combinationOf(b)) : combinationOf(b);
    if (operator === "Mul") return combined(recording, b, scaled(recording, of, a));
    return combined(recording, b, { ...of, offset: sum(recording, "Add", of.offset, a) });
  }
  if (operator === "Mul" || !isWhole(a) || !isWhole(b) || !sameImage(a, b)) return undefined;
  if (operator === "Add") {
    const taken = convolutionPlus(recording, b, a) ?? convolutionPlus(recording, a, b);
    if (taken !== undefined) return taken;
  }
  if (!isOpen(a) && !isOpen(b)) return undefined;
  const right = operator === "Sub" ? negated(recording, combinationOf(b)) : combinationOf(b);
  const left = combinationOf(a);
  const offset = right.offset === undefined ? left.offset : sum(recording, "Add", left.offset, right.offset);
  return combined(recording, a, {
    terms: [...left.terms, ...right.terms],
    ...(offset === undefined ? {} : { offset }),
  });
}

/** A convolution in blocks that was not written yet takes in an image that was: one pass less over memory. */
function convolutionPlus(
  recording: Recording,
  image: RecordedTensor,
  added: RecordedTensor,
): RecordedTensor | undefined {
  if (!isUnwrittenImage(image) || isUnwrittenImage(added)) return undefined;
  if (image.blockedConvolution === undefined || !recording.inBlocks(added)) return undefined;
  const value = recording.convolution(image, image.blockedConvolution, recording.blocked(added));
  return recording.blockedImage(value);
}

/** Sums over rows, height and width by channel, from those of the images that are combined; [channels]. */
export function channelSums(recording: Recording, image: RecordedTensor): RecordedTensor {
  return (image.channelSums ??= writeChannelSums(recording, image));
}

function writeChannelSums(recording: Recording, image: RecordedTensor): RecordedTensor {
  const of = image.combination;
  const channels = image.shape[3]!;
  if (of === undefined) {
    if (recording.inBlocks(image)) {
      const product = isUnwrittenImage(image) ? image.imageProduct : undefined;
      const sums =
        product === undefined ? sumsInBlocks(recording, image) : productSumsInBlocks(recording, product);
      const overRows = [sums, recording.graph.integers([0])];
      return recording.result(recording.node("ReduceSum", overRows, [channels], { keepdims: 0 }));
    }
    const value = recording.channelsFirst(image);
    const axes = recording.graph.integers([0, 2, 3]);
    return recording.result(recording.node("ReduceSum", [value, axes], [channels], { keepdims: 0 }));
  }
  const parts = of.terms.map(({ image: term, factor }) => {
    const sums = channelSums(recording, term);
    return factor === undefined ? sums : pointwise(recording, "Mul", [sums, factor]);
  });
  if (of.offset !== undefined) {
    const count = uniform([], sizeOf(image.shape) / channels);
    parts.push(pointwise(recording, "Mul", [of.offset, count]));
  }
  return parts.reduce((total, part) => pointwise(recording, "Add", [total, part]));
}

/**
 * The product of two images in blocks, element by element, which is not computed where only its sums by channel are
 * asked for; undefined where it is none.
 */
export function imageProduct(
  recording: Recording,
  a: RecordedTensor,
  b: RecordedTensor,
): RecordedTensor | undefined {
  if (!isWhole(a) || !isWhole(b) || !sameImage(a, b)) return undefined;
  if (!recording.inBlocks(a) || !recording.inBlocks(b)) return undefined;
  return { shape: a.shape, type: a.type, layer: recording.layer, imageProduct: [a, b] };
}

/** A vector over channels that was given three axes of length 1, as gradients of means are, without them. */
function withoutOnes(tensor: RecordedTensor): RecordedTensor {
  const { shape } = tensor;
  const vector = shape.length === 4 && shape.slice(0, 3).every((size) => size === 1) && !isImage(tensor);
  return vector ? view(tensor, [shape[3]!]) : tensor;
}

/** A float image in one of ONNX's forms. */
function isWhole(tensor: RecordedTensor): boolean {
  return tensor.shape.length === 4 && tensor.type === "float32" && isImage(tensor);
}

/** A combination that has not been computed. */
function isOpen(tensor: RecordedTensor): boolean {
  return tensor.combination !== undefined && isUnwrittenImage(tensor);
}

/** A number, or one for each of the image's channels. */
function isByChannel({ shape, type, stepOf }: RecordedTensor, image: RecordedTensor): boolean {
  if (type !== "float32" || stepOf !== undefined) return false;
  return shape.length === 0 || (shape.length === 1 && (shape[0] === 1 || shape[0] === image.shape[3]));
}

function sameImage(a: RecordedTensor, b: RecordedTensor): boolean {
  return a.shape.every((size, axis) => size === b.shape[axis]);
}

/** What has been computed is a term of its own; what has not is taken apart. */
function combinationOf(tensor: RecordedTensor): Combination {
  return isOpen(tensor) ? tensor.combination! : { terms: [{ image: tensor }] };
}

function combined(recording: Recording, { shape }: RecordedTensor, of: Combination): RecordedTensor {
  return { shape, type: "float32", layer: recording.layer, combination: of };
}

function scaled(recording: Recording, { terms, offset }: Combination, by: RecordedTensor): Combination {
  const times = (value: RecordedTensor | undefined) =>
    value === undefined ? by : pointwise(recording, "Mul", [value, by]);
  return {
    terms: terms.map(({ image, factor }): Term => ({ image, factor: times(factor) })),
    ...(offset === undefined ? {} : { offset: times(offset) }),
  };
}

function negated(recording: Recording, of: Combination): Combination {
  return scaled(recording, of, uniform([], -1));
}

function sum(
  recording: Recording,
  operator: "Add" | "Sub",
  offset: RecordedTensor | undefined,
  by: RecordedTensor,
): RecordedTensor {
  if (offset !== undefined) return pointwise(recording, operator, [offset, by]);
  return operator === "Add" ? by : pointwise(recording, "Neg", [by]);
}
