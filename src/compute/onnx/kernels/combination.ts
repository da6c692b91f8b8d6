import { blockedOf, inBlocks, writeBlockedConvolution } from "../forms.ts";
import {
  type Combination,
  isImage,
  type RecordedTensor,
  type Term,
  uniform,
  unwrittenImage,
  withoutBroadcast,
} from "../recorded-tensor.ts";
import type { Recording } from "../recording.ts";
import { view } from "./arrangement.ts";
import { pointwise } from "./pointwise.ts";

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
  const a = withoutOnes(withoutBroadcast(first));
  const b = withoutOnes(withoutBroadcast(second));
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
  if (unwrittenCombination(a) === undefined && unwrittenCombination(b) === undefined) return undefined;
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
  const convolution = unwrittenImage(image);
  if (convolution?.kind !== "blocked convolution" || unwrittenImage(added) !== undefined) return undefined;
  if (!inBlocks(added)) return undefined;
  const value = writeBlockedConvolution(recording, convolution, blockedOf(recording, added));
  return recording.blockedImage(value);
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
  if (!inBlocks(a) || !inBlocks(b)) return undefined;
  const { shape, type } = a;
  return { kind: "image product", shape, type, layer: recording.layer, forms: {}, factors: [a, b] };
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

/** The combination that an image is, as long as it is not written. */
function unwrittenCombination(tensor: RecordedTensor): Combination | undefined {
  const image = unwrittenImage(tensor);
  return image?.kind === "combination" ? image : undefined;
}

/** A number, or one for each of the image's channels. */
function isByChannel({ shape, type, kind }: RecordedTensor, image: RecordedTensor): boolean {
  if (type !== "float32" || kind === "step") return false;
  return shape.length === 0 || (shape.length === 1 && (shape[0] === 1 || shape[0] === image.shape[3]));
}

function sameImage(a: RecordedTensor, b: RecordedTensor): boolean {
  return a.shape.every((size, axis) => size === b.shape[axis]);
}

/** What has been computed is a term of its own; what has not is taken apart. */
function combinationOf(tensor: RecordedTensor): Combination {
  return unwrittenCombination(tensor) ?? { terms: [{ image: tensor }] };
}

function combined(
  recording: Recording,
  { shape }: RecordedTensor,
  { terms, offset }: Combination,
): RecordedTensor {
  return {
    kind: "combination",
    shape,
    type: "float32",
    layer: recording.layer,
    forms: {},
    terms,
    ...(offset === undefined ? {} : { offset }),
  };
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
