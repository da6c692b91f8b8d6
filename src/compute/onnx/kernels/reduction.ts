import { channelsFirstOf, emit, plainOf } from "../forms.ts";
import { CHANNELS_FIRST_AXIS, isImage, type RecordedTensor, uniform } from "../recorded-tensor.ts";
import type { Recording } from "../recording.ts";
import { sizeOf } from "../../tensors.ts";
import { channelSums } from "./channel-sums.ts";
import { pointwise } from "./pointwise.ts";
import { axesOf, input, type KernelCall, type KernelMapping, type KernelMappings } from "./kernel.ts";

/** Kernels that reduce axes to one number each. */
export const reductionKernels: KernelMappings = {
  Sum: reduce("ReduceSum", "axis"),
  Mean: reduce("ReduceMean", "axis"),
  Max: reduce("ReduceMax", "reductionIndices"),
  Min: reduce("ReduceMin", "axis"),
};

function reduce(operator: string, axisAttribute: string): KernelMapping {
  return (call) => {
    const x = input(call, "x");
    const axes = axesOf(call.attributes[axisAttribute], x.shape.length);
    const keep = call.attributes["keepDims"] === true;
    const left = x.shape.filter((_, axis) => !axes.includes(axis));
    if (axes.length === 0) return x;
    // A channels-first image gives the same reduced tensor, as long as the remaining axes keep their order.
    const places = CHANNELS_FIRST_AXIS.filter((_, axis) => !axes.includes(axis));
    const ordered = places.every((place, i) => i === 0 || place > places[i - 1]!);
    if (isImage(x) && (keep || ordered)) return reduceImage(call, operator, x, axes, keep);
    const kept = x.shape.map((dimension, axis) => (axes.includes(axis) ? 1 : dimension));
    return write(call, operator, x, axes, keep ? kept : left, keep);
  };
}

function reduceImage(
  call: KernelCall,
  operator: string,
  x: RecordedTensor,
  plainAxes: readonly number[],
  keep: boolean,
): RecordedTensor {
  const { recording } = call;
  if (plainAxes.join() === "0,1,2" && !keep && (operator === "ReduceSum" || operator === "ReduceMean")) {
    const sums = channelSums(recording, x);
    if (operator === "ReduceSum") return sums;
    const share = uniform([], x.shape[3]! / sizeOf(x.shape));
    return pointwise(recording, "Mul", [sums, share]);
  }
  const value = channelsFirstOf(recording, x);
  const axes = plainAxes.map((axis) => CHANNELS_FIRST_AXIS[axis]!).sort((a, b) => a - b);
  const kept = value.shape.map((dimension, axis) => (axes.includes(axis) ? 1 : dimension));
  const left = value.shape.filter((_, axis) => !axes.includes(axis));
  const result = write(call, operator, recording.result(value), axes, keep ? kept : left, keep);
  return keep ? recording.image(plainOf(recording, result)) : result;
}

function write(
  { recording }: KernelCall,
  operator: string,
  x: RecordedTensor,
  axes: readonly number[],
  shape: readonly number[],
  keep: boolean,
): RecordedTensor {
  const summing = operator === "ReduceSum" || operator === "ReduceMean";
  if (summing && isOpenBeside(recording, x, axes)) return rowSums(recording, operator, x, axes, shape);
  const keepdims = keep ? 1 : 0;
  // In this opset only ReduceSum takes its axes as an input.
  if (operator === "ReduceSum")
    return emit(recording, operator, [x, recording.graph.integers(axes)], shape, { keepdims });
  return emit(recording, operator, [x], shape, { axes: [...axes], keepdims }, x.type);
}

/** Whether the number of rows is open and not reduced. */
function isOpenBeside({ graph }: Recording, { shape }: RecordedTensor, axes: readonly number[]): boolean {
  return shape.some((size) => graph.isOpen(size)) && !axes.some((axis) => graph.isOpen(shape[axis]!));
}

/**
 * Sums, or means, as a product with a constant column.
 *
 * ONNX Runtime's own reductions add up in an order that depends on the number of rows (a single row has fewer axes) and on
 * the memory address of a row. The bits of a position would then depend on its batch; those of a product do not.
 */
function rowSums(
  recording: Recording,
  operator: string,
  x: RecordedTensor,
  axes: readonly number[],
  shape: readonly number[],
): RecordedTensor {
  const left = x.shape.flatMap((_, axis) => (axes.includes(axis) ? [] : [axis]));
  const count = sizeOf(axes.map((axis) => x.shape[axis]!));
  const moved = recording.transposed(plainOf(recording, x), [...left, ...axes]);
  const matrix = recording.reshaped(moved, [sizeOf(x.shape) / count, count]);
  const shares = new Float32Array(count).fill(operator === "ReduceMean" ? 1 / count : 1);
  const column = recording.graph.constant("constant/shares", [count, 1], "float32", shares);
  const sums = recording.node("Gemm", [matrix, column], [matrix.shape[0]!, 1]);
  return recording.result(recording.reshaped(sums, shape));
}
