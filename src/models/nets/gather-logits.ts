import * as tf from "@tensorflow/tfjs-core";

/**
 * The logits of some actions of each row: [rows, logits] and indices [rows, width] give [rows, width].
 *
 * Indices are int32. Those below 0 stand for padding: they give the logit of index 0, and the caller sees to it that no
 * gradient flows through them. Apart from padding, the indices of a row differ.
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
