import { assertFills, type Attributes, type ElementType, type GraphValue } from "./graph.ts";
import {
  type BlockedConvolutionTensor,
  type Combination,
  FROM_CHANNELS_FIRST,
  isImage,
  type MatrixProductTensor,
  type MultipleTensor,
  type RecordedTensor,
  type StepTensor,
  type Term,
  TO_CHANNELS_FIRST,
  unwrittenImage,
  type WrittenTensor,
} from "./recorded-tensor.ts";
import type { Recording } from "./recording.ts";

/** The plain form of a tensor, in tfjs's order of axes; written if it is missing. */
export function plainOf(recording: Recording, tensor: RecordedTensor): GraphValue {
  return (tensor.forms.plain ??= writePlain(recording, tensor));
}

/** The channels-first form of an image, [rows, channels, height, width]; written if it is missing. */
export function channelsFirstOf(recording: Recording, tensor: RecordedTensor): GraphValue {
  return (tensor.forms.channelsFirst ??= writeChannelsFirst(recording, tensor));
}

/** The blocked form of an image, under the shape of its channels-first form; written if it is missing. */
export function blockedOf(recording: Recording, tensor: RecordedTensor): GraphValue {
  return (tensor.forms.blocked ??= writeBlocked(recording, tensor, false));
}

/**
 * True for an image that is computed in blocks, now or when it is first needed.
 *
 * Blocked convolutions make blocked images. What is computed from blocked images alone stays in blocks.
 */
export function inBlocks(image: RecordedTensor): boolean {
  const unwritten = unwrittenImage(image);
  switch (unwritten?.kind) {
    case "blocked convolution":
      return true;
    case "combination":
      return unwritten.terms.some((term) => inBlocks(term.image));
    case "image product":
      return unwritten.factors.some(inBlocks);
    default:
      return image.forms.blocked !== undefined;
  }
}

/** Appends a node over plain forms. */
export function emit(
  recording: Recording,
  operator: string,
  inputs: readonly (RecordedTensor | GraphValue)[],
  shape: readonly number[],
  attributes?: Attributes,
  type: ElementType = "float32",
): WrittenTensor {
  const values = inputs.map((input) => ("forms" in input ? plainOf(recording, input) : input));
  return recording.result(recording.node(operator, values, shape, attributes, type));
}

/** A number, or a vector over channels, as a vector. */
function vectorOf(recording: Recording, tensor: RecordedTensor, channels: number): GraphValue {
  const value = plainOf(recording, tensor);
  return value.shape[0] === channels ? value : recording.repeated(value, [channels]);
}

/** A number, or a vector over channels, in the shape that ONNX broadcasts over channels-first images. */
export function byChannelOf(recording: Recording, tensor: RecordedTensor): GraphValue {
  const value = plainOf(recording, tensor);
  return value.shape.length === 0 ? value : recording.reshaped(value, [value.shape[0]!, 1, 1]);
}

/** Rectified tensors that have been written: the gradient of a rectifier needs its result again. */
const rectified = new WeakMap<RecordedTensor, RecordedTensor>();

/** max(x, 0), written once for each x. */
export function rectifiedOf(recording: Recording, of: RecordedTensor): RecordedTensor {
  let result = rectified.get(of);
  if (result === undefined) rectified.set(of, (result = writeRectified(recording, of)));
  return result;
}

/** The tensor; a step of an image gets the form that the image has. */
export function withFormOfImage(recording: Recording, tensor: RecordedTensor): RecordedTensor {
  if (tensor.kind !== "step" || !isImage(tensor.of) || isImage(tensor)) return tensor;
  const positive = rectifiedOf(recording, tensor.of);
  if (inBlocks(positive)) tensor.forms.blocked = writePositive(recording, blockedOf(recording, positive));
  else tensor.forms.channelsFirst = writePositive(recording, channelsFirstOf(recording, positive));
  return tensor;
}

/** Writes a product of matrices, and what is added to it. */
export function writeMatrixProduct(
  recording: Recording,
  { left, right, transA, transB, shape }: MatrixProductTensor,
  added?: Pick<MultipleTensor, "of" | "by">,
): GraphValue {
  const factors = [plainOf(recording, left), plainOf(recording, right)];
  if (added === undefined) return recording.node("Gemm", factors, shape, { transA, transB });
  const beta = { float: added.by };
  const inputs = [...factors, plainOf(recording, added.of)];
  return recording.node("Gemm", inputs, shape, { transA, transB, beta });
}

