import type { Tensor4D } from "@tensorflow/tfjs-core";
import type { Engine } from "../../../src/compute/engine.ts";
import { ROWS } from "../../../src/compute/tensors.ts";
import type { Net } from "../../../src/models/net.ts";
import { constantsOf } from "../../../src/models/nets/inference.ts";

/** A net without packed planes and without moves: values and all logits of planes as floats. */
export async function openPlainInference(
  engine: Engine,
  net: Net,
  weights: ReadonlyMap<string, Float32Array>,
) {
  const compiled = await engine.compile(
    (inputs) => {
      const { value, policy } = net.forward(inputs, inputs["x"] as Tensor4D, false);
      return { ...(value === undefined ? {} : { value }), ...(policy === undefined ? {} : { policy }) };
    },
    { x: [ROWS, ...net.input] },
    { constants: constantsOf(net, weights) },
  );
  return {
    /** Evaluates the first `rows` positions of `x` [rows, height, width, channels]. */
    run: (
      x: Float32Array,
      rows: number,
      out: { readonly value: Float32Array; readonly policy?: Float32Array },
    ) => compiled.run({ x }, { ...out }, rows),
    dispose: () => compiled.dispose(),
  };
}
