import {
  add,
  engine,
  greater,
  keep,
  mul,
  type Scalar,
  scalar,
  type Tensor,
  where,
  zerosLike,
} from "@tensorflow/tfjs-core";
import type { GradStepOptions, LossFunction } from "./engine.ts";
import { TOTAL } from "./engine.ts";
import { inLayer } from "./layer.ts";
import type { Optimiser } from "./optimiser.ts";
import { sizeOf, type TensorsByName, type Weight } from "./tensors.ts";

/** The name of the step counter in the optimiser's state. */
export const STEP = "step";
/** The name of a parameter's average in the optimiser's state. */
export const averageOf = (parameter: string) => `average/${parameter}`;
/** The name of the sum of a parameter's gradients in the optimiser's state. */
const sumOf = (parameter: string) => `gradient/${parameter}`;

/** What one training step computes. */
export interface StepResult {
  /** Changed parameters, by name. */
  readonly parameters: TensorsByName;
  /** Changed numbers of the optimiser's state, by name. */
  readonly optimiserState: TensorsByName;
  /** The loss and its parts: scalars. */
  readonly losses: TensorsByName;
}

/**
 * One training step as a function of tensors: loss, gradient by tfjs's autodiff, update.
 *
 * All engines run this function: `onnx` traces it, `tfjs` calls it. With `accumulating`, a step at the rate 0 changes the
 * sums of gradients only (and the loss's `state`); any other step updates by the sum, its own gradient included.
 */
export function trainingStep(
  loss: LossFunction,
  optimiser: Optimiser,
  {
    trained,
    averaging,
    accumulating = false,
  }: Pick<GradStepOptions, "trained" | "averaging" | "accumulating">,
  parameters: TensorsByName,
  optimiserState: TensorsByName,
  inputs: TensorsByName,
  rate: Scalar,
): StepResult {
  const names = Object.keys(parameters).filter((name) => trained.has(name));
  const losses: Record<string, Tensor> = {};
  const changed: Record<string, Tensor> = {};
  const forward = () => {
    const { total, parts, state } = loss(parameters, inputs);
    // tfjs frees the tensors of a differentiated function, except those that are kept.
    for (const [name, part] of Object.entries(parts)) losses[name] = keep(part);
    for (const [name, value] of Object.entries(state)) changed[name] = keep(value);
    return total;
  };
  // A parameter that the loss does not depend on (a policy head under a value loss) has no gradient and stays.
  const weights = names.map((name) => parameters[name]!);
  const { value, grads } = engine().gradients(forward, weights, undefined, true);
  losses[TOTAL] = value;
  return inLayer("optimiser", () => {
    const updates = accumulating ? greater(rate, 0) : undefined;
    /** The new tensor if this step updates, else the old one. */
    const chosen = (updated: Tensor, old: Tensor) =>
      updates === undefined ? updated : where(updates, updated, old);
    const before = optimiserState[STEP]!;
    const step = add<Scalar>(before, scalar(1));
    const next: Record<string, Tensor> = { [STEP]: chosen(step, before) };
    const update = optimiser.at(step, rate);
    names.forEach((name, i) => {
      const gradient = grads[i] as Tensor | undefined | null;
      if (gradient === undefined || gradient === null) return;
      inLayer(name, () => {
        const slots = optimiser.slots.map((slot) => optimiserState[`${slot}/${name}`]!);
        const sum = accumulating ? add(optimiserState[sumOf(name)]!, gradient) : gradient;
        const updated = update(parameters[name]!, sum, slots);
        changed[name] = chosen(updated.weight, parameters[name]!);
        updated.slots.forEach(
          (value, j) => (next[`${optimiser.slots[j]}/${name}`] = chosen(value, slots[j]!)),
        );
        if (updates !== undefined) next[sumOf(name)] = where(updates, zerosLike(sum), sum);
      });
    });
    if (averaging !== undefined)
      for (const name of Object.keys(parameters)) {
        const old = optimiserState[averageOf(name)]!;
        const now = mul(changed[name] ?? parameters[name]!, 1 - averaging);
        next[averageOf(name)] = chosen(add(mul(old, averaging), now), old);
      }
    return { parameters: changed, optimiserState: next, losses };
  });
}

/** The optimiser's state at the start: the given state, and zeros for everything that is not given. */
export function startingState(optimiser: Optimiser, options: GradStepOptions): Map<string, Weight> {
  const { parameters, trained, optimiserState, averaging, accumulating = false } = options;
  const state = new Map<string, Weight>();
  const add = (name: string, shape: readonly number[]) => {
    const given = optimiserState?.get(name);
    if (given !== undefined && given.data.length !== sizeOf(shape))
      throw new RangeError(`optimiser state ${name} has ${given.data.length} elements, not ${sizeOf(shape)}`);
    state.set(name, { shape, data: given?.data ?? new Float32Array(sizeOf(shape)) });
  };
  add(STEP, []);
  if (averaging !== undefined) for (const [name, { shape }] of parameters) add(averageOf(name), shape);
  for (const [name, { shape }] of parameters)
    if (trained.has(name)) {
      for (const slot of optimiser.slots) add(`${slot}/${name}`, shape);
      if (accumulating) add(sumOf(name), shape);
    }
  return state;
}
