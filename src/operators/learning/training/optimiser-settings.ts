import { Type } from "../../../schema.ts";

const closed = { additionalProperties: false } as const;
const weightDecay = Type.Number({
  minimum: 0,
  maximum: 1,
  default: 0,
  description:
    "Fraction of each weight that is subtracted per step and unit of learning rate (decoupled weight decay).",
});
/** The settings of stochastic gradient descent. */
export const sgdSchema = Type.Object(
  {
    use: Type.Literal("sgd", { description: "Stochastic gradient descent with momentum." }),
    momentum: Type.Number({
      minimum: 0,
      exclusiveMaximum: 1,
      default: 0.9,
      description: "Momentum; 0 for none.",
    }),
    weightDecay,
    penalty: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0,
      description:
        "L2 penalty as in AlphaZero: half of this number times the sum of squares of all weights is added to the loss.",
    }),
  },
  closed,
);
/** The settings of Adam. */
export const adamSchema = Type.Object(
  {
    use: Type.Literal("adam", { description: "Adam (Kingma and Ba 2015)." }),
    beta1: Type.Number({
      minimum: 0,
      exclusiveMaximum: 1,
      default: 0.9,
      description: "Decay of the mean gradient.",
    }),
    beta2: Type.Number({
      minimum: 0,
      exclusiveMaximum: 1,
      default: 0.999,
      description: "Decay of the mean squared gradient.",
    }),
    epsilon: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      default: 1e-8,
      description: "Added to the root of the mean squared gradient.",
    }),
    weightDecay,
  },
  closed,
);
