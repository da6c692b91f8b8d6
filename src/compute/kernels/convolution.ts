import type { GraphValue } from "../onnx-graph.ts";
import type { RecordedTensor } from "../recorded-tensor.ts";
import { input, type KernelCall, type KernelMappings } from "./kernel.ts";

/** Two-dimensional convolutions of stride 1 and their gradients. */
export const convolution: KernelMappings = {
  Conv2D: convolve,
  Conv2DBackpropInput: inputGradient,
  Conv2DBackpropFilter: filterGradient,
};

/** Zeros put around an image: above, left, below, right (ONNX's order). */
type Padding = [top: number, left: number, bottom: number, right: number];

function convolve(call: KernelCall): RecordedTensor {
  const { recording } = call;
  const filter = input(call, "filter");
  const [height, width] = filter.shape as [number, number];
  const outputsFirst = recording.transposed(recording.plain(filter), [3, 2, 0, 1]);
  const pads = paddingOf(call, height, width);
  return windowed(call, recording.channelsFirst(input(call, "x")), outputsFirst, pads);
}

/** The gradient by the input: a convolution of dy with the filter turned by 180 degrees. */
function inputGradient(call: KernelCall): RecordedTensor {
  const { recording } = call;
  const filter = input(call, "filter");
  const [height, width] = filter.shape as [number, number];
  const [top, left, bottom, right] = paddingOf(call, height, width);
  let turned = recording.plain(filter);
  if (height > 1 || width > 1) {
    const { graph } = recording;
    const axes = graph.integers([0, 1]);
    const backwards = graph.integers([-1, -1]);
    const beforeFirst = graph.integers([-height - 1, -width - 1]);
    turned = recording.node("Slice", [turned, backwards, beforeFirst, axes, backwards], filter.shape);
  }
  const inputsFirst = recording.transposed(turned, [2, 3, 0, 1]);
  const pads: Padding = [height - 1 - top, width - 1 - left, height - 1 - bottom, width - 1 - right];
  return windowed(call, recording.channelsFirst(input(call, "dy")), inputsFirst, pads);
}

/**
 * The gradient by the filter as one matrix product.
 *
 * With the padded images laid end to end, a shift by a row or a column is a shift of the whole line, and
 * dW[i, j] = sum over r of x[r + i * rowLength] dy[r - j]. All of them come from one product of x at its
 * vertical shifts, [height * inputs, line], with dy at its horizontal ones, [width * outputs, line]: only
 * height + width copies are made, where unfolding x makes height * width, and nothing useless is computed.
 */
function filterGradient(call: KernelCall): RecordedTensor {
  const { recording, attributes } = call;
  const [height, width, inputs, outputs] = attributes["filterShape"] as [number, number, number, number];
  const pads = paddingOf(call, height, width);
  const dyPads: Padding = [0, width - 1, height - 1, 0];
  const x = lineOf(call, recording.channelsFirst(input(call, "x")), pads);
  const dy = lineOf(call, recording.channelsFirst(input(call, "dy")), dyPads);
  const rowLength = input(call, "x").shape[2]! + pads[1] + pads[3];
  const length = x.shape[1]! - Math.max((height - 1) * rowLength, width - 1);
  const xShifts = range(height).map((i) => i * rowLength);
  const dyShifts = range(width).map((j) => width - 1 - j);
  const products = recording.node(
    "Gemm",
    [shifted(call, x, xShifts, length), shifted(call, dy, dyShifts, length)],
    [height * inputs, width * outputs],
    { transA: 0, transB: 1 },
  );
  const byShift = recording.reshaped(products, [height, inputs, width, outputs]);
  return recording.result(recording.transposed(byShift, [0, 2, 1, 3]));
}

/** Images [rows, channels, height, width], padded, as one line for each channel. */
function lineOf(call: KernelCall, images: GraphValue, pads: Padding): GraphValue {
  const { recording } = call;
  const [top, left, bottom, right] = pads;
  let padded = images;
  if (top + left + bottom + right > 0) {
    const [rows, channels, height, width] = images.shape as [number, number, number, number];
    const amounts = recording.graph.integers([0, 0, top, left, 0, 0, bottom, right]);
    const shape = [rows, channels, top + height + bottom, left + width + right];
    padded = recording.node("Pad", [images, amounts], shape);
  }
  const byChannel = recording.transposed(padded, [1, 0, 2, 3]);
  const [channels, ...line] = byChannel.shape as [number, number, number, number];
  return recording.reshaped(byChannel, [channels, line[0] * line[1] * line[2]]);
}

/** The lines from each shift on, one below the other. */
function shifted(
  { recording }: KernelCall,
  lines: GraphValue,
  shifts: readonly number[],
  length: number,
): GraphValue {
  const { graph } = recording;
  const channels = lines.shape[0]!;
  const axis = graph.integers([1]);
  const parts = shifts.map((shift) =>
    lines.shape[1] === length
      ? lines
      : recording.node(
          "Slice",
          [lines, graph.integers([shift]), graph.integers([shift + length]), axis],
          [channels, length],
        ),
  );
  if (parts.length === 1) return parts[0]!;
  return recording.node("Concat", parts, [channels * parts.length, length], { axis: 0 });
}

function windowed(
  { recording }: KernelCall,
  x: GraphValue,
  filter: GraphValue,
  pads: Padding,
): RecordedTensor {
  const [rows, , height, width] = x.shape as [number, number, number, number];
  const [outputs, , filterHeight, filterWidth] = filter.shape as [number, number, number, number];
  const [top, left, bottom, right] = pads;
  const shape = [
    rows,
    outputs,
    height + top + bottom - filterHeight + 1,
    width + left + right - filterWidth + 1,
  ];
  const attributes = { kernel_shape: [filterHeight, filterWidth], pads: [...pads] };
  return recording.image(recording.node("Conv", [x, filter], shape, attributes));
}

function paddingOf({ attributes }: KernelCall, height: number, width: number): Padding {
  const { strides, dilations, pad, dataFormat } = attributes;
  if (![strides, dilations ?? 1].flat().every((step) => step === 1))
    throw new Error("only convolutions of stride 1 without dilation are recorded");
  if (dataFormat !== undefined && dataFormat !== "NHWC")
    throw new Error("only convolutions of channels-last images are recorded");
  if (pad === "valid") return [0, 0, 0, 0];
  if (typeof pad === "number") return [pad, pad, pad, pad];
  if (pad !== "same") throw new Error("explicit paddings are not recorded");
  // An even window has one more cell below and to the right, as in TensorFlow.
  const top = (height - 1) >> 1;
  const left = (width - 1) >> 1;
  return [top, left, height - 1 - top, width - 1 - left];
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
