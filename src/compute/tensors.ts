import type { Rank, Scalar, Tensor } from "@tensorflow/tfjs-core";

/** Stands for the number of rows in a shape that is left open. */
export const ROWS = "N";

/** A shape whose first dimension may be the open number of rows. */
export type Shape = readonly (number | typeof ROWS)[];

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

/** The shape with `rows` in place of the open dimension. */
export function withRows(shape: Shape, rows: number): number[] {
  return shape.map((dimension) => (dimension === ROWS ? rows : dimension));
}
