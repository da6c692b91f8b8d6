import * as tf from "@tensorflow/tfjs-core";
import { encodingOf } from "../../games/packed-planes.ts";
import { Type } from "../../schema.ts";
import { netOptions, planesOf, type NetDefinition } from "../definition.ts";
import { xavierUniform } from "./initialiser.ts";
import { dense, flatten, type Pass } from "./layers.ts";
import type { Net } from "../net.ts";
import { activateValue, valueActivation, valueScale } from "./value-head.ts";

const options = Type.Object(
  {
    hidden: Type.Array(Type.Integer({ minimum: 1, maximum: 65_536 }), {
      default: [128, 128],
      description: "Units of each hidden layer.",
    }),
    policy: Type.Boolean({
      default: false,
      description: "Whether the net has a policy head in addition to its value head.",
    }),
    valueActivation,
    valueScale,
    ...netOptions,
  },
  { additionalProperties: false },
);

/** Dense layers on the flattened planes, with a value head and an optional policy head. */
export const mlp: NetDefinition<typeof options> = {
  name: "mlp",
  description: "Dense layers on the flattened planes, with a value and an optional policy.",
  options,
  heads: ({ policy }) => ({ value: true, policy }),
  build: (game, chosen): Net => {
    const planes = planesOf(game, "mlp", chosen.planes);
    const input = planes.shape;
    const widths = [input[0] * input[1] * input[2], ...chosen.hidden];
    const hidden = chosen.hidden.map((units, i) => dense(`hidden${i + 1}`, widths[i]!, units));
    const last = widths.at(-1)!;
    const value = dense("value", last, game.players, xavierUniform(last, game.players));
    const policy = chosen.policy
      ? dense("policy", last, game.actions, xavierUniform(last, game.actions))
      : undefined;
    return {
      name: "mlp",
      input,
      encoding: encodingOf(planes),
      seats: game.players,
      ...(policy === undefined
        ? {}
        : { actions: game.actions, logits: game.actions, maxLegal: game.maxLegal }),
      valueScale: chosen.valueScale,
      parameters: [...hidden, value, ...(policy === undefined ? [] : [policy])].flatMap(
        (layer) => layer.parameters,
      ),
      forward: (parameters, x, training) => {
        const pass: Pass = { parameters, training, state: {} };
        const features = hidden.reduce((y, layer) => tf.relu(layer.apply(y, pass)), flatten(x));
        return {
          value: activateValue(value.apply(features, pass), chosen),
          ...(policy === undefined ? {} : { policy: policy.apply(features, pass) }),
          state: pass.state,
        };
      },
    };
  },
};
