import * as tf from "@tensorflow/tfjs-core";
import { encodingOf } from "../../games/packed-planes.ts";
import { Type } from "../../schema.ts";
import { NetDoesNotFit, netOptions, planesOf, type NetDefinition } from "../definition.ts";
import { normal } from "./initialiser.ts";
import { convolution, dense, flatten, type Pass } from "./layers.ts";
import type { Net } from "../net.ts";

const options = Type.Object(
  {
    filters: Type.Array(Type.Integer({ minimum: 1, maximum: 65_536 }), {
      minItems: 2,
      maxItems: 2,
      default: [160, 320],
      description: "Filters of the first and the second 2x2 convolution.",
    }),
    units: Type.Array(Type.Integer({ minimum: 1, maximum: 65_536 }), {
      minItems: 2,
      maxItems: 2,
      default: [256, 64],
      description: "Units of the first two of the three dense layers; the third gives the value.",
    }),
    deviation: Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      default: 0.05,
      description: "Standard deviation of the normal distribution from which all weights are drawn.",
    }),
    valueScale: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e12,
      default: 1,
      description:
        "Factor on the output, about the size of the scores. Losses measure errors in units of it.",
    }),
    ...netOptions,
  },
  { additionalProperties: false },
);

/**
 * The value net CNN22 for 2048: two 2x2 convolutions on one-hot tiles without padding, three dense layers.
 *
 * The kind and number of layers, and the normal initialisation, are those of the MC Softmax paper (Watanabe and
 * Matsuzaki), which takes the net from Matsuzaki 2021, "Developing Value Networks for Game 2048 with Reinforcement
 * Learning". The layer sizes of that paper were not available. The default sizes are choices of this project: 561,000
 * weights on a 4x4 board.
 */
export const cnn22: NetDefinition<typeof options> = {
  name: "cnn22",
  description: "Two 2x2 convolutions and three dense layers with a value output, for 2048.",
  options,
  heads: () => ({ value: true, policy: false }),
  build: (game, chosen): Net => {
    const planes = planesOf(game, "cnn22", chosen.planes);
    const input = planes.shape;
    const [height, width, channels] = input;
    const [first, second] = chosen.filters as [number, number];
    const [units1, units2] = chosen.units as [number, number];
    if (height < 3 || width < 3)
      throw new NetDoesNotFit("cnn22", game.name, "two 2x2 convolutions need a board of 3x3 or more");
    const initialiser = normal(chosen.deviation);
    const conv1 = convolution({
      name: "conv1",
      from: channels,
      to: first,
      size: 2,
      pad: "valid",
      initialiser,
    });
    const conv2 = convolution({ name: "conv2", from: first, to: second, size: 2, pad: "valid", initialiser });
    const dense1 = dense("dense1", (height - 2) * (width - 2) * second, units1, initialiser);
    const dense2 = dense("dense2", units1, units2, initialiser);
    const dense3 = dense("value", units2, game.players, initialiser);
    return {
      name: "cnn22",
      input,
      encoding: encodingOf(planes),
      seats: game.players,
      valueScale: chosen.valueScale,
      parameters: [conv1, conv2, dense1, dense2, dense3].flatMap((layer) => layer.parameters),
      forward: (parameters, x, training) => {
        const pass: Pass = { parameters, training, state: {} };
        const images = tf.relu(conv2.apply(tf.relu(conv1.apply(x, pass)), pass));
        const hidden = tf.relu(dense1.apply(flatten(images), pass));
        const value = dense3.apply(tf.relu(dense2.apply(hidden, pass)), pass);
        return { value: tf.mul(value, chosen.valueScale), state: pass.state };
      },
    };
  },
};
