import * as tf from "@tensorflow/tfjs-core";

/** Fills rows of gather indices after the last. */
export const NO_INDEX = -1;

/** Subtracted from the logits of padding: their softmax is then 0. */
const FAR_ABOVE = 1e30;

/**
 * The logits at the gather indices of each row: [rows, logits] and int32 indices [rows, width] give [rows, width].
 *
 * Padding (`NO_INDEX`) gives the logit of index 0, and the caller sees to it that no gradient flows through it. Apart from
 * padding, the indices of a row differ.
 */
export function gatherLogits(logits: tf.Tensor2D, indices: tf.Tensor): tf.Tensor2D {
  // tfjs's own gradient of a gather by rows computes every row by operations of its own; this one is a single scatter.
  const gather = tf.customGrad((x, at, save) => {
    const [rows, width] = (x as tf.Tensor2D).shape;
    const places = tf.maximum(at as tf.Tensor2D, tf.scalar(0, "int32"));
    (save as tf.GradSaveFunc)([places]);
    const gradFunc = (dy: tf.Tensor, [saved]: tf.Tensor[]) => {
      const firsts = tf.tensor2d(
        Int32Array.from({ length: rows }, (_, row) => row * width),
        [rows, 1],
        "int32",
      );
      const flat = tf.reshape(tf.add(saved!, firsts), [-1, 1]);
      const scattered = tf.scatterND(flat, tf.reshape(dy, [-1]), [rows * width]);
      return [tf.reshape(scattered, [rows, width]), tf.zerosLike(saved!)];
    };
    return { value: tf.gather(x as tf.Tensor2D, places, 1, 1), gradFunc };
  });
  return gather(logits, indices);
}

/** The gathered logits of each row for a softmax among them: padding is so low that its probability is 0. */
export function gatherAmong(logits: tf.Tensor2D, indices: tf.Tensor): tf.Tensor2D {
  const padding = tf.cast(tf.minimum(indices, tf.scalar(0, "int32")), "float32");
  return tf.add(gatherLogits(logits, indices), tf.mul(padding, FAR_ABOVE));
}
