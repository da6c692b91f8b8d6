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
 * A sum, difference or product as a combination of images by channel. No node is written yet. Undefined if the operation is
 * no such combination, or joins two images that are both written.
 *
 * Normalisation and its gradient are combinations of two or three images. Written as a whole, when first needed, they take
 * half the passes over memory that their single operations take. Their sums by channel follow from sums that are known.
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

/** An unwritten convolution in blocks, with a written image added to it: one pass over memory less. */
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
 * The product of two images in blocks, element by element; undefined if the tensors are not such images. It is not computed
 * if only its sums by channel are needed.
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

/** A vector over channels without leading axes of length 1, which gradients of means have. */
function withoutOnes(tensor: RecordedTensor): RecordedTensor {
  const { shape } = tensor;
  const vector = shape.length === 4 && shape.slice(0, 3).every((size) => size === 1) && !isImage(tensor);
  return vector ? view(tensor, [shape[3]!]) : tensor;
}

/** True for a float image in one of ONNX's forms. */
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

/** The combination that an image is, if it is unwritten; else the combination whose only term is the image. */
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
