import * as tf from "@tensorflow/tfjs-core";
import { encodingOf } from "../../games/packed-planes.ts";
import { Type } from "../../schema.ts";
import { NetDoesNotFit, netOptions, planesOf, type NetDefinition } from "../definition.ts";
import { xavierUniform } from "./initialiser.ts";
import { convolution, dense, flatten, type Pass } from "./layers.ts";
import type { Net } from "../net.ts";
import { actionPlanesOf, cellwisePolicy, policyLayout } from "./policy-head.ts";
import { activateValue, valueActivation, valueScale } from "./value-head.ts";

const options = Type.Object(
  {
    filters: Type.Integer({
      minimum: 1,
      maximum: 4096,
      default: 192,
      description: "Filters of each convolutional layer.",
    }),
    layers: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 12,
      description: "Convolutional layers: the first of 5x5, the others of 3x3.",
    }),
    policy: Type.Boolean({
      default: true,
      description: "Whether the net has a policy head.",
    }),
    value: Type.Boolean({
      default: false,
      description: "Whether the net has a value head. A net has at least one head.",
    }),
    valueUnits: Type.Integer({
      minimum: 1,
      maximum: 65_536,
      default: 256,
      description: "Units of the hidden layer of the value head.",
    }),
    valueActivation,
    valueScale,
    ...netOptions,
  },
  { additionalProperties: false },
);

/**
 * The policy net and the value net of AlphaGo (Silver et al. 2016, Methods and extended data table 1): rectified
 * convolutions without normalisation or residual connections.
 *
 * The policy head is a 1x1 convolution with a bias of its own for each cell. The value head is a 1x1 convolution to one
 * plane, a rectified dense layer and a dense layer. The plane of the value head is not rectified: a single filter that is
 * negative on all cells would never learn again.
 */
export const convolutional: NetDefinition<typeof options> = {
  name: "convolutional",
  description: "Plain convolutions with a policy head, a value head, or both, as in AlphaGo.",
  options,
  heads: ({ policy, value }) => ({ policy, value }),
  build: (game, chosen): Net => {
    if (!chosen.policy && !chosen.value)
      throw new NetDoesNotFit(
        "convolutional",
        game.name,
        "it has no head; give it policy: true or value: true",
      );
    const planes = planesOf(game, "convolutional", chosen.planes);
    const input = planes.shape;
    const [height, width, channels] = input;
    const { filters, valueUnits } = chosen;
    const cells = height * width;
    const seats = game.players;
    const tower = Array.from({ length: chosen.layers }, (_, i) =>
      convolution({
        name: `layer${i + 1}`,
        from: i === 0 ? channels : filters,
        to: filters,
        size: i === 0 ? 5 : 3,
      }),
    );
    const policy = chosen.policy
      ? cellwisePolicy("policy", filters, cells, actionPlanesOf(game, "convolutional"))
      : undefined;
    const value = chosen.value
      ? {
          plane: convolution({ name: "value", from: filters, to: 1, size: 1 }),
          hidden: dense("value/hidden", cells, valueUnits),
          last: dense("value/dense", valueUnits, seats, xavierUniform(valueUnits, seats)),
        }
      : undefined;
    const layers = [...tower, policy, value?.plane, value?.hidden, value?.last];
    return {
      name: "convolutional",
      input,
      encoding: encodingOf(planes),
      seats,
      ...(chosen.value ? {} : { hasValue: false }),
      ...(chosen.policy
        ? {
            actions: game.actions,
            ...policyLayout(game, "convolutional", "convolutional", cells),
            maxLegal: game.maxLegal,
          }
        : {}),
      valueScale: chosen.valueScale,
      parameters: layers.flatMap((layer) => layer?.parameters ?? []),
      forward: (parameters, x, training) => {
        const pass: Pass = { parameters, training, state: {} };
        const features = tower.reduce((y, layer) => tf.relu(layer.apply(y, pass)), x);
        const outputs = policy === undefined ? {} : { policy: policy.apply(features, pass) };
        if (value === undefined) return { ...outputs, state: pass.state };
        const hidden = tf.relu(value.hidden.apply(flatten(value.plane.apply(features, pass)), pass));
        return {
          ...outputs,
          value: activateValue(value.last.apply(hidden, pass), chosen),
          state: pass.state,
        };
      },
    };
  },
};