/** Writes a blocked convolution, in the layer that computes it, and what is added to it. */
export function writeBlockedConvolution(
  recording: Recording,
  { shape, layer, images, filter, attributes }: BlockedConvolutionTensor,
  added?: GraphValue,
): GraphValue {
  const inputs = [images, filter];
  const channelsFirst = TO_CHANNELS_FIRST.map((axis) => shape[axis]!);
  if (added !== undefined) inputs.push(recording.filled([channelsFirst[1]!], 0), added);
  return recording.blockedNode("Conv", inputs, channelsFirst, attributes, layer);
}

function writePlain(recording: Recording, tensor: RecordedTensor): GraphValue {
  const { shape } = tensor;
  switch (tensor.kind) {
    case "view":
      return recording.reshaped(plainOf(recording, tensor.of), shape);
    case "broadcast":
      return recording.repeated(plainOf(recording, tensor.of), shape);
    case "step":
      return writeStep(recording, tensor);
    case "constant":
      assertFills(shape, tensor.data);
      return recording.graph.constant(tensor.name, shape, tensor.type, tensor.data);
    case "matrix product":
      return writeMatrixProduct(recording, tensor);
    case "multiple":
      return recording.node("Mul", [plainOf(recording, tensor.of), recording.graph.scalar(tensor.by)], shape);
    default:
      if (!isImage(tensor)) throw new Error("a recorded tensor without a value");
      return recording.transposed(channelsFirstOf(recording, tensor), FROM_CHANNELS_FIRST);
  }
}

function writeChannelsFirst(recording: Recording, tensor: RecordedTensor): GraphValue {
  if (inBlocks(tensor)) {
    const blocked = blockedOf(recording, tensor);
    return recording.blockedNode("ReorderOutput", [blocked], blocked.shape, { channels: blocked.shape[1]! });
  }
  if (tensor.kind === "combination") return writeCombination(recording, tensor);
  if (tensor.kind !== "broadcast" || tensor.of.shape.length !== 4)
    return recording.transposed(plainOf(recording, tensor), TO_CHANNELS_FIRST);
  const shape = TO_CHANNELS_FIRST.map((axis) => tensor.shape[axis]!);
  return recording.repeated(channelsFirstOf(recording, tensor.of), shape);
}

function writeBlocked(recording: Recording, tensor: RecordedTensor, rectify: boolean): GraphValue {
  const unwritten = inBlocks(tensor) ? unwrittenImage(tensor) : undefined;
  switch (unwritten?.kind) {
    case "blocked convolution":
      return writeBlockedConvolution(recording, unwritten);
    case "combination":
      return writeBlockedCombination(recording, unwritten, rectify);
    case "image product": {
      const [a, b] = unwritten.factors;
      const factors = [blockedOf(recording, a), blockedOf(recording, b)];
      return recording.node("Mul", factors, factors[0]!.shape);
    }
    default: {
      const image = channelsFirstOf(recording, tensor);
      return recording.blockedNode("ReorderInput", [image], image.shape);
    }
  }
}

function writeStep(recording: Recording, { of }: StepTensor): GraphValue {
  return writePositive(recording, plainOf(recording, rectifiedOf(recording, of)));
}

/** 1 where a rectified value is not 0, as min(1, 3e38 y): half the time of `Sign`. */
function writePositive(recording: Recording, rectifiedValue: GraphValue): GraphValue {
  const attributes = { alpha: { float: 3e38 }, beta: { float: 0 } };
  return recording.node("HardSigmoid", [rectifiedValue], rectifiedValue.shape, attributes);
}

function writeRectified(recording: Recording, of: RecordedTensor): WrittenTensor {
  const relu = (x: GraphValue) => recording.node("Relu", [x], x.shape);
  if (!isImage(of)) return recording.result(relu(plainOf(recording, of)));
  if (!inBlocks(of)) return recording.image(relu(channelsFirstOf(recording, of)));
  const fused = unwrittenImage(of)?.kind === "combination";
  return recording.blockedImage(fused ? writeBlocked(recording, of, true) : relu(blockedOf(recording, of)));
}

