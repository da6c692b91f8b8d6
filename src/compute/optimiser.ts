import {
  add,
  div,
  mul,
  pow,
  type Scalar,
  scalar,
  sqrt,
  square,
  sub,
  type Tensor,
} from "@tensorflow/tfjs-core";

/**
 * Stochastic gradient descent with momentum: v = momentum v + g + penalty w, w = (1 - rate weightDecay) w - rate v, where g
 * is the gradient of the loss.
 */
export interface SgdOptions {
  readonly use: "sgd";
  /** 0 for none; default 0.9. */
  readonly momentum?: number;
  /** Decoupled weight decay: share of a weight that is lost per step and unit of learning rate. Default 0. */
  readonly weightDecay?: number;
  /** L2 penalty: adds penalty / 2 times the sum of squared weights to the loss, so momentum includes it. Default 0. */
  readonly penalty?: number;
}

/** Adam (Kingma and Ba 2015), with optional decoupled weight decay (Loshchilov and Hutter 2019). */
export interface AdamOptions {
  readonly use: "adam";
  /** Decay of the mean gradient; default 0.9. */
  readonly beta1?: number;
  /** Decay of the mean squared gradient; default 0.999. */
  readonly beta2?: number;
  /** Added to the root; default 1e-8. */
  readonly epsilon?: number;
  /** Decoupled weight decay: share of a weight that is lost per step and unit of learning rate. Default 0. */
  readonly weightDecay?: number;
}

/** Which optimiser, and its options. The learning rate is an input of every step. */
export type OptimiserOptions = SgdOptions | AdamOptions;

/** One weight and its slots after an update. */
export interface Updated {
  readonly weight: Tensor;
  readonly slots: readonly Tensor[];
}

/** The update of one weight by its gradient. */
export type Update = (weight: Tensor, gradient: Tensor, slots: readonly Tensor[]) => Updated;

/** An optimiser as a pure function, which can be recorded into the training graph. */
export interface Optimiser {
  /** Names of the tensors kept for every weight; each has the shape of the weight and starts at 0. */
  readonly slots: readonly string[];
  /** The update of step number `step` (from 1) at a learning rate. */
  at(step: Scalar, rate: Scalar): Update;
}

/** The optimiser with these options. */
export function optimiser(options: OptimiserOptions): Optimiser {
  return options.use === "sgd" ? sgd(options) : adam(options);
}

function sgd({ momentum = 0.9, weightDecay = 0, penalty = 0 }: SgdOptions): Optimiser {
  return {
    slots: momentum === 0 ? [] : ["momentum"],
    at: (_step, rate) => {
      const shrink = shrinking(rate, weightDecay);
      return (weight, gradient, [velocity]) => {
        const slope = penalty === 0 ? gradient : add(gradient, mul(weight, penalty));
        const direction = velocity === undefined ? slope : add(mul(velocity, momentum), slope);
        return {
          weight: sub(shrink(weight), mul(direction, rate)),
          slots: velocity === undefined ? [] : [direction],
        };
      };
    },
  };
}

function adam(options: AdamOptions): Optimiser {
  const { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0 } = options;
  return {
    slots: ["mean", "square"],
    at: (step, rate) => {
      const shrink = shrinking(rate, weightDecay);
      // Both bias corrections are scalars, so each weight takes part in one product only.
      const meanScale = div(rate, sub(1, pow(scalar(beta1), step)));
      const squareScale = div(1, sub(1, pow(scalar(beta2), step)));
      return (weight, gradient, [oldMean, oldSquare]) => {
        const mean = add(mul(oldMean!, beta1), mul(gradient, 1 - beta1));
        const squared = add(mul(oldSquare!, beta2), mul(square(gradient), 1 - beta2));
        const root = add(sqrt(mul(squared, squareScale)), epsilon);
        return {
          weight: sub(shrink(weight), mul(div(mean, root), meanScale)),
          slots: [mean, squared],
        };
      };
    },
  };
}

/** Weights times (1 - rate * decay). */
function shrinking(rate: Scalar, weightDecay: number): (weight: Tensor) => Tensor {
  if (weightDecay === 0) return (weight) => weight;
  const factor = sub(1, mul(rate, weightDecay));
  return (weight) => mul(weight, factor);
}
