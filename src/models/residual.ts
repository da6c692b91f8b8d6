import * as tf from "@tensorflow/tfjs-core";
import { Type } from "../schema.ts";
import { planesOf, type NetDefinition } from "./definition.ts";
import { xavierUniform } from "./initialiser.ts";
import { batchNorm, convolution, dense, flatten, type ImageLayer, type Pass } from "./layers.ts";
import type { Net } from "./net.ts";
import { activateValue, valueActivation, valueScale } from "./value-head.ts";

const options = Type.Object(
  {
    filters: Type.Integer({
      minimum: 1,
      maximum: 4096,
      default: 128,
      description: "Filters of every convolution of the tower.",
    }),
    blocks: Type.Integer({
      minimum: 0,
      maximum: 200,
      default: 10,
      description: "Residual blocks of two convolutions each.",
    }),
    valueUnits: Type.Integer({
      minimum: 1,
      maximum: 65_536,
      default: 256,
      description: "Units of the value head's hidden layer.",
    }),
    valueActivation,
    valueScale,
  },
  { additionalProperties: false },
);

/**
 * The residual net of BlokusZero, after AlphaZero (Silver et al. 2017).
 *
 * A 3x3 stem and blocks of two 3x3 convolutions, each batch-normalised; policy head 1x1 to 2 planes and dense;
 * value head 1x1 to 4 planes, dense with rectifier, dense. He initialisation, Xavier in both last dense layers.
 */
export const residual: NetDefinition<typeof options> = {
  name: "residual",
  description: "A residual tower of 3x3 convolutions with a value and a policy head, as in AlphaZero.",
  options,
  heads: () => ({ value: true, policy: true }),
  build: (game, chosen): Net => {
    const input = planesOf(game, "residual");
    const [height, width, channels] = input;
    const { filters, valueUnits } = chosen;
    const cells = height * width;
    const stem = normalised("stem", channels, filters, 3);
    const blocks = Array.from({ length: chosen.blocks }, (_, i) => residualBlock(`block${i + 1}`, filters));
    const policyPlanes = normalised("policy", filters, 2, 1);
    const policy = dense("policy/dense", 2 * cells, game.actions, xavierUniform(2 * cells, game.actions));
    const valuePlanes = normalised("value", filters, 4, 1);
    const hidden = dense("value/hidden", 4 * cells, valueUnits);
    const value = dense("value/dense", valueUnits, game.players, xavierUniform(valueUnits, game.players));
    return {
      name: "residual",
      input,
      seats: game.players,
      actions: game.actions,
      valueScale: chosen.valueScale,
      parameters: [stem, ...blocks, policyPlanes, policy, valuePlanes, hidden, value].flatMap(
        (layer) => layer.parameters,
      ),
      forward: (parameters, x, training) => {
        const pass: Pass = { parameters, training, state: {} };
        const first = tf.relu(stem.apply(x, pass));
        const tower = blocks.reduce((y, block) => block.apply(y, pass), first);
        const features = flatten(tf.relu(valuePlanes.apply(tower, pass)));
        const judged = value.apply(tf.relu(hidden.apply(features, pass)), pass);
        return {
          policy: policy.apply(flatten(tf.relu(policyPlanes.apply(tower, pass))), pass),
          value: activateValue(judged, chosen),
          state: pass.state,
        };
      },
    };
  },
};

/** A convolution and its batch normalisation, which brings the bias. */
function normalised(path: string, from: number, to: number, size: number, suffix = ""): ImageLayer {
  const conv = convolution({ name: `${path}/conv${suffix}`, from, to, size, bias: false });
  const norm = batchNorm(`${path}/norm${suffix}`, to);
  return {
    parameters: [...conv.parameters, ...norm.parameters],
    apply: (x, pass) => norm.apply(conv.apply(x, pass), pass),
  };
}

function residualBlock(name: string, filters: number): ImageLayer {
  const first = normalised(name, filters, filters, 3, "1");
  const second = normalised(name, filters, filters, 3, "2");
  return {
    parameters: [...first.parameters, ...second.parameters],
    apply: (x, pass) => {
      const change = second.apply(tf.relu(first.apply(x, pass)), pass);
      return tf.relu(tf.add(x, change));
    },
  };
}
