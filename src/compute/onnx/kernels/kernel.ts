import type { RecordedTensor } from "../recorded-tensor.ts";
import type { Recording } from "../recording.ts";

/** One call of a tfjs kernel while a function is being recorded. */
export interface KernelCall {
  readonly recording: Recording;
  /** The kernel's inputs, in tfjs's order if it passes a list. */
  readonly inputs: Readonly<Record<string, RecordedTensor>>;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Writes a kernel into the graph; some kernels make several tensors. */
export type KernelMapping = (call: KernelCall) => RecordedTensor | readonly RecordedTensor[];

/** Kernel mappings by the kernel's name in tfjs. */
export type KernelMappings = Readonly<Record<string, KernelMapping>>;

/** The input with this name. */
export function input(call: KernelCall, name: string): RecordedTensor {
  const tensor = call.inputs[name];
  if (tensor === undefined) throw new Error(`the kernel has no input ${name}`);
  return tensor;
}

/** The axes named by an attribute, counted from the front; every axis if it names none. */
export function axesOf(axis: unknown, rank: number): number[] {
  if (axis === undefined || axis === null) return Array.from({ length: rank }, (_, i) => i);
  const axes = Array.isArray(axis) ? (axis as number[]) : [axis as number];
  return axes.map((a) => (a < 0 ? a + rank : a));
}
