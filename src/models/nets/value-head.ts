import * as tf from "@tensorflow/tfjs-core";
import { Type } from "../../schema.ts";

/** The option `valueActivation` of nets. */
export const valueActivation = Type.Union([Type.Literal("tanh"), Type.Literal("linear")], {
  default: "tanh",
  description: "`tanh` for games won or lost (values in -1 to 1), `linear` for scores without bound.",
});

/** The option `valueScale` of nets. */
export const valueScale = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1e12,
  default: 1,
  description: "Factor on the value, about the size of the returns: losses measure errors in units of it.",
});

/** How a value head ends. */
export interface ValueHead {
  readonly valueActivation: "tanh" | "linear";
  readonly valueScale: number;
}

/** The values that a head's last dense layer stands for. */
export function activateValue(x: tf.Tensor2D, head: ValueHead): tf.Tensor2D {
  const bounded = head.valueActivation === "tanh" ? tf.tanh(x) : x;
  return head.valueScale === 1 ? bounded : tf.mul(bounded, head.valueScale);
}