/** Writes a combination of images, channels first. */
function writeCombination(recording: Recording, { terms, offset }: Combination): GraphValue {
  const { shape } = channelsFirstOf(recording, terms[0]!.image);
  const write = ({ image, factor }: Term, added: RecordedTensor | undefined): GraphValue => {
    const value = channelsFirstOf(recording, image);
    if (factor !== undefined && added !== undefined) return writeAffine(recording, value, factor, added);
    if (factor !== undefined) return recording.node("Mul", [value, byChannelOf(recording, factor)], shape);
    return added === undefined ? value : recording.node("Add", [value, byChannelOf(recording, added)], shape);
  };
  // The offset goes with a term that has a factor, so that both are one pass over memory.
  const carrier = Math.max(
    terms.findIndex(({ factor }) => factor !== undefined),
    0,
  );
  return terms
    .map((term, i) => write(term, i === carrier ? offset : undefined))
    .reduce((sum, value) => recording.node("Add", [sum, value], shape));
}

/** An image times a factor plus an offset, as a normalisation by mean 0 and variance 1: one pass over memory. */
function writeAffine(
  recording: Recording,
  image: GraphValue,
  factor: RecordedTensor,
  offset: RecordedTensor,
): GraphValue {
  const channels = image.shape[1]!;
  const [zeros, ones] = [recording.filled([channels], 0), recording.filled([channels], 1)];
  const vectors = [factor, offset].map((each) => vectorOf(recording, each, channels));
  const attributes = { epsilon: { float: 0 } };
  return recording.node("BatchNormalization", [image, ...vectors, zeros, ones], image.shape, attributes);
}

/**
 * Writes a combination of images in blocks; with `rectify` max(0, combination).
 *
 * A convolution with a window of one cell and a group for each channel multiplies by channel, adds an offset and another
 * image, and rectifies, all in one pass over memory.
 */
function writeBlockedCombination(
  recording: Recording,
  combination: Combination,
  rectify: boolean,
): GraphValue {
  const { terms, offset } = rectify ? withoutShift(recording, combination) : combination;
  const bare = terms.filter(({ factor }) => factor === undefined);
  const scaled = terms.filter(({ factor }) => factor !== undefined);
  if (offset !== undefined && scaled.length === 0) scaled.push(bare.pop()!);
  let sum: GraphValue | undefined;
  for (const { image } of bare) {
    const value = blockedOf(recording, image);
    sum = sum === undefined ? value : recording.node("Add", [sum, value], value.shape);
  }
  if (scaled.length === 0) return rectify ? recording.node("Relu", [sum!], sum!.shape) : sum!;
  scaled.forEach(({ image, factor }, i) => {
    const value = blockedOf(recording, image);
    const channels = value.shape[1]!;
    const vector = (tensor: RecordedTensor | undefined, otherwise: number) =>
      tensor === undefined ? recording.filled([channels], otherwise) : vectorOf(recording, tensor, channels);
    const filter = recording.reshaped(vector(factor, 1), [channels, 1, 1, 1]);
    const inputs = [value, filter, vector(i === 0 ? offset : undefined, 0)];
    if (sum !== undefined) inputs.push(sum);
    const attributes: Attributes = { kernel_shape: [1, 1], group: channels };
    const activation = rectify && i === scaled.length - 1 ? { activation: "Relu" } : {};
    sum = recording.blockedNode("Conv", inputs, value.shape, { ...attributes, ...activation });
  });
  return sum!;
}

/**
 * A combination whose scaled image is a shifted one, as a combination of the image before the shift.
 *
 * After the rectifier of a normalisation nothing reads the shifted image, so the memory of the convolution before it is
 * free for the next convolution, which takes 31 ms in place of 37 when it writes to memory in the cache (128 filters, 32
 * rows).
 */
function withoutShift(recording: Recording, combination: Combination): Combination {
  const [term] = combination.terms.filter(({ factor }) => factor !== undefined);
  const shifted = term?.image;
  if (term?.factor === undefined || shifted?.kind !== "combination" || shifted.offset === undefined)
    return combination;
  const [only] = shifted.terms;
  if (shifted.terms.length !== 1 || only!.factor !== undefined) return combination;
  const channels = shifted.shape[3]!;
  const vectors = [term.factor, shifted.offset].map((each) => vectorOf(recording, each, channels));
  const shift = recording.node("Mul", vectors, [channels]);
  const { offset } = combination;
  const added =
    offset === undefined
      ? shift
      : recording.node("Add", [shift, vectorOf(recording, offset, channels)], [channels]);
  return {
    terms: combination.terms.map((each) => (each === term ? { ...each, image: only!.image } : each)),
    offset: recording.result(added),
  };
}
