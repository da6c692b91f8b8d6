import { blockedOf } from "../forms.ts";
import type { GraphValue } from "../graph.ts";
import type { RecordedTensor } from "../recorded-tensor.ts";
import type { Recording } from "../recording.ts";
import { canBeBlocked, type FilterShape, transposedWithin } from "./blocked-filter.ts";
import type { Padding } from "./padding.ts";
import {
  filterAtPoints,
  fitsTiles,
  imageAtPoints,
  imageFromPoints,
  resultAtPoints,
  resultFromPoints,
} from "./winograd.ts";

/** Least number of channels at which saved products outweigh the passes over memory at both ends. */
const FROM_CHANNELS = 64;

/**
 * True if a convolution and its gradients are computed in tiles of rows, on blocked images, with half the products.
 *
 * 128 filters of 3x3 on 32 boards of 20x20 took 25 ms in place of 37, one thread.
 */
export function canBeTiled(
  { channelBlock }: Recording,
  [height, , inputs, outputs]: FilterShape,
  outHeight: number,
): boolean {
  if (!canBeBlocked(channelBlock, inputs, outputs) || !fitsTiles(height, outHeight)) return false;
  return Math.min(inputs, outputs) >= FROM_CHANNELS;
}

/** A convolution with a filter [3, width, inputs, outputs] to a height and width. */
export function convolveTiled(
  recording: Recording,
  x: RecordedTensor,
  filter: GraphValue,
  [outHeight, outWidth]: readonly [number, number],
  [top, left, , right]: Padding,
): RecordedTensor {
  const images = imageAtPoints(recording, blockedOf(recording, x), top, outHeight);
  const results = convolveAtPoints(recording, images, filter, false, outWidth, [left, right]);
  return recording.blockedImage(resultFromPoints(recording, results, outHeight));
}

/** The gradient by the input of a convolution in tiles, an image of this height and width. */
export function tiledInputGradient(
  recording: Recording,
  dy: RecordedTensor,
  filter: GraphValue,
  [height, width]: readonly [number, number],
  [top, left, , right]: Padding,
): RecordedTensor {
  const { graph } = recording;
  const [axis, backwards] = [graph.integers([1]), graph.integers([-1])];
  const beforeFirst = graph.integers([-filter.shape[1]! - 1]);
  const rotated = recording.node("Slice", [filter, backwards, beforeFirst, axis, backwards], filter.shape);
  const last = filter.shape[1]! - 1;
  const points = gradientAtPoints(recording, dy);
  const products = convolveAtPoints(recording, points, rotated, true, width, [last - left, last - right]);
  return recording.blockedImage(imageFromPoints(recording, products, top, height));
}

/** Gradients at each point that have been written. */
const gradients = new WeakMap<RecordedTensor, readonly GraphValue[]>();

/**
 * A gradient by a convolution's result at each point (see `winograd.ts`), written once: the gradients by the input and by
 * the filter both need it.
 */
export function gradientAtPoints(recording: Recording, dy: RecordedTensor): readonly GraphValue[] {
  let points = gradients.get(dy);
  if (points === undefined) gradients.set(dy, (points = resultAtPoints(recording, blockedOf(recording, dy))));
  return points;
}

/** The convolutions at each point, with windows of one row. `swapped`: from the outputs of the filter to its inputs. */
function convolveAtPoints(
  recording: Recording,
  images: readonly GraphValue[],
  filter: GraphValue,
  swapped: boolean,
  outWidth: number,
  [left, right]: readonly [number, number],
): GraphValue[] {
  const block = recording.channelBlock!;
  const points = filterAtPoints(recording, filter);
  const [count, width, third, fourth] = points.shape as [number, number, number, number];
  const cut = recording.reshaped(points, [count, width, third / block, block, fourth / block, block]);
  const blocks = recording.transposed(cut, swapped ? [0, 2, 4, 1, 3, 5] : [0, 4, 2, 1, 3, 5]);
  const outputsInside = swapped ? transposedWithin(recording, blocks) : blocks;
  const [from, to] = swapped ? [fourth, third] : [third, fourth];
  const filters = recording.reshaped(outputsInside, [count, to, from, 1, width]);
  const window = { kernel_shape: [1, width], pads: [0, left, 0, right] };
  return images.map((image, i) => {
    const [rows, , tiles] = image.shape as [number, number, number];
    const index = recording.graph.constant("constant/point", [], "int64", BigInt64Array.of(BigInt(i)));
    const own = recording.node("Gather", [filters, index], [to, from, 1, width], { axis: 0 });
    return recording.blockedNode("Conv", [image, own], [rows, to, tiles, outWidth], window);
  });
}
