import { channelsFirstOf, plainOf } from "../forms.ts";
import type { GraphValue } from "../graph.ts";
import type { RecordedTensor } from "../recorded-tensor.ts";
import type { Recording } from "../recording.ts";
import { convolveBlocked } from "./blocked-convolution.ts";
import { canBeBlocked, type FilterShape } from "./blocked-filter.ts";
import { blockedFilterGradient, canBlockFilterGradient } from "./blocked-filter-gradient.ts";
import { input, type KernelCall, type KernelMappings } from "./kernel.ts";
import { type Padding, paddingOf } from "./padding.ts";
import { convolveSmall, isSmall, smallFilterGradient } from "./small-convolution.ts";
import { canBeTiled, convolveTiled, tiledInputGradient } from "./tiled-convolution.ts";

/** Two-dimensional convolutions of stride 1 and their gradients. */
export const convolutionKernels: KernelMappings = {
  Conv2D: convolve,
  Conv2DBackpropInput: inputGradient,
  Conv2DBackpropFilter: filterGradient,
};

function convolve(call: KernelCall): RecordedTensor {
  const { recording } = call;
  const x = input(call, "x");
  const filter = plainOf(recording, input(call, "filter"));
  const [height, width, inputs, outputs] = filter.shape as [number, number, number, number];
  const pads = paddingOf(call, height, width);
  const size = outputSize(x, [height, width], pads);
  if (isSmall(x, ...size)) {
    const matrix = recording.reshaped(filter, [height * width * inputs, outputs]);
    return convolveSmall(recording, x, matrix, [height, width], pads);
  }
  if (canBeTiled(recording, filter.shape as unknown as FilterShape, size[0]))
    return convolveTiled(recording, x, filter, size, pads);
  return windowed(call, x, filter, false, pads);
}

/** The gradient by the input: a convolution of dy with the filter rotated by 180 degrees. */
function inputGradient(call: KernelCall): RecordedTensor {
  const { recording, attributes } = call;
  const dy = input(call, "dy");
  const filter = plainOf(recording, input(call, "filter"));
  const [height, width, inputs, outputs] = filter.shape as [number, number, number, number];
  const padding = paddingOf(call, height, width);
  const [top, left, bottom, right] = padding;
  const pads: Padding = [height - 1 - top, width - 1 - left, height - 1 - bottom, width - 1 - right];
  const [, fullHeight, fullWidth] = attributes["inputShape"] as [number, number, number];
  const small = isSmall(dy, fullHeight, fullWidth) && pads.every((size) => size >= 0);
  if (!small && canBeTiled(recording, filter.shape as unknown as FilterShape, dy.shape[1]!))
    return tiledInputGradient(recording, dy, filter, [fullHeight, fullWidth], padding);
  const rotated = rotatedBy180(call, filter);
  if (small) {
    const inputsLast = recording.transposed(rotated, [0, 1, 3, 2]);
    const matrix = recording.reshaped(inputsLast, [height * width * outputs, inputs]);
    return convolveSmall(recording, dy, matrix, [height, width], pads);
  }
  return windowed(call, dy, rotated, true, pads);
}

function rotatedBy180({ recording }: KernelCall, filter: GraphValue): GraphValue {
  const [height, width] = filter.shape as [number, number];
  if (height === 1 && width === 1) return filter;
  const { graph } = recording;
  const axes = graph.integers([0, 1]);
  const backwards = graph.integers([-1, -1]);
  const beforeFirst = graph.integers([-height - 1, -width - 1]);
  return recording.node("Slice", [filter, backwards, beforeFirst, axes, backwards], filter.shape);
}

/** Height and width of a convolution's result. */
function outputSize(
  x: RecordedTensor,
  [height, width]: readonly [number, number],
  [top, left, bottom, right]: Padding,
): [height: number, width: number] {
  return [x.shape[1]! + top + bottom - height + 1, x.shape[2]! + left + right - width + 1];
}

