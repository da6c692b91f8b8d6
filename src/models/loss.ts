import * as tf from "@tensorflow/tfjs-core";
import { Type, type Static } from "../schema.ts";
import { inLayer } from "../compute/layer.ts";
import type { LossValues, Tensors } from "../compute/tensors.ts";
import type { Net, NetOutputs } from "./net.ts";

/** The options of `value-regression`. */
export const valueRegressionOptions = Type.Object(
  {
    use: Type.Literal("value-regression", { description: "The error of the values." }),
    error: Type.Optional(
      Type.Union([Type.Literal("squared"), Type.Literal("huber")], {
        default: "squared",
        description:
          "Squared error, or Huber's: squared up to one unit of the net's value scale, then linear.",
      }),
    ),
    clip: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e12,
        description:
          "Greatest difference between target and prediction, in units of the returns; farther targets are moved nearer.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** The options of `alphazero`. */
export const alphazeroOptions = Type.Object(
  {
    use: Type.Literal("alphazero", {
      description: "Squared error of the values plus cross-entropy of the policy.",
    }),
  },
  { additionalProperties: false },
);

/** Which loss a net is trained with, and its settings. */
export type LossOptions = Static<typeof valueRegressionOptions> | Static<typeof alphazeroOptions>;

/** A loss as a pure function of a net's outputs and of the targets. */
export interface Loss {
  readonly name: string;
  /** Whether it needs a net with a policy, and policy targets. */
  readonly policy: boolean;
  /** Targets: `value` [rows, seats], and `policy` [rows, actions] where the loss has one; parts are named after them. */
  compute(net: Net, outputs: NetOutputs, targets: Tensors): Omit<LossValues, "state">;
}

/** The loss with these settings. */
export function openLoss(options: LossOptions): Loss {
  return options.use === "alphazero" ? alphazero : valueRegression(options);
}

/**
 * Mean error of the values, in units of the net's value scale.
 *
 * With `clip`, the target is prediction + clip(target - prediction, -c, c), as in the MC Softmax paper (section
 * 4.1, c = 100); no gradient flows through that target.
 */
function valueRegression({ error = "squared", clip }: Static<typeof valueRegressionOptions>): Loss {
  return {
    name: "value-regression",
    policy: false,
    compute: (net, { value }, targets) =>
      inLayer("loss/value", () => {
        const difference = tf.sub(value, targets["value"]!);
        const limited = clip === undefined ? difference : limitedTo(clip, difference);
        const scaled = tf.mul(limited, 1 / net.valueScale);
        const part = tf.mean<tf.Scalar>(error === "huber" ? huber(scaled) : tf.square(scaled));
        return { total: part, parts: { value: part } };
      }),
  };
}

/** The difference with its size limited to c, and the gradient that the moved target gives: that of the difference. */
function limitedTo(c: number, difference: tf.Tensor): tf.Tensor {
  const limit = tf.customGrad((x) => ({
    value: tf.clipByValue(x as tf.Tensor, -c, c),
    gradFunc: (dy) => dy,
  }));
  return limit(difference);
}

/** Half the square up to 1, then growing by 1 per unit; doubled, so that small errors weigh as squared ones. */
function huber(x: tf.Tensor): tf.Tensor {
  const size = tf.abs(x);
  const small = tf.minimum(size, 1);
  return tf.mul(small, tf.sub(tf.mul(size, 2), small));
}

/** ||z - v||^2 - pi . log P, averaged over the rows (Silver et al. 2017, equation 1; decay belongs to the optimiser). */
const alphazero: Loss = {
  name: "alphazero",
  policy: true,
  compute: (net, { value, policy }, targets) => {
    if (policy === undefined)
      throw new Error(`the loss alphazero needs a net with a policy, not ${net.name}`);
    const valuePart = inLayer("loss/value", () => {
      const difference = tf.mul(tf.sub(targets["value"]!, value), 1 / net.valueScale);
      return tf.mean<tf.Scalar>(tf.sum(tf.square(difference), 1));
    });
    const policyPart = inLayer("loss/policy", () => {
      const likelihood = tf.sum(tf.mul(targets["policy"]!, tf.logSoftmax(policy)), 1);
      return tf.neg(tf.mean<tf.Scalar>(likelihood));
    });
    const total = inLayer("loss", () => tf.add<tf.Scalar>(valuePart, policyPart));
    return { total, parts: { value: valuePart, policy: policyPart } };
  },
};
