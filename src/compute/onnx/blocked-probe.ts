import * as tf from "@tensorflow/tfjs-core";
import type { InferenceSession } from "onnxruntime-node";
import type { LossFunction } from "../engine.ts";
import { optimiser } from "../optimiser.ts";
import { sizeOf, type TensorsByName, type Weight } from "../tensors.ts";
import { createSession } from "./session.ts";
import { openTrainingSession } from "./training-session.ts";

/** Sessions of probes: on one thread, without lines on stderr if a graph is refused. */
export const probeOptions: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionProviders: ["cpu"],
  logSeverityLevel: 4,
};

/** Board of the probe: large enough not to be convolved by one matrix product, small enough to take no time. */
const [HEIGHT, WIDTH] = [8, 3];
/** Filters of the probe's last convolutions: as many as are computed in tiles. */
const WIDE = 64;
/** Learning rate of the probe's step: so high that the new parameters are little else than gradients. */
const RATE = 1e4;
/**
 * Largest difference between the two ways of computing a step, relative to the largest number. Rounding makes them differ
 * by about 1e-6; numbers in the wrong place make them differ by about 1.
 */
const TOLERANCE = 1e-3;

/**
 * Trains one step of a small net with the runtime's blocked operators and with ONNX's own operators, and reports whether the
 * losses and the new parameters agree. Rejects if the runtime does not run the blocked graph.
 *
 * The net uses the blocked operators as training graphs of residual nets do: convolutions plain and in tiles, their
 * gradients, batch normalisation, a sum of images, rectifiers and sums by channel. tfjs's gradients must be loaded.
 */
export async function blockedStepAgrees(channelBlock: number): Promise<boolean> {
  const publicStep = await stepped(channelBlock, undefined);
  const blockedStep = await stepped(channelBlock, channelBlock);
  return [...publicStep].every(([name, expected]) => agree(expected, blockedStep.get(name)!));
}

/** The losses and parameters after one step, by name; `used` is the block that the graph is written for. */
async function stepped(block: number, used: number | undefined): Promise<Map<string, Float32Array>> {
  const inputs = { x: [block, HEIGHT, WIDTH, block], target: [block, HEIGHT, WIDTH, WIDE] };
  const parameters = new Map(
    Object.entries(parameterShapes(block)).map(([name, shape]): [string, Weight] => {
      const data = numbers(name, shape, 1 / Math.sqrt(9 * shape.at(-2)!));
      return [name, { shape, data }];
    }),
  );
  const options = { parameters, trained: new Set(parameters.keys()), inputs, name: "blocked probe" };
  const update = optimiser({ use: "sgd", momentum: 0 });
  const training = await openTrainingSession(
    (model) => createSession(model, probeOptions),
    loss,
    update,
    options,
    used,
  );
  try {
    const batch = Object.entries(inputs).map(([name, shape]) => [name, numbers(name, shape, 1)]);
    const losses = await training.steps(Object.fromEntries(batch), Float32Array.of(RATE));
    const after = await training.parameters();
    return new Map([
      ...Object.entries(losses),
      ...[...after].map(([name, { data }]): [string, Float32Array] => [name, data]),
    ]);
  } finally {
    await training.dispose();
  }
}

/** The layers of the probe, each a convolution with batch normalisation: numbers of inputs and outputs. */
function layersOf(block: number): Readonly<Record<string, readonly [inputs: number, outputs: number]>> {
  return { stem: [block, block], inner: [block, block], widening: [block, WIDE], tiled: [WIDE, WIDE] };
}

function parameterShapes(block: number): Readonly<Record<string, readonly number[]>> {
  const shapes: Record<string, readonly number[]> = {};
  for (const [layer, [inputs, outputs]] of Object.entries(layersOf(block))) {
    shapes[`${layer}/filter`] = [3, 3, inputs, outputs];
    shapes[`${layer}/scale`] = [1, outputs];
    shapes[`${layer}/offset`] = [1, outputs];
  }
  return shapes;
}

/** A convolution and a residual connection around another in few channels, then two convolutions in more. */
const loss: LossFunction = (parameters, { x, target }) => {
  const stem = tf.relu(layer(x as tf.Tensor4D, "stem", parameters));
  const narrow = tf.relu(tf.add<tf.Tensor4D>(stem, layer(stem, "inner", parameters)));
  const wide = tf.relu(layer(narrow, "widening", parameters));
  const result = tf.relu(layer(wide, "tiled", parameters));
  const total = tf.mean<tf.Scalar>(tf.square(tf.sub(result, target!)));
  return { total, parts: {}, state: {} };
};

/** A convolution and batch normalisation, as nets compute them while they are trained. */
function layer(image: tf.Tensor4D, name: string, parameters: TensorsByName): tf.Tensor4D {
  const vector = (part: string) => tf.reshape(parameters[`${name}/${part}`]!, [-1]);
  const x: tf.Tensor4D = tf.conv2d(image, parameters[`${name}/filter`] as tf.Tensor4D, 1, "same");
  const centred = tf.sub<tf.Tensor4D>(x, tf.mean(x, [0, 1, 2]));
  const variance = tf.mean(tf.square(centred), [0, 1, 2]);
  const factor = tf.mul(tf.add(vector("scale"), 1), tf.rsqrt(tf.add(variance, 1e-5)));
  return tf.add(tf.mul(centred, factor), vector("offset"));
}

/** Numbers of about this size that look random and are the same on every machine to a few bits. */
function numbers(name: string, shape: readonly number[], size: number): Float32Array {
  const first = name.length;
  return Float32Array.from(
    { length: sizeOf(shape) },
    (_, i) => size * Math.sin(first + i * 12.9898 + i * i * 0.61),
  );
}

function agree(expected: Float32Array, found: Float32Array): boolean {
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return expected.every((value, i) => Math.abs(value - found[i]!) <= TOLERANCE * largest);
}
