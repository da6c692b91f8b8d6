import * as tf from "@tensorflow/tfjs-core";
import { inLayer } from "../../compute/layer.ts";

/** [rows, height, width, channels] to [rows, 2 * channels]: each channel's mean over the board, then its maximum. */
export function meanAndMax(name: string, x: tf.Tensor4D): tf.Tensor2D {
  const channels = x.shape[3];
  return inLayer(name, () => {
    const mean = tf.reshape(tf.mean(x, [1, 2], true), [-1, channels]);
    const max = tf.reshape(tf.max(x, [1, 2], true), [-1, channels]);
    return tf.concat2d([mean as tf.Tensor2D, max as tf.Tensor2D], 1);
  });
}
