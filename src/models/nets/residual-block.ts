import * as tf from "@tensorflow/tfjs-core";
import { inLayer } from "../../compute/layer.ts";
import { meanAndMax } from "./global-pooling.ts";
import { dense, type ImageLayer } from "./layers.ts";
import { normalisedConvolution } from "./normalised-convolution.ts";

/** relu(x + f(x)), where f is two 3x3 convolutions, each normalised, with a rectifier between them (He et al. 2016). */
export function residualBlock(name: string, filters: number): ImageLayer {
  return residualAround(name, filters, normalisedConvolution(name, filters, filters, 3, "1"));
}

/**
 * A residual block whose first convolution also receives information of the whole board (Wu 2019, section 3.3).
 *
 * A second 3x3 convolution to `pooled` filters, normalised and rectified, is pooled to its means and maxima over the board,
 * [rows, 2 * pooled]. A dense layer turns these into a bias for each filter of the first convolution, the same on all cells.
 */
export function poolingBlock(name: string, filters: number, pooled: number): ImageLayer {
  const regular = normalisedConvolution(name, filters, filters, 3, "1");
  const toPool = normalisedConvolution(`${name}/pool`, filters, pooled, 3);
  const toBias = dense(`${name}/pool/dense`, 2 * pooled, filters);
  return residualAround(name, filters, {
    parameters: [...regular.parameters, ...toPool.parameters, ...toBias.parameters],
    apply: (x, pass) => {
      const bias = toBias.apply(meanAndMax(`${name}/pool`, tf.relu(toPool.apply(x, pass))), pass);
      const onCells = tf.reshape(bias, [-1, 1, 1, filters]);
      const image = regular.apply(x, pass);
      return inLayer(`${name}/pool`, () => tf.add<tf.Tensor4D>(image, onCells));
    },
  });
}

function residualAround(name: string, filters: number, first: ImageLayer): ImageLayer {
  const second = normalisedConvolution(name, filters, filters, 3, "2");
  return {
    parameters: [...first.parameters, ...second.parameters],
    apply: (x, pass) => tf.relu(tf.add(x, second.apply(tf.relu(first.apply(x, pass)), pass))),
  };
}
