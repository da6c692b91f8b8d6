import { blockedOf, plainOf } from "../forms.ts";
import type { GraphValue } from "../graph.ts";
import type { RecordedTensor } from "../recorded-tensor.ts";
import type { Recording } from "../recording.ts";
import { type FilterShape, transposedWithin } from "./blocked-filter.ts";
import type { Padding } from "./padding.ts";
import { canBeTiled, gradientAtPoints } from "./tiled-convolution.ts";
import { filterGradientFromPoints, imageAtPoints } from "./winograd.ts";

/** True if `blockedFilterGradient` can compute the gradient by a filter: rows and outputs are whole blocks. */
export function canBlockFilterGradient(
  channelBlock: number | undefined,
  rows: number,
  outputs: number,
): boolean {
  return channelBlock !== undefined && rows % channelBlock === 0 && outputs % channelBlock === 0;
}

/** Channels convolved together. 128 took 14.3 ms, twice 64 took 16.2 ms (one thread), and 128 need no transposition. */
const CHANNELS_TOGETHER = 128;

/**
 * The gradient by the filter as a convolution in which images and channels change places.
 *
 * dW[i, j, c, o] is the sum over rows n and cells (y, x) of X[n, y + i - top, x + j - left, c] dy[n, y, x, o]. In the new
 * convolution (n, y) takes the place of channels, x that of the height of the window, j that of the height of the result, and
 * c that of its width, over which the window has one cell. Shifts by columns then cost nothing; each shift by rows (i) is one
 * copy of X. The runtime's blocked convolutions reach 1.5 times the speed of its matrix products on AVX-512. Each block of
 * rows is a group of its own, so that threads share the work equally; the groups are summed at the end.
 *
 * In tiles (`winograd.ts`) the sum over the rows of the board is one product at each point, and shifts need no copies.
 */
export function blockedFilterGradient(
  recording: Recording,
  images: RecordedTensor,
  dy: RecordedTensor,
  filterShape: FilterShape,
  [top, left, , right]: Padding,
): RecordedTensor {
  const block = recording.channelBlock!;
  const [height, width, inputs, outputs] = filterShape;
  const [rows, fullHeight, fullWidth] = images.shape as [number, number, number];
  const outHeight = dy.shape[1]!;
  const groups = rows / block;
  const shaped = (value: GraphValue, ...shape: number[]) => recording.reshaped(value, shape);

  // X as images: [parts, rows / block, height, width, channels of a part, rows of a block].
  const parts = inputs % CHANNELS_TOGETHER === 0 ? inputs / CHANNELS_TOGETHER : 1;
  const channels = inputs / parts;
  const cells = fullHeight * fullWidth * channels;
  const byRows = recording.blockedNode(
    "ReorderInput",
    [shaped(channelsLastInParts(recording, images, parts), parts, rows, 1, cells)],
    [parts, rows, 1, cells],
  );

  const window = { kernel_shape: [dy.shape[2]!, 1], pads: [left, 0, right, 0], group: groups };
  const products = (lines: GraphValue, filter: GraphValue) => {
    const image = shaped(lines, parts, groups * filter.shape[1]!, fullWidth, channels);
    return recording.blockedNode("Conv", [image, filter], [parts, groups * outputs, width, channels], window);
  };
  const size = (outputs / block) * width * channels * block;
  const byShift = (): GraphValue => {
    const lines = shaped(byRows, parts, groups, fullHeight, fullWidth * channels * block);
    const filter = asFilter(recording, blockedOf(recording, dy));
    const shifts = Array.from({ length: height }, (_, i) =>
      products(rowsFrom(recording, lines, i - top, outHeight), filter),
    );
    const sums = shaped(concatenated(recording, shifts), height * parts, groups, size);
    if (groups === 1) return sums;
    const overGroups = [sums, recording.graph.integers([1])];
    return recording.node("ReduceSum", overGroups, [height * parts, 1, size], { keepdims: 1 });
  };
  const inTiles = (): GraphValue => {
    const lines = shaped(byRows, parts * groups, block, fullHeight, fullWidth * channels);
    const filters = gradientAtPoints(recording, dy);
    const points = imageAtPoints(recording, lines, top, outHeight).map((point, i) =>
      products(point, asFilter(recording, filters[i]!)),
    );
    return filterGradientFromPoints(
      recording,
      shaped(concatenated(recording, points), points.length * groups, size),
    );
  };
  const tiled = parts === 1 && canBeTiled(recording, filterShape, outHeight);
  const ordered = recording.transposed(
    shaped(tiled ? inTiles() : byShift(), height, parts, outputs / block, width, channels, block),
    [0, 3, 1, 4, 2, 5],
  );
  return recording.result(shaped(ordered, ...filterShape));
}

