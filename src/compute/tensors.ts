import type { Rank, Scalar, Tensor } from "@tensorflow/tfjs-core";

/** Marks a dimension of a shape as the number of rows, which is left open. */
export const ROWS = "N";

/** Marks a dimension of a shape as the width of rows, which is left open: for instance the most moves of a position in the batch. */
export const OPEN_WIDTH = "M";

/** A shape whose dimensions may be the open number of rows or the open width of rows. */
export type Shape = readonly (number | typeof ROWS | typeof OPEN_WIDTH)[];

/** The numbers of an input. Functions see `uint8` as tfjs's int32. */
export type InputType = "float32" | "int32" | "uint8";

/** The array of an input. */
export type InputArray = Float32Array | Int32Array | Uint8Array;

/** Tensors by name. */
export type TensorsByName<R extends Rank = Rank> = Readonly<Record<string, Tensor<R>>>;

/** A pure function of tensors by name, written with tfjs operations. */
export type TensorFunction = (inputs: TensorsByName) => TensorsByName;

/** Numbers with their shape, row-major. */
export interface Weight {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** A loss, its parts and new running statistics. */
export interface LossValues {
  /** The quantity to minimise: a scalar. */
  readonly total: Scalar;
  /** The parts of the loss, by name: scalars that are reported only. */
  readonly parts: Readonly<Record<string, Scalar>>;
  /** New values of parameters that are not trained (running statistics), by name. */
  readonly state: TensorsByName;
}

/** The number of elements of a shape without open dimensions. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, dimension) => product * dimension, 1);
}

/** The shape with `rows` and `width` in place of the open dimensions. */
export function withSizes(shape: Shape, rows: number, width: number): number[] {
  return shape.map((dimension) => (dimension === ROWS ? rows : dimension === OPEN_WIDTH ? width : dimension));
}
