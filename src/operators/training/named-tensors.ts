import type { Tensor, Tensors } from "../run/items.ts";

/** The parameters of a net among a learner's tensors. */
export function weightsOf(tensors: Tensors): Map<string, Float32Array> {
  return floats(part(tensors, "weights/"));
}

/** What of a learner's tensors plays: all under `weights/`, without momentum and the like. */
export function playingPart(tensors: Tensors): Tensors {
  return new Map([...tensors].filter(([name]) => name.startsWith("weights/")));
}

/** The arrays whose names begin with a prefix, without it. */
export function part(tensors: Tensors, prefix: string): Map<string, Tensor["data"]> {
  return new Map(
    [...tensors].flatMap(([name, { data }]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), data]] : [],
    ),
  );
}

/** Those arrays that are of float32, as the tensors of nets all are. */
export function floats(arrays: ReadonlyMap<string, Tensor["data"]>): Map<string, Float32Array> {
  return new Map([...arrays].flatMap(([name, data]) => (data instanceof Float32Array ? [[name, data]] : [])));
}
