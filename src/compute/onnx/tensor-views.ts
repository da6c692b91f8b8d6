import { Tensor } from "onnxruntime-node";
import type { InputArrays, Shapes } from "../engine.ts";
import { type InputArray, type InputType, sizeOf, withSizes } from "../tensors.ts";

/** Runtime tensors over the callers' arrays. They are kept, since callers pass the same few arrays again and again. */
export class TensorViews {
  readonly #known = new WeakMap<InputArray, Map<string, Tensor>>();

  /**
   * Tensors over the first `rows` rows of those arrays that are given; `width` is the open width of rows. Throws
   * RangeError for an array that is too short.
   */
  of(
    shapes: Shapes,
    arrays: InputArrays,
    rows: number,
    width = 0,
    types: Readonly<Record<string, InputType>> = {},
  ): Record<string, Tensor> {
    const tensors: Record<string, Tensor> = {};
    for (const [name, shape] of Object.entries(shapes)) {
      const array = arrays[name];
      if (array === undefined) continue;
      let views = this.#known.get(array);
      if (views === undefined) this.#known.set(array, (views = new Map<string, Tensor>()));
      const key = `${name}:${rows}:${width}`;
      let tensor = views.get(key);
      if (tensor === undefined)
        views.set(key, (tensor = view(array, name, withSizes(shape, rows, width), types[name])));
      tensors[name] = tensor;
    }
    return tensors;
  }
}

function view(
  array: InputArray,
  name: string,
  shape: readonly number[],
  type: InputType = "float32",
): Tensor {
  const size = sizeOf(shape);
  if (array.length < size)
    throw new RangeError(`${name}: ${array.length} numbers, ${size} needed for ${shape[0]} rows`);
  return new Tensor(type, array.subarray(0, size), shape);
}
