import { emit, plainOf } from "../forms.ts";
import { input, type KernelCall, type KernelMappings } from "./kernel.ts";
import type { RecordedTensor } from "../recorded-tensor.ts";

/** Kernels that read or write elements at indices. */
export const gatherKernels: KernelMappings = {
  GatherV2: gather,
  ScatterNd: scatter,
};

/** Parts along an axis by their numbers, such as rows of a table; or some elements of each row of a matrix: [rows, width] at [rows, count]. */
function gather(call: KernelCall): RecordedTensor {
  const { recording, attributes } = call;
  const [x, indices] = [input(call, "x"), input(call, "indices")];
  const { axis, batchDims } = attributes as { readonly axis: number; readonly batchDims: number };
  if (batchDims === 0) {
    const shape = [...x.shape.slice(0, axis), ...indices.shape, ...x.shape.slice(axis + 1)];
    return emit(recording, "Gather", [x, indices], shape, { axis }, x.type);
  }
  if (axis !== 1 || batchDims !== 1 || x.shape.length !== 2)
    throw new Error(
      "only parts along one axis (batchDims 0) and elements of each row of a matrix (axis 1, batchDims 1)",
    );
  return emit(recording, "GatherElements", [x, indices], indices.shape, { axis }, x.type);
}

/** A vector of zeros to which each update is added at its index: updates [count] at indices [count, 1]. */
function scatter(call: KernelCall): RecordedTensor {
  const { recording, attributes } = call;
  const [indices, updates] = [input(call, "indices"), input(call, "updates")];
  const shape = attributes["shape"] as number[];
  if (shape.length !== 1 || indices.shape[1] !== 1) throw new Error("only vectors are scattered into");
  // Not a constant of that size: a model file would hold its zeros.
  const zeros = recording.node("ConstantOfShape", [recording.graph.integers(shape)], shape);
  const places = recording.reshaped(plainOf(recording, indices), updates.shape);
  return emit(recording, "ScatterElements", [zeros, places, updates], shape, { axis: 0, reduction: "add" });
}
