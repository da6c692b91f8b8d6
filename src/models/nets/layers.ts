import * as tf from "@tensorflow/tfjs-core";
import { inLayer } from "../../compute/layer.ts";
import type { TensorsByName } from "../../compute/tensors.ts";
import { constant, heNormal, type Initialiser } from "./initialiser.ts";
import type { ParameterSpec } from "../net.ts";

/** One evaluation of the net, as its layers see it. */
export interface Pass {
  readonly parameters: TensorsByName;
  readonly training: boolean;
  /** Layers put the new values of their running statistics here. */
  readonly state: Record<string, tf.Tensor>;
}

/**
 * A named part of a net: its parameters, and a pure function of them. The input may be any tensor of the layer's rank: sums of
 * tfjs, such as those of a residual block, have lost it in their type.
 */
export interface Layer<Out extends tf.Tensor> {
  readonly parameters: readonly ParameterSpec[];
  apply(x: tf.Tensor, pass: Pass): Out;
}

/** A layer from images to images. */
export type ImageLayer = Layer<tf.Tensor4D>;

/** Settings of a convolution. */
export interface ConvolutionOptions {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Height and width of the filter. */
  readonly size: number;
  /** `same` keeps the board's size, `valid` uses no cell outside it. Default `same`. */
  readonly pad?: "same" | "valid";
  /** Default He normal. */
  readonly initialiser?: Initialiser;
  /** Default true. Batch normalisation has a bias of its own, so a convolution before it needs none. */
  readonly bias?: boolean;
}

/** A convolution of stride 1. */
export function convolution(options: ConvolutionOptions): ImageLayer {
  const { name, from, to, size, pad = "same", bias = true } = options;
  const initialiser = options.initialiser ?? heNormal(size * size * from);
  const filter = { name: `${name}/filter`, shape: [size, size, from, to], initialiser, trained: true };
  const offset = { name: `${name}/bias`, shape: [to], initialiser: constant(0), trained: true };
  return {
    parameters: bias ? [filter, offset] : [filter],
    apply: (x, { parameters }) =>
      inLayer(name, () => {
        const y = tf.conv2d(x as tf.Tensor4D, parameters[filter.name] as tf.Tensor4D, 1, pad);
        return bias ? tf.add(y, parameters[offset.name]!) : y;
      }),
  };
}

/** A fully connected layer; [rows, from] to [rows, to]. Default initialiser He normal. */
export function dense(
  name: string,
  from: number,
  to: number,
  initialiser: Initialiser = heNormal(from),
): Layer<tf.Tensor2D> {
  const matrix = { name: `${name}/matrix`, shape: [from, to], initialiser, trained: true };
  const offset = { name: `${name}/bias`, shape: [to], initialiser: constant(0), trained: true };
  return {
    parameters: [matrix, offset],
    apply: (x, { parameters }) =>
      inLayer(name, () =>
        tf.add(tf.matMul(x as tf.Tensor2D, parameters[matrix.name] as tf.Tensor2D), parameters[offset.name]!),
      ),
  };
}

/** Share of the running statistics that a step replaces by the statistics of the batch. */
const STATISTICS_RATE = 0.1;
const EPSILON = 1e-5;

/**
 * Batch normalisation over rows, height and width (Ioffe and Szegedy 2015).
 *
 * In training it uses the mean and variance of the batch; otherwise running statistics, which follow them at a rate of 0.1.
 */
export function batchNorm(name: string, channels: number): ImageLayer {
  const spec = (part: string, value: number, trained: boolean): ParameterSpec => ({
    name: `${name}/${part}`,
    shape: [channels],
    initialiser: constant(value),
    trained,
  });
  const scale = spec("scale", 1, true);
  const offset = spec("offset", 0, true);
  const runningMean = spec("mean", 0, false);
  const runningVariance = spec("variance", 1, false);
  return {
    parameters: [scale, offset, runningMean, runningVariance],
    apply: (x, pass) =>
      inLayer(name, () => {
        const of = (parameter: ParameterSpec) => pass.parameters[parameter.name] as tf.Tensor1D;
        if (!pass.training)
          return tf.batchNorm(
            x as tf.Tensor4D,
            of(runningMean),
            of(runningVariance),
            of(offset),
            of(scale),
            EPSILON,
          );
        const mean = tf.mean<tf.Tensor1D>(x, [0, 1, 2]);
        const centred = tf.sub<tf.Tensor4D>(x, mean);
        const variance = tf.mean<tf.Tensor1D>(tf.square(centred), [0, 1, 2]);
        const follow = (parameter: ParameterSpec, now: tf.Tensor1D) =>
          tf.add(tf.mul(of(parameter), 1 - STATISTICS_RATE), tf.mul(now, STATISTICS_RATE));
        pass.state[runningMean.name] = follow(runningMean, mean);
        pass.state[runningVariance.name] = follow(runningVariance, variance);
        const factor = tf.mul(of(scale), tf.rsqrt(tf.add(variance, EPSILON)));
        return tf.add(tf.mul(centred, factor), of(offset));
      }),
  };
}

/** [rows, height, width, channels] as [rows, height * width * channels]. */
export function flatten(x: tf.Tensor): tf.Tensor2D {
  const [, height, width, channels] = (x as tf.Tensor4D).shape;
  return tf.reshape(x, [-1, height * width * channels]);
}
