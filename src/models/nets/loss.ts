import * as tf from "@tensorflow/tfjs-core";
import { Type, type Static } from "../../schema.ts";
import { inLayer } from "../../compute/layer.ts";
import type { LossValues, TensorsByName } from "../../compute/tensors.ts";
import type { AuxiliaryTarget, Net, NetOutputs } from "../net.ts";
import { gatherAmong, gatherLogits } from "./gather-logits.ts";

/** The options of `value-regression`. */
export const valueRegressionOptions = Type.Object(
  {
    use: Type.Literal("value-regression", { description: "The error of the values." }),
    error: Type.Optional(
      Type.Union([Type.Literal("squared"), Type.Literal("huber")], {
        default: "squared",
        description:
          "Squared error, or Huber's error: squared up to one unit of the net's `valueScale`, linear beyond.",
      }),
    ),
    clip: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e12,
        description:
          "Maximum difference between target and prediction, in units of the values. Targets farther away are moved to this distance.",
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
      description: `Weight of the error of the ${part}.`,
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
          "Take the softmax of the policy over the legal actions of each position only (invalid action masking: Huang and Ontanon 2020).",
      }),
    ),
    scoreWeight: weightOf("scores, for nets with `score`", 0.5),
    ownershipWeight: weightOf("cell owners, for nets with `ownership`", 0.5),
    replyWeight: weightOf("policy of the next decision, for nets with `reply`", 0.15),
  },
  { additionalProperties: false },
);

