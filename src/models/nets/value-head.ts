import * as tf from "@tensorflow/tfjs-core";
import { Type } from "../../schema.ts";

/** The option `valueActivation` of nets. */
export const valueActivation = Type.Union([Type.Literal("tanh"), Type.Literal("linear")], {
  default: "tanh",
  description: "`tanh` for values in -1 to 1 (games won or lost), `linear` for unbounded scores.",
});

/** The option `valueScale` of nets. */
export const valueScale = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1e12,
  default: 1,
  description: "Factor on the value, about the size of the returns. Losses measure errors in units of it.",
});

/** The options of a value head's output. */
export interface ValueHead {
  readonly valueActivation: "tanh" | "linear";
  readonly valueScale: number;
}

/** The values for the output of a head's last dense layer. */
export function activateValue(x: tf.Tensor2D, head: ValueHead): tf.Tensor2D {
  const bounded = head.valueActivation === "tanh" ? tf.tanh(x) : x;
  return head.valueScale === 1 ? bounded : tf.mul(bounded, head.valueScale);
}

/** The values of both players of a game, [rows, 2], from those of the player to move, [rows, 1]: the other has the negative. */
export function ofBothPlayers(mover: tf.Tensor2D): tf.Tensor2D {
  return tf.concat2d([mover, tf.neg(mover)], 1);
}