/**
 * The gradient by the filter as one matrix product.
 *
 * With the padded images of a channel laid end to end as one line, a shift by a row or a column is a shift of the
 * whole line, and dW[i, j] = sum over q of x[q + i * rowLength] dy[q - j]. One product of x at its vertical shifts, [inputs *
 * height, line], with dy at its horizontal shifts, [outputs * width, line], gives the whole gradient. It needs height + width
 * copies, where unfolding x needs height * width. Neighbouring rows and images share the zeros between them, so few products
 * are with zeros.
 */
function filterGradient(call: KernelCall): RecordedTensor {
  const { recording, attributes } = call;
  const filterShape = attributes["filterShape"] as [number, number, number, number];
  const [height, width, inputs, outputs] = filterShape;
  const pads = paddingOf(call, height, width);
  const images = input(call, "x");
  if (isSmall(images, ...outputSize(images, [height, width], pads)))
    return smallFilterGradient(recording, images, input(call, "dy"), filterShape, pads);
  const spare = spareOutputs(recording.channelBlock, outputs);
  if (canBlockFilterGradient(recording.channelBlock, images.shape[0]!, outputs + spare)) {
    const dy = input(call, "dy");
    if (spare === 0) return blockedFilterGradient(recording, images, dy, filterShape, pads);
    const filled = recording.image(withZeros(recording, channelsFirstOf(recording, dy), 1, spare));
    const shape = [height, width, inputs, outputs + spare] as const;
    const gradient = plainOf(recording, blockedFilterGradient(recording, images, filled, shape, pads));
    return recording.result(withoutLast(recording, gradient, 3, spare));
  }
  // The zeros after a row are the zeros before the next row, so they are written on one side only.
  const [top, left, bottom, right] = pads;
  const sharedRows = Math.min(top, bottom, height - 1);
  const sharedColumns = Math.min(left, right, width - 1);
  const xPads: Padding = [top, left, bottom - sharedRows, right - sharedColumns];
  const x = lineOf(call, channelsFirstOf(recording, images), xPads);
  const dyPads: Padding = [0, 0, height - 1 - sharedRows, width - 1 - sharedColumns];
  const dy = lineOf(call, channelsFirstOf(recording, input(call, "dy")), dyPads);
  const rowLength = images.shape[2]! + xPads[1] + xPads[3];
  const length = x.shape[1]!;
  const pitch = height > 1 || width > 1 ? length + rowLength : length;
  // Periods: for x the length of the line, so that row i begins at shift i * rowLength; for dy one more than the pitch, so
  // that row j begins j places before the line, among zeros. After the end of x, dy is 0.
  const xShifted = shifted(call, x, height, length, pitch);
  const dyShifted = shifted(call, dy, width, width > 1 ? pitch + 1 : length, pitch);
  const products = recording.node("Gemm", [xShifted, dyShifted], [inputs * height, outputs * width], {
    transA: 0,
    transB: 1,
  });
  const byShift = recording.reshaped(products, [inputs, height, outputs, width]);
  return recording.result(recording.transposed(byShift, [1, 3, 0, 2]));
}

/** Padded images [rows, channels, height, width] as one line for each channel. */
function lineOf(call: KernelCall, images: GraphValue, pads: Padding): GraphValue {
  const { recording } = call;
  const [top, left, bottom, right] = pads;
  // Channels are moved outside before padding, while there is less to move.
  let padded = recording.transposed(images, [1, 0, 2, 3]);
  if (top + left + bottom + right > 0) {
    const [channels, rows, height, width] = padded.shape as [number, number, number, number];
    const amounts = recording.graph.integers([0, 0, top, left, 0, 0, bottom, right]);
    const shape = [channels, rows, top + height + bottom, left + width + right];
    padded = recording.node("Pad", [padded, amounts], shape);
  }
  const [channels, ...line] = padded.shape as [number, number, number, number];
  return recording.reshaped(padded, [channels, line[0] * line[1] * line[2]]);
}

/**
 * Every line `count` times, once at each shift: [channels, length] as [channels * count, pitch].
 *
 * The line is repeated with a period that differs from the pitch, with zeros in the gaps. When the result is cut at the
 * pitch, each repetition begins a little later. One copy does what slices and a concatenation would do in two.
 */