/** The options of `policy`. */
export const policyOptions = Type.Object(
  {
    use: Type.Literal("policy", {
      description: "Cross-entropy of the policy alone: the negative log-likelihood of the moves to learn.",
    }),
    legalOnly: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          "Take the softmax of the policy over the legal actions of each position only, as searches and players do.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Which loss a net is trained with, and its options. */
export type LossOptions = (
  | Static<typeof valueRegressionOptions>
  | Static<typeof alphazeroOptions>
  | Static<typeof policyOptions>
) &
  Weighting;

/** What examples decide about a loss, in addition to its options. */
interface Weighting {
  /** Whether rows have weights: `rowWeight`. */
  readonly weighted?: boolean;
}

/** A loss as a pure function of a net's outputs and of the targets. */
export interface Loss {
  readonly name: string;
  /** Whether the loss needs a net with a value head, and value targets. */
  readonly value: boolean;
  /** Whether the loss needs a net with a policy, and policy targets. */
  readonly policy: boolean;
  /** Whether the policy's softmax is over the legal actions only: `policyIndices` then lists all of them. */
  readonly legalOnly: boolean;
  /** Whether rows have weights: means over the rows are then weighted by `rowWeight`. */
  readonly weighted: boolean;
  /** Weights of the errors of auxiliary targets; a target of weight 0 is not learned. */
  readonly auxiliary: Readonly<Record<AuxiliaryTarget, number>>;
  /**
   * Targets: `value` [rows, seats] if the loss has a value part; `policy` and `policyIndices` [rows, maxLegal] if it
   * has a policy part; and the tensors that `lossTargets` names, each [rows, width]. The parts of the loss are named after
   * their targets.
   */
  compute(net: Net, outputs: NetOutputs, targets: TensorsByName): Omit<LossValues, "state">;
}

/** The loss with these options. */
export function openLoss(options: LossOptions): Loss {
  if (options.use === "alphazero") return alphazero(options);
  return options.use === "policy" ? policyOnly(options) : valueRegression(options);
}

/** The auxiliary weights of losses that learn no auxiliary targets. */
const NO_AUXILIARY = { score: 0, ownership: 0, reply: 0 } as const;

/**
 * Mean error of the values, in units of the net's value scale.
 *
 * With `clip`, the target is prediction + clip(target - prediction, -c, c), as in the MC Softmax paper (section
 * 4.1, c = 100); no gradient flows through that target.
 */
function valueRegression({
  error = "squared",
  clip,
  weighted = false,
}: Static<typeof valueRegressionOptions> & Weighting): Loss {
  return {
    name: "value-regression",
    value: true,
    policy: false,
    legalOnly: false,
    weighted,
    auxiliary: NO_AUXILIARY,
    compute: (net, { value }, targets) =>
      inLayer("loss/value", () => {
        const difference = tf.sub(value!, targets["value"]!);
        const limited = clip === undefined ? difference : limitedTo(clip, difference);
        const scaled = tf.mul(limited, 1 / net.valueScale);
        const errors = error === "huber" ? huber(scaled) : tf.square(scaled);
        const part = meanOf(errors, targets["rowWeight"]);
        return { total: part, parts: { value: part } };
      }),
  };
}

/** The mean of errors [rows, ...], weighted if the rows have weights [rows, 1]. */
function meanOf(errors: tf.Tensor, weight: tf.Tensor | undefined): tf.Scalar {
  return tf.mean<tf.Scalar>(weight === undefined ? errors : tf.mul(errors, weight));
}

/** The difference clipped to [-c, c]. Its gradient is that of the unclipped difference, as with a moved target. */
function limitedTo(c: number, difference: tf.Tensor): tf.Tensor {
  const limit = tf.customGrad((x) => ({
    value: tf.clipByValue(x as tf.Tensor, -c, c),
    gradFunc: (dy) => dy,
  }));
  return limit(difference);
}

/** Twice Huber's function: x^2 up to 1, then 2 |x| - 1, so that small errors weigh as much as squared errors do. */
function huber(x: tf.Tensor): tf.Tensor {
  const size = tf.abs(x);
  const small = tf.minimum(size, 1);
  return tf.mul(small, tf.sub(tf.mul(size, 2), small));
}

/**
 * ||z - v||^2 - pi . log P, averaged over the rows (Silver et al. 2017, equation 1; weight decay is the optimiser's), plus
 * the weighted errors of auxiliary targets.
 *
 * With `legalOnly` P is normalised over the legal actions, as in the search; else over all logits. A row of `policyWeight`
 * 0 adds no policy error but still counts as a row of the mean.
 */
function alphazero(options: Static<typeof alphazeroOptions> & Weighting): Loss {
  const { valueWeight = 1, legalOnly = false, weighted = false } = options;
  const { scoreWeight = 0.5, ownershipWeight = 0.5, replyWeight = 0.15 } = options;
  const auxiliary = { score: scoreWeight, ownership: ownershipWeight, reply: replyWeight };
  return {
    name: "alphazero",
    value: true,
    policy: true,
    legalOnly,
    weighted,
    auxiliary,
    compute: (net, outputs, targets) => {
      const { value, policy } = outputs;
      if (policy === undefined || value === undefined)
        throw new Error(`the loss alphazero needs a net with a value and a policy, not ${net.name}`);
      const { rowWeight } = targets;
      const all: readonly (readonly [name: string, factor: number, part: () => tf.Scalar])[] = [
        ["value", valueWeight, () => squaredError(value, targets["value"]!, net.valueScale, rowWeight)],
        [
          "policy",
          1,
          () => {
            const likelihoods = (legalOnly ? amongMoves : amongAll)(policy, targets["policyIndices"]!);
            const weight = product(targets["policyWeight"], rowWeight);
            return crossEntropy(likelihoods, targets["policy"]!, weight);
          },
        ],
        ...(net.auxiliaryTargets ?? [])
          .filter((name) => auxiliary[name] > 0)
          .map(
            (name) => [name, auxiliary[name], () => auxiliaryErrors[name](net, outputs, targets)] as const,
          ),
      ];
      const parts: Record<string, tf.Scalar> = {};
      const terms = all.map(([name, factor, part]) =>
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

/**
 * -t . log P, times the row's weight, averaged over the rows. Targets t need not be probabilities: with 1 for the move that
 * was played it is the negative log-likelihood (supervised learning), with (z - b) for that move its gradient is that of
 * REINFORCE (Williams 1992), also if z - b is negative.
 *
 * Its part `entropy` is reported only: the mean entropy of P in nats, over the rows with a weight.
 */
function policyOnly({ legalOnly = true, weighted = false }: Static<typeof policyOptions> & Weighting): Loss {
  return {
    name: "policy",
    value: false,
    policy: true,
    legalOnly,
    weighted,
    auxiliary: NO_AUXILIARY,
    compute: (net, { policy }, targets) => {
      if (policy === undefined) throw new Error(`the loss policy needs a net with a policy, not ${net.name}`);
      return inLayer("loss/policy", () => {
        const indices = targets["policyIndices"]!;
        const weight = product(targets["policyWeight"], targets["rowWeight"]);
        const all = legalOnly ? amongMoves(policy, indices) : tf.logSoftmax(policy);
        const likelihoods = legalOnly ? all : gatherLogits(all, indices);
        const part = crossEntropy(likelihoods, targets["policy"]!, weight);
        return { total: part, parts: { policy: part, entropy: entropyOf(all, weight) } };
      });
    },
  };
}

/** Mean entropy in nats of the distributions with these logarithms, over the rows with a weight. */
function entropyOf(logarithms: tf.Tensor2D, weight?: tf.Tensor): tf.Scalar {
  const entropy = tf.neg(tf.sum(tf.mul(tf.exp(logarithms), logarithms), 1, true));
  if (weight === undefined) return tf.mean<tf.Scalar>(entropy);
  return tf.div<tf.Scalar>(tf.sum(tf.mul(entropy, weight)), tf.maximum(tf.sum(weight), 1e-6));
}

/** The error of each auxiliary target, averaged over the rows. */
const auxiliaryErrors: Readonly<
  Record<AuxiliaryTarget, (net: Net, outputs: NetOutputs, targets: TensorsByName) => tf.Scalar>
> = {
  score: (net, { score }, targets) =>
    squaredError(score!, targets["score"]!, net.scoreScale ?? net.valueScale, targets["rowWeight"]),
  ownership: (net, { ownership }, targets) =>
    binaryCrossEntropy(ownership!, coveredBy(net.seats, targets["ownership"]!), targets["rowWeight"]),
  reply: (_net, { reply }, targets) =>
    crossEntropy(amongAll(reply!, targets["replyIndices"]!), targets["reply"]!, targets["rowWeight"]),
};

/** Squared error in units of a scale, summed over the seats and averaged over the rows. */
function squaredError(value: tf.Tensor, target: tf.Tensor, scale: number, weight?: tf.Tensor): tf.Scalar {
  const difference = tf.mul(tf.sub(target, value), 1 / scale);
  const errors = tf.square(difference);
  if (weight === undefined) return tf.mean<tf.Scalar>(tf.sum(errors, 1));
  return meanOf(tf.sum(errors, 1, true), weight);
}

/** The product of weights of rows; absent ones are 1. */
function product(one: tf.Tensor | undefined, other: tf.Tensor | undefined): tf.Tensor | undefined {
  return one === undefined || other === undefined ? (one ?? other) : tf.mul(one, other);
}

/** -pi . log P, times the row's weight if weights are given, averaged over the rows. */
function crossEntropy(likelihoods: tf.Tensor2D, target: tf.Tensor, weight?: tf.Tensor): tf.Scalar {
  const likelihood = tf.sum(tf.mul(target, likelihoods), 1, true);
  const counted = weight === undefined ? likelihood : tf.mul(likelihood, weight);
  return tf.neg(tf.mean<tf.Scalar>(counted));
}

/** log P of the moves of each row, P being the softmax over all logits. */
function amongAll(logits: tf.Tensor2D, indices: tf.Tensor): tf.Tensor2D {
  return gatherLogits(tf.logSoftmax(logits), indices);
}

/** log P of the moves of each row, P being the softmax over these moves. */
function amongMoves(logits: tf.Tensor2D, indices: tf.Tensor): tf.Tensor2D {
  return tf.logSoftmax(gatherAmong(logits, indices));
}

/** [rows, cells, seats]: 1 where the seat covers the cell, from the number of the seat, counted from 1. */
function coveredBy(seats: number, owners: tf.Tensor): tf.Tensor {
  const row = (owner: number) => Array.from({ length: seats }, (_, seat) => (seat + 1 === owner ? 1 : 0));
  const table = tf.tensor2d(Array.from({ length: seats + 1 }, (_, owner) => row(owner)));
  return tf.gather(table, owners);
}

/** Cross-entropy of each logit with its target, averaged over rows and cells and summed over the seats. */
function binaryCrossEntropy(logits: tf.Tensor3D, target: tf.Tensor, weight?: tf.Tensor): tf.Scalar {
  const [, cells, seats] = logits.shape;
  const flat = tf.reshape(logits, [-1, cells * seats]);
  const error = tf.sub(tf.softplus(flat), tf.mul(flat, tf.reshape(target, [-1, cells * seats])));
  return tf.mul<tf.Scalar>(meanOf(error, weight), seats);
}
