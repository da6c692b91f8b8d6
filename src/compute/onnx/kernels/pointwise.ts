import { blockedOf, byChannelOf, channelsFirstOf, inBlocks, plainOf, withFormOfImage } from "../forms.ts";
import type { ElementType, GraphValue } from "../graph.ts";
import { isImage, type RecordedTensor, withoutBroadcast } from "../recorded-tensor.ts";
import { type Recording, sameShape } from "../recording.ts";

/**
 * Appends an operator over tensors broadcast against one another.
 *
 * Images stay channels-first if one of them already is, so that no transposition is needed between
 * convolutions; per-channel vectors then become [channels, 1, 1].
 */
export function pointwise(
  recording: Recording,
  operator: string,
  tensors: readonly RecordedTensor[],
  floats: Readonly<Record<string, number>> = {},
  type: ElementType = tensors[0]!.type,
): RecordedTensor {
  const attributes = Object.fromEntries(Object.entries(floats).map(([name, float]) => [name, { float }]));
  const operands = tensors.map((tensor) => withFormOfImage(recording, withoutBroadcast(tensor)));
  const images = operands.some(isImage) && operands.every(canBeChannelsFirst);
  const blocks = images && type === "float32" && canStayInBlocks(operands);
  const form = (tensor: RecordedTensor): GraphValue => {
    if (!images) return plainOf(recording, tensor);
    if (tensor.shape.length !== 4) return byChannelOf(recording, tensor);
    return blocks ? blockedOf(recording, tensor) : channelsFirstOf(recording, tensor);
  };
  const values = operands.map(form);
  const value = recording.node(
    operator,
    values,
    broadcast(values.map((operand) => operand.shape)),
    attributes,
    type,
  );
  const whole = blocks ? recording.blockedImage(value) : recording.image(value);
  return repeated(images ? whole : recording.result(value), broadcast(tensors.map((tensor) => tensor.shape)));
}

/** True for images in blocks of one shape, and numbers: the order of elements does not matter to these. */
function canStayInBlocks(operands: readonly RecordedTensor[]): boolean {
  const images = operands.filter(({ shape }) => shape.length === 4);
  return (
    images.some(inBlocks) &&
    operands.every(({ type }) => type === "float32") &&
    images.every(({ shape }) => sameShape(shape, images[0]!.shape)) &&
    operands.every(({ shape }) => shape.length !== 1 || shape[0] === 1)
  );
}

/** The tensor repeated to this shape. Nodes are written only if a kernel needs the whole tensor. */
export function repeated(tensor: RecordedTensor, shape: readonly number[]): RecordedTensor {
  if (sameShape(tensor.shape, shape)) return tensor;
  return { kind: "broadcast", shape, type: tensor.type, layer: tensor.layer, forms: {}, of: tensor };
}

function canBeChannelsFirst({ shape }: RecordedTensor): boolean {
  return shape.length === 4 || shape.length <= 1;
}

/** The shape of tensors broadcast against one another, as in NumPy. */
export function broadcast(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, i) => {
    const sizes = shapes.map((shape) => shape[shape.length - rank + i] ?? 1);
    return sizes.find((size) => size !== 1) ?? 1;
  });
}
