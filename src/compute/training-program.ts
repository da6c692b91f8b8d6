import { add, engine, keep, mul, type Scalar, scalar, type Tensor } from "@tensorflow/tfjs-core";
import type { GradStepOptions, LossFunction } from "./engine.ts";
import { TOTAL } from "./engine.ts";
import { inLayer } from "./layer.ts";
import type { Optimiser } from "./optimiser.ts";
import { sizeOf, type TensorsByName, type Weight } from "./tensors.ts";

/** The name of the step counter in the optimiser's state. */
export const STEP = "step";
/** The name of a parameter's average in the optimiser's state. */
export const averageOf = (parameter: string) => `average/${parameter}`;

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
 * All engines run this function: `onnx` traces it, `tfjs` calls it.
 */
export function trainingStep(
  loss: LossFunction,
  optimiser: Optimiser,
  { trained, averaging }: Pick<GradStepOptions, "trained" | "averaging">,
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
    const step = add<Scalar>(optimiserState[STEP]!, scalar(1));
    const next: Record<string, Tensor> = { [STEP]: step };
    const update = optimiser.at(step, rate);
    names.forEach((name, i) => {
      const gradient = grads[i] as Tensor | undefined | null;
      if (gradient === undefined || gradient === null) return;
      inLayer(name, () => {
        const slots = optimiser.slots.map((slot) => optimiserState[`${slot}/${name}`]!);
        const updated = update(parameters[name]!, gradient, slots);
        changed[name] = updated.weight;
        updated.slots.forEach((value, j) => (next[`${optimiser.slots[j]}/${name}`] = value));
      });
    });
    if (averaging !== undefined)
      for (const name of Object.keys(parameters)) {
        const kept = mul(optimiserState[averageOf(name)]!, averaging);
        const now = mul(changed[name] ?? parameters[name]!, 1 - averaging);
        next[averageOf(name)] = add(kept, now);
      }
    return { parameters: changed, optimiserState: next, losses };
  });
}

/** The optimiser's state at the start: the given state, and zeros for everything that is not given. */
export function startingState(optimiser: Optimiser, options: GradStepOptions): Map<string, Weight> {
  const { parameters, trained, optimiserState, averaging } = options;
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
    if (trained.has(name)) for (const slot of optimiser.slots) add(`${slot}/${name}`, shape);
  return state;
}
