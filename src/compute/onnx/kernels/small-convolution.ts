import { plainOf } from "../forms.ts";
import type { GraphValue } from "../graph.ts";
import { isImage, type RecordedTensor } from "../recorded-tensor.ts";
import type { Recording } from "../recording.ts";
import type { Padding } from "./padding.ts";

/** Images of at most this many cells are convolved by one matrix product over all rows. */
export const SMALL_CELLS = 16;

/**
 * True if a convolution is better computed as one product of unfolded images.
 *
 * ONNX Runtime convolves image by image. For a small board each product has so few columns that it does not fill the
 * processor's registers. Images that are channels-first already stay so.
 */
export function isSmall(x: RecordedTensor, height: number, width: number): boolean {
  return height * width <= SMALL_CELLS && (!isImage(x) || x.forms.plain !== undefined);
}

/** A convolution with a filter [height * width * inputs, outputs], as a product; all in tfjs's order of axes. */
export function convolveSmall(
  recording: Recording,
  x: RecordedTensor,
  filter: GraphValue,
  window: readonly [height: number, width: number],
  pads: Padding,
): RecordedTensor {
  const { matrix, image } = unfolded(recording, x, window, pads);
  const outputs = filter.shape[1]!;
  const product = recording.node("Gemm", [matrix, filter], [matrix.shape[0]!, outputs]);
  return recording.result(recording.reshaped(product, [...image, outputs]));
}

/** The gradient by the filter: the unfolded images, transposed, times dy. */
export function smallFilterGradient(
  recording: Recording,
  x: RecordedTensor,
  dy: RecordedTensor,
  filterShape: readonly [height: number, width: number, inputs: number, outputs: number],
  pads: Padding,
): RecordedTensor {
  const [height, width, inputs, outputs] = filterShape;
  const { matrix } = unfolded(recording, x, [height, width], pads);
  const right = recording.reshaped(plainOf(recording, dy), [matrix.shape[0]!, outputs]);
  const shape = [height * width * inputs, outputs];
  const product = recording.node("Gemm", [matrix, right], shape, { transA: 1 });
  return recording.result(recording.reshaped(product, filterShape));
}

/** Unfolded images that have been written, by window and padding. */
const unfoldings = new WeakMap<RecordedTensor, Map<string, GraphValue>>();

/** The cells under the window at each place, as a row: [rows * places, height * width * channels]. */
function unfolded(
  recording: Recording,
  x: RecordedTensor,
  [height, width]: readonly [number, number],
  pads: Padding,
): { matrix: GraphValue; image: readonly number[] } {
  const [top, left, bottom, right] = pads;
  const [rows, fullHeight, fullWidth, channels] = x.shape as [number, number, number, number];
  const image = [rows, fullHeight + top + bottom - height + 1, fullWidth + left + right - width + 1];
  const [, outHeight, outWidth] = image as [number, number, number];
  // The gradient by the filter needs the same matrix again.
  const key = [height, width, ...pads].join();
  let known = unfoldings.get(x);
  if (known === undefined) unfoldings.set(x, (known = new Map<string, GraphValue>()));
  let matrix = known.get(key);
  if (matrix === undefined) {
    const padded = paddedImages(recording, plainOf(recording, x), pads);
    const { graph } = recording;
    const axes = graph.integers([1, 2]);
    const parts: GraphValue[] = [];
    for (let i = 0; i < height; i++)
      for (let j = 0; j < width; j++) {
        const ends = graph.integers([i + outHeight, j + outWidth]);
        const part = [padded, graph.integers([i, j]), ends, axes];
        parts.push(recording.node("Slice", part, [...image, channels]));
      }
    const size = height * width * channels;
    const joined =
      parts.length === 1 ? padded : recording.node("Concat", parts, [...image, size], { axis: 3 });
    matrix = recording.reshaped(joined, [rows * outHeight * outWidth, size]);
    known.set(key, matrix);
  }
  return { matrix, image };
}

function paddedImages(recording: Recording, images: GraphValue, pads: Padding): GraphValue {
  const [top, left, bottom, right] = pads;
  if (top + left + bottom + right === 0) return images;
  const [rows, height, width, channels] = images.shape as [number, number, number, number];
  const amounts = recording.graph.integers([0, top, left, 0, 0, bottom, right, 0]);
  const shape = [rows, top + height + bottom, left + width + right, channels];
  return recording.node("Pad", [images, amounts], shape);
}