/**
 * A gradient in blocks as a filter: [groups, outputs / block, height, width, rows of a block, outputs of a block].
 *
 * The runtime's reordering of images, first of rows and then within each block, took 2.4 ms; one transposition took 3.8 (128
 * channels, 32 boards of 20x20 at six points). With 2 threads it was 2.0 ms and 4.0, because a transposition uses one thread.
 */
function asFilter(recording: Recording, dy: GraphValue): GraphValue {
  const block = recording.channelBlock!;
  const [rows, outputs, height, width] = dy.shape as [number, number, number, number];
  const groups = rows / block;
  const byRows = recording.reshaped(dy, [groups, block, 1, outputs * height * width]);
  const rowsInside = recording.blockedNode("ReorderInput", [byRows], byRows.shape);
  const cut = [groups, outputs / block, height * width, block, block];
  const outputsInside = transposedWithin(recording, recording.reshaped(rowsInside, cut));
  return recording.reshaped(outputsInside, [groups * outputs, block * height, width, 1]);
}

/** Images as [parts, rows, height, width, channels of a part]. */
function channelsLastInParts(recording: Recording, images: RecordedTensor, parts: number): GraphValue {
  const [rows, height, width, inputs] = images.shape as [number, number, number, number];
  const block = recording.channelBlock!;
  const channels = inputs / parts;
  if (images.forms.plain !== undefined || channels % block !== 0) {
    const plain = recording.reshaped(plainOf(recording, images), [rows, height, width, parts, channels]);
    return recording.transposed(plain, [3, 0, 1, 2, 4]);
  }
  const cut = recording.reshaped(blockedOf(recording, images), [rows, parts, channels * height * width]);
  const ordered = recording.transposed(cut, [1, 0, 2]);
  const last = { channels, channels_last: 1 };
  return recording.blockedNode(
    "ReorderOutput",
    [recording.reshaped(ordered, [parts * rows, channels, height, width])],
    [parts * rows, height, width, channels],
    last,
  );
}

/** Lines `from` to `from + count` of the third axis, with zeros outside it: one copy. */
function rowsFrom(recording: Recording, lines: GraphValue, from: number, count: number): GraphValue {
  const axis = 2;
  const length = lines.shape[axis]!;
  if (from === 0 && count === length) return lines;
  // Negative padding removes lines.
  const before = lines.shape.map((_, at) => (at === axis ? -from : 0));
  const after = lines.shape.map((_, at) => (at === axis ? from + count - length : 0));
  const pads = recording.graph.integers([...before, ...after]);
  return recording.node("Pad", [lines, pads], lines.shape.with(axis, count), { mode: "constant" });
}

/** The concatenation of values along the first axis. */
function concatenated(recording: Recording, pieces: readonly GraphValue[]): GraphValue {
  const [first] = pieces as [GraphValue];
  if (pieces.length === 1) return first;
  const length = pieces.reduce((sum, piece) => sum + piece.shape[0]!, 0);
  return recording.node("Concat", pieces, first.shape.with(0, length), { axis: 0 });
}
