import type * as Effect from "effect/Effect";
import type { RunError } from "../../run/run-error.ts";
import type { Tensors } from "../../run/items.ts";
import type { PublishedWeights } from "../../run/weights/net-weights.ts";

/** Steps that a learner has taken. */
export interface StepsTaken {
  readonly count: number;
  /** `total` and the parts of the loss, a number for each step. */
  readonly losses: Readonly<Record<string, Float32Array>>;
  /** The learning rate of the last of these steps. */
  readonly rate: number;
}

/** Takes the steps of a learner and holds its weights; `R` is what it learns from, which may change between generations. */
export interface LearningSteps<R> {
  /** Takes some steps, at least one, after `step` steps and none after `end`. */
  take(from: R, step: number, end: number): Effect.Effect<StepsTaken, RunError>;
  /**
   * Everything that is needed to continue, after all steps so far: weights under `weights/`. `whole` is whether it is a version of
   * the weights; else its steps are not complete.
   */
  state(whole: boolean): Effect.Effect<Tensors, RunError>;
  /** The weights of a state in the form that players load. */
  published(state: Tensors): PublishedWeights;
}
