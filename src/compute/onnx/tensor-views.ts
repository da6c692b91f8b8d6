import { Tensor } from "onnxruntime-node";
import type { Arrays, Shapes } from "../engine.ts";
import { type Shape, sizeOf, withRows } from "../tensors.ts";

/** Runtime tensors over the callers' arrays. They are kept, since callers pass the same few arrays again and again. */
export class TensorViews {
  readonly #known = new WeakMap<Float32Array, Map<string, Tensor>>();

  /** Tensors over the first `rows` rows of those arrays that are given. Throws RangeError for an array that is too short. */
  of(shapes: Shapes, arrays: Arrays, rows: number): Record<string, Tensor> {
    const tensors: Record<string, Tensor> = {};
    for (const [name, shape] of Object.entries(shapes)) {
      const array = arrays[name];
      if (array !== undefined) tensors[name] = this.#view(array, name, shape, rows);
    }
    return tensors;
  }

  #view(array: Float32Array, name: string, shape: Shape, rows: number): Tensor {
    let views = this.#known.get(array);
    if (views === undefined) this.#known.set(array, (views = new Map<string, Tensor>()));
    const key = `${name}:${rows}`;
    let tensor = views.get(key);
    if (tensor === undefined) {
      const dimensions = withRows(shape, rows);
      const size = sizeOf(dimensions);
      if (array.length < size)
        throw new RangeError(`${name}: ${array.length} numbers, ${size} needed for ${rows} rows`);
      tensor = new Tensor("float32", array.subarray(0, size), dimensions);
      views.set(key, tensor);
    }
    return tensor;
  }
}
