import { blockedOf, channelsFirstOf, inBlocks } from "../forms.ts";
import type { GraphValue } from "../graph.ts";
import { type RecordedTensor, uniform, unwrittenImage } from "../recorded-tensor.ts";
import type { Recording } from "../recording.ts";
import { sizeOf } from "../../tensors.ts";
import { pointwise } from "./pointwise.ts";

/** Sums that have been written. */
const known = new WeakMap<RecordedTensor, RecordedTensor>();

/** Sums over rows, height and width by channel, from those of the images that are combined; [channels]. */
export function channelSums(recording: Recording, image: RecordedTensor): RecordedTensor {
  let sums = known.get(image);
  if (sums === undefined) known.set(image, (sums = writeChannelSums(recording, image)));
  return sums;
}

function writeChannelSums(recording: Recording, image: RecordedTensor): RecordedTensor {
  const channels = image.shape[3]!;
  if (image.kind !== "combination") {
    if (inBlocks(image)) {
      const unwritten = unwrittenImage(image);
      const sums =
        unwritten?.kind === "image product"
          ? productSumsInBlocks(recording, unwritten.factors)
          : sumsInBlocks(recording, image);
      const overRows = [sums, recording.graph.integers([0])];
      return recording.result(recording.node("ReduceSum", overRows, [channels], { keepdims: 0 }));
    }
    const value = channelsFirstOf(recording, image);
    const axes = recording.graph.integers([0, 2, 3]);
    return recording.result(recording.node("ReduceSum", [value, axes], [channels], { keepdims: 0 }));
  }
  const parts = image.terms.map(({ image: term, factor }) => {
    const sums = channelSums(recording, term);
    return factor === undefined ? sums : pointwise(recording, "Mul", [sums, factor]);
  });
  if (image.offset !== undefined) {
    const count = uniform([], sizeOf(image.shape) / channels);
    parts.push(pointwise(recording, "Mul", [image.offset, count]));
  }
  return parts.reduce((total, part) => pointwise(recording, "Add", [total, part]));
}

/** Sums of an image over height and width, [rows, channels]. */
function sumsInBlocks(recording: Recording, image: RecordedTensor): GraphValue {
  const value = blockedOf(recording, image);
  const [rows, channels, height, width] = value.shape as [number, number, number, number];
  const means = recording.blockedNode("GlobalAveragePool", [value], [rows, channels, 1, 1]);
  const flat = recording.reshaped(means, [rows, channels]);
  return recording.node("Mul", [flat, recording.graph.scalar(height * width)], flat.shape);
}

/**
 * Sums of the products of two images over height and width, [rows, channels].
 *
 * Each channel of each row is convolved with the other image's: a window as large as the image, without padding. The
 * products are not written: half the time of a product and a sum.
 */
function productSumsInBlocks(
  recording: Recording,
  [a, b]: readonly [RecordedTensor, RecordedTensor],
): GraphValue {
  const [first, second] = [blockedOf(recording, a), blockedOf(recording, b)];
  const [rows, channels, height, width] = first.shape as [number, number, number, number];
  const group = rows * channels;
  const sums = recording.blockedNode(
    "Conv",
    [
      recording.reshaped(first, [1, group, height, width]),
      recording.reshaped(second, [group, 1, height, width]),
    ],
    [1, group, 1, 1],
    { kernel_shape: [height, width], group },
  );
  return recording.reshaped(sums, [rows, channels]);
}
