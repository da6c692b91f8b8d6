import { INT8_RANGES } from "../../../models/net.ts";
import type { Tensor, Tensors } from "../items.ts";

/** The parameters of a net, from the tensors of its learner. */
export function weightsOf(tensors: Tensors): Map<string, Float32Array> {
  return floats(part(tensors, "weights/"));
}

/** The tensors of a learner that are needed to play: all under `weights/`, without the state of the optimiser. */
export function playingPart(tensors: Tensors): Tensors {
  return new Map([...tensors].filter(([name]) => name.startsWith("weights/")));
}

/** The arrays whose names begin with a prefix, under their names without the prefix. */
export function part(tensors: Tensors, prefix: string): Map<string, Tensor["data"]> {
  return new Map(
    [...tensors].flatMap(([name, { data }]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), data]] : [],
    ),
  );
}

/** The arrays of type float32; all tensors of nets have this type. */
export function floats(arrays: ReadonlyMap<string, Tensor["data"]>): Map<string, Float32Array> {
  return new Map([...arrays].flatMap(([name, data]) => (data instanceof Float32Array ? [[name, data]] : [])));
}

/** Ranges of activations as a tensor of a learner, under its name: they travel with the weights. */
export function rangesTensor(ranges: Float32Array): [string, Tensor] {
  return [`weights/${INT8_RANGES}`, { shape: [ranges.length], data: ranges }];
}
