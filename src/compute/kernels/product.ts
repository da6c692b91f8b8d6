import type { RecordedTensor } from "../recorded-tensor.ts";
import { view } from "./arrangement.ts";
import { input, type KernelCall, type KernelMappings } from "./kernel.ts";

/** Matrix products. */
export const product: KernelMappings = { BatchMatMul: batchMatMul };

function batchMatMul(call: KernelCall): RecordedTensor {
  const { recording, attributes } = call;
  const a = input(call, "a");
  const b = input(call, "b");
  const transA = attributes["transposeA"] === true ? 1 : 0;
  const transB = attributes["transposeB"] === true ? 1 : 0;
  const [rows, depth] = lastTwo(a.shape, transA);
  const [rightDepth, columns] = lastTwo(b.shape, transB);
  if (depth !== rightDepth) throw new RangeError(`rows of ${depth} numbers times columns of ${rightDepth}`);
  // tfjs wraps a product of matrices into a batch of one; Gemm transposes its operands while packing them.
  if (a.shape.length === 3 && a.shape[0] === 1 && b.shape[0] === 1) {
    const left = view(a, transA ? [depth, rows] : [rows, depth]);
    const right = view(b, b.shape.slice(1));
    const matrix = recording.emit("Gemm", [left, right], [rows, columns], { transA, transB });
    return view(matrix, [1, rows, columns]);
  }
  const left = transA ? swapped(call, a) : a;
  const right = transB ? swapped(call, b) : b;
  return recording.emit("MatMul", [left, right], [...a.shape.slice(0, -2), rows, columns]);
}

function lastTwo(shape: readonly number[], transposed: number): [number, number] {
  const [rows, columns] = shape.slice(-2) as [number, number];
  return transposed ? [columns, rows] : [rows, columns];
}

function swapped({ recording }: KernelCall, tensor: RecordedTensor): RecordedTensor {
  const axes = tensor.shape.map((_, axis) => axis);
  const permutation = [...axes.slice(0, -2), axes.length - 1, axes.length - 2];
  return recording.result(recording.transposed(recording.plain(tensor), permutation));
}
