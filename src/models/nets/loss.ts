import * as tf from "@tensorflow/tfjs-core";
import { Type, type Static } from "../../schema.ts";
import { inLayer } from "../../compute/layer.ts";
import type { LossValues, Tensors } from "../../compute/tensors.ts";
import type { Net, NetOutputs } from "../net.ts";
import type { AuxiliaryTarget } from "../targets.ts";

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

const weightOf = (part: string, otherwise: number) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1000,
      default: otherwise,
      description: `Factor on the error of the ${part}.`,
    }),
  );

/** The options of `alphazero`. */
export const alphazeroOptions = Type.Object(
  {
    use: Type.Literal("alphazero", {
      description: "Squared error of the values plus cross-entropy of the policy.",
    }),
    valueWeight: weightOf("values", 1),
    legalOnly: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Takes the policy's softmax over the legal actions of each position alone (invalid action masking: Huang and Ontanon 2020).",
      }),
    ),
    scoreWeight: weightOf("scores, for nets with `score`", 0.5),
    ownershipWeight: weightOf("owners of cells, for nets with `ownership`", 0.5),
    replyWeight: weightOf("next mover's policy, for nets with `reply`", 0.15),
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
  /** Whether the policy's softmax is over the legal actions alone, so that batches must tell them. */
  readonly legalOnly: boolean;
  /** Factors on the errors of what a net learns besides; what has 0 is not learned. */
  readonly auxiliary: Readonly<Record<AuxiliaryTarget, number>>;
  /**
   * Targets: `value` [rows, seats], `policy` [rows, logits] where the loss has one, and what `targetsOf` names, each
   * [rows, width]; parts are named after them.
   */
  compute(net: Net, outputs: NetOutputs, targets: Tensors): Omit<LossValues, "state">;
}

/** The loss with these settings. */
export function openLoss(options: LossOptions): Loss {
  return options.use === "alphazero" ? alphazero(options) : valueRegression(options);
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
    legalOnly: false,
    auxiliary: { score: 0, ownership: 0, reply: 0 },
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

/**
 * ||z - v||^2 - pi . log P, averaged over the rows (Silver et al. 2017, equation 1; decay belongs to the optimiser), and
 * the errors of what the net learns besides.
 *
 * With `legalOnly` P is normalised over the legal actions, as in the search; else over the whole numbering. A row of
 * `policyWeight` 0 adds no policy error, and counts among the rows nevertheless.
 */
function alphazero(options: Static<typeof alphazeroOptions>): Loss {
  const { valueWeight = 1, legalOnly = false } = options;
  const { scoreWeight = 0.5, ownershipWeight = 0.5, replyWeight = 0.15 } = options;
  const auxiliary = { score: scoreWeight, ownership: ownershipWeight, reply: replyWeight };
  return {
    name: "alphazero",
    policy: true,
    legalOnly,
    auxiliary,
    compute: (net, outputs, targets) => {
      const { value, policy } = outputs;
      if (policy === undefined)
        throw new Error(`the loss alphazero needs a net with a policy, not ${net.name}`);
      const weight = targets["policyWeight"];
      const legal = legalOnly ? targets["legal"]! : undefined;
      const weighted: readonly (readonly [name: string, factor: number, part: () => tf.Scalar])[] = [
        ["value", valueWeight, () => squaredError(value, targets["value"]!, net.valueScale)],
        ["policy", 1, () => crossEntropy(amongLegal(policy, legal), targets["policy"]!, weight)],
        ...(net.targets ?? [])
          .filter((name) => auxiliary[name] > 0)
          .map(
            (name) => [name, auxiliary[name], () => auxiliaryErrors[name](net, outputs, targets)] as const,
          ),
      ];
      const parts: Record<string, tf.Scalar> = {};
      const terms = weighted.map(([name, factor, part]) =>
        inLayer(`loss/${name}`, () => {
          const error = (parts[name] = part());
          return factor === 1 ? error : tf.mul<tf.Scalar>(error, factor);
        }),
      );
      const total = inLayer("loss", () => terms.reduce((sum, term) => tf.add<tf.Scalar>(sum, term)));
      return { total, parts };
    },
  };
}

/** The error of each thing that a net may learn besides, averaged over the rows. */
const auxiliaryErrors: Readonly<
  Record<AuxiliaryTarget, (net: Net, outputs: NetOutputs, targets: Tensors) => tf.Scalar>
> = {
  score: (net, { score }, targets) =>
    squaredError(score!, targets["score"]!, net.scoreScale ?? net.valueScale),
  ownership: (_net, { ownership }, targets) => binaryCrossEntropy(ownership!, targets["ownership"]!),
  reply: (_net, { reply }, targets) => crossEntropy(reply!, targets["reply"]!),
};

/** Squared error in units of a scale, summed over the seats and averaged over the rows. */
function squaredError(value: tf.Tensor, target: tf.Tensor, scale: number): tf.Scalar {
  const difference = tf.mul(tf.sub(target, value), 1 / scale);
  return tf.mean<tf.Scalar>(tf.sum(tf.square(difference), 1));
}

/** -pi . log softmax(logits), times each row's weight where there are any, averaged over the rows. */
function crossEntropy(logits: tf.Tensor2D, target: tf.Tensor, weight?: tf.Tensor): tf.Scalar {
  const likelihood = tf.sum(tf.mul(target, tf.logSoftmax(logits)), 1, true);
  const counted = weight === undefined ? likelihood : tf.mul(likelihood, weight);
  return tf.neg(tf.mean<tf.Scalar>(counted));
}

/** How far the logits of illegal actions are put below the others: exp of it is 0. */
const FAR_BELOW = 1e4;

/** The logits with those of illegal actions out of the softmax's sight; as they are where all count. */
function amongLegal(logits: tf.Tensor2D, legal: tf.Tensor | undefined): tf.Tensor2D {
  return legal === undefined ? logits : tf.add(logits, tf.mul(tf.sub(legal, 1), FAR_BELOW));
}

/** Cross-entropy of each logit with its target, averaged over the cells and the rows and summed over the seats. */
function binaryCrossEntropy(logits: tf.Tensor3D, target: tf.Tensor): tf.Scalar {
  const [, cells, seats] = logits.shape;
  const flat = tf.reshape(logits, [-1, cells * seats]);
  const error = tf.sub(tf.softplus(flat), tf.mul(flat, target));
  return tf.mul<tf.Scalar>(tf.mean(error), seats);
}