function shifted(
  { recording }: KernelCall,
  lines: GraphValue,
  count: number,
  period: number,
  pitch: number,
): GraphValue {
  const [channels, length] = lines.shape as [number, number];
  const parts: GraphValue[] = [];
  const zeros = (size: number) => {
    if (size > 0)
      parts.push(
        recording.graph.constant(
          "constant/zeros",
          [channels, size],
          "float32",
          new Float32Array(channels * size),
        ),
      );
  };
  for (let i = 1; i < count; i++) {
    parts.push(lines);
    zeros(period - length);
  }
  parts.push(lines);
  zeros(count * pitch - (count - 1) * period - length);
  if (parts.length === 1) return lines;
  const shape = [channels, count * pitch];
  const repeated = recording.node("Concat", parts, shape, { axis: 1 });
  return recording.reshaped(repeated, [channels * count, pitch]);
}

/** Assumed number of channels in a block if it is not known: one block with AVX-512, two blocks with AVX2. */
const CHANNEL_BLOCK = 16;

/**
 * A convolution of an image, blocked or ONNX's own. The filter is [height, width, from, to], or with `swapped` [height, width,
 * to, from].
 *
 * Images with more channels than one block are filled up with channels of zeros to whole blocks, because the runtime's
 * blocked convolutions require it. Without this a stem of 21 channels on 64 boards of 20x20 took 51 ms, while residual
 * blocks of 32 filters took 20 ms each.
 */
function windowed(
  { recording }: KernelCall,
  x: RecordedTensor,
  filter: GraphValue,
  swapped: boolean,
  pads: Padding,
): RecordedTensor {
  const [rows, height, width, channels] = x.shape as [number, number, number, number];
  const [filterHeight, filterWidth] = filter.shape as [number, number];
  const to = filter.shape[swapped ? 2 : 3]!;
  const block = recording.channelBlock ?? CHANNEL_BLOCK;
  const missing = channels > block ? -channels & (block - 1) : 0;
  const from = channels + missing;
  if (missing > 0) {
    x = recording.image(withZeros(recording, channelsFirstOf(recording, x), 1, missing));
    filter = withZeros(recording, filter, swapped ? 3 : 2, missing);
  }
  const [top, left, bottom, right] = pads;
  const shape = [rows, to, height + top + bottom - filterHeight + 1, width + left + right - filterWidth + 1];
  const spare = spareOutputs(recording.channelBlock, to);
  if (canBeBlocked(recording.channelBlock, from, to + spare)) {
    if (spare === 0) return convolveBlocked(recording, x, filter, swapped, shape, pads);
    const filled = withZeros(recording, filter, swapped ? 2 : 3, spare);
    const image = convolveBlocked(recording, x, filled, swapped, shape.with(1, to + spare), pads);
    return recording.image(withoutLast(recording, channelsFirstOf(recording, image), 1, spare));
  }
  const outputsFirst = recording.transposed(filter, swapped ? [2, 3, 0, 1] : [3, 2, 0, 1]);
  const attributes = { kernel_shape: [filterHeight, filterWidth], pads: [...pads] };
  return recording.image(
    recording.node("Conv", [channelsFirstOf(recording, x), outputsFirst], shape, attributes),
  );
}

/** The value with `count` zeros appended along an axis. */
function withZeros(recording: Recording, value: GraphValue, axis: number, count: number): GraphValue {
  const after = value.shape.map((_, each) => (each === axis ? count : 0));
  const amounts = recording.graph.integers([...value.shape.map(() => 0), ...after]);
  const shape = value.shape.with(axis, value.shape[axis]! + count);
  return recording.node("Pad", [value, amounts, recording.graph.scalar(0)], shape);
}

/** The value without its last `count` entries along an axis. */
function withoutLast(recording: Recording, value: GraphValue, axis: number, count: number): GraphValue {
  const { graph } = recording;
  const kept = value.shape[axis]! - count;
  const bounds = [graph.integers([0]), graph.integers([kept]), graph.integers([axis])];
  return recording.node("Slice", [value, ...bounds], value.shape.with(axis, kept));
}

/** Number of zero outputs that fill the last block; 0 below half a block, where filling costs more than it saves. */
function spareOutputs(block: number | undefined, outputs: number): number {
  return block === undefined || outputs < block / 2 ? 0 : -outputs & (block - 1);
}
