import { sizeOf } from "../../compute/tensors.ts";
import type { Random } from "../../random.ts";

/** How the initial values of a parameter are drawn. */
export type Initialiser =
  | { readonly use: "constant"; readonly value: number }
  | { readonly use: "normal"; readonly deviation: number }
  | { readonly use: "he-normal"; readonly fanIn: number }
  | { readonly use: "xavier-uniform"; readonly fanIn: number; readonly fanOut: number }
  | { readonly use: "caffe-xavier"; readonly fanIn: number };

/** The same value everywhere. */
export function constant(value: number): Initialiser {
  return { use: "constant", value };
}

/** A normal distribution around 0. */
export function normal(deviation: number): Initialiser {
  return { use: "normal", deviation };
}

/** He et al. 2015, for layers followed by a rectifier ("msra"): a normal distribution of variance 2 / fanIn. */
export function heNormal(fanIn: number): Initialiser {
  return { use: "he-normal", fanIn };
}

/** Glorot and Bengio 2010: uniform within sqrt(6 / (fanIn + fanOut)). */
export function xavierUniform(fanIn: number, fanOut: number): Initialiser {
  return { use: "xavier-uniform", fanIn, fanOut };
}

/**
 * Caffe's filler "xavier" (Jia et al. 2014) as it is by default: uniform within sqrt(3 / fanIn), so of variance 1 / fanIn. Of
 * Glorot and Bengio's bound it leaves out the number of outputs. Caffe's "msra" is `heNormal`.
 */
export function caffeXavier(fanIn: number): Initialiser {
  return { use: "caffe-xavier", fanIn };
}

/** Values for a parameter of this shape. */
export function initialised(
  initialiser: Initialiser,
  shape: readonly number[],
  random: Random,
): Float32Array {
  const data = new Float32Array(sizeOf(shape));
  const draw = drawing(initialiser, random);
  for (let i = 0; i < data.length; i++) data[i] = draw();
  return data;
}

function drawing(initialiser: Initialiser, random: Random): () => number {
  switch (initialiser.use) {
    case "constant":
      return () => initialiser.value;
    case "normal":
      return () => initialiser.deviation * random.normal();
    case "he-normal": {
      const deviation = Math.sqrt(2 / initialiser.fanIn);
      return () => deviation * random.normal();
    }
    default: {
      const bound =
        initialiser.use === "caffe-xavier"
          ? Math.sqrt(3 / initialiser.fanIn)
          : Math.sqrt(6 / (initialiser.fanIn + initialiser.fanOut));
      return () => bound * (2 * random.float() - 1);
    }
  }
}
