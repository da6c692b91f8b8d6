import { emit, plainOf, writeMatrixProduct } from "../forms.ts";
import type { RecordedTensor } from "../recorded-tensor.ts";
import { type Recording, sameShape } from "../recording.ts";
import { view } from "./arrangement.ts";
import { input, type KernelCall, type KernelMappings } from "./kernel.ts";

/** Matrix products. */
export const productKernels: KernelMappings = { BatchMatMul: batchMatMul };

function batchMatMul(call: KernelCall): RecordedTensor {
  const { attributes, recording } = call;
  const a = input(call, "a");
  const b = input(call, "b");
  const transA = attributes["transposeA"] === true ? 1 : 0;
  const transB = attributes["transposeB"] === true ? 1 : 0;
  const [rows, depth] = lastTwo(a.shape, transA);
  const [rightDepth, columns] = lastTwo(b.shape, transB);
  if (depth !== rightDepth) throw new RangeError(`rows of ${depth} numbers times columns of ${rightDepth}`);
  // Gemm transposes its operands while it packs them.
  const batches = [...a.shape.slice(0, -2), ...b.shape.slice(0, -2)];
  if (batches.every((size) => size === 1)) {
    const left = view(a, a.shape.slice(-2));
    const right = view(b, b.shape.slice(-2));
    const { type } = a;
    const { layer } = recording;
    const shape = [rows, columns];
    const matrix = {
      kind: "matrix product",
      shape,
      type,
      layer,
      forms: {},
      left,
      right,
      transA,
      transB,
    } as const;
    return view(matrix, [...a.shape.slice(0, -2), rows, columns]);
  }
  const left = transA ? swapped(call, a) : a;
  const right = transB ? swapped(call, b) : b;
  return emit(recording, "MatMul", [left, right], [...a.shape.slice(0, -2), rows, columns]);
}

/**
 * The sum of an unwritten matrix product and a bias or a matrix, as one operation; undefined for other operands.
 *
 * The sum of a matrix's momentum, times its factor, and its gradient then needs no pass over memory of its own.
 */
export function productSum(
  recording: Recording,
  a: RecordedTensor,
  b: RecordedTensor,
): RecordedTensor | undefined {
  if (a.kind !== "matrix product")
    return b.kind === "matrix product" ? productSum(recording, b, a) : undefined;
  if (a.forms.plain !== undefined) return undefined;
  const bias = b.shape.length === 1 && b.shape[0] === a.shape[1];
  if (!bias && !sameShape(a.shape, b.shape)) return undefined;
  const added = b.kind === "multiple" && b.forms.plain === undefined ? b : { of: b, by: 1 };
  return recording.result(writeMatrixProduct(recording, a, added));
}

function lastTwo(shape: readonly number[], transposed: number): [number, number] {
  const [rows, columns] = shape.slice(-2) as [number, number];
  return transposed ? [columns, rows] : [rows, columns];
}

function swapped({ recording }: KernelCall, tensor: RecordedTensor): RecordedTensor {
  const axes = tensor.shape.map((_, axis) => axis);
  const permutation = [...axes.slice(0, -2), axes.length - 1, axes.length - 2];
  return recording.result(recording.transposed(plainOf(recording, tensor), permutation));
}
