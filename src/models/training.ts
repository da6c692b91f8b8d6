import type { Tensor4D } from "@tensorflow/tfjs-core";
import type { Engine, GradStep, LossFunction } from "../compute/engine.ts";
import { optimiser, type OptimiserOptions } from "../compute/optimiser.ts";
import type { Weight } from "../compute/tensors.ts";
import { constantsOf } from "./inference.ts";
import type { Loss } from "./loss.ts";
import type { Net } from "./net.ts";

/** Positions with their targets: row-major, as many rows as the training has been opened for. */
export interface TrainingBatch {
  /** [rows, height, width, channels]. */
  readonly x: Float32Array;
  /** [rows, seats]. */
  readonly value: Float32Array;
  /** [rows, actions]: probabilities; needed where the loss has a policy part. */
  readonly policy?: Float32Array;
}

/** What training starts from. */
export interface TrainingStart {
  readonly weights: ReadonlyMap<string, Float32Array>;
  /** As `state` returned it; absent at the start. */
  readonly optimiser?: ReadonlyMap<string, Float32Array>;
}

/** Everything that training must remember. */
export interface TrainingState {
  readonly weights: Map<string, Float32Array>;
  readonly optimiser: Map<string, Float32Array>;
}

/** A net in training: the weights stay inside until they are asked for. */
export interface Training {
  /** One optimiser step per batch, in order, at the learning rates given; returns each loss (`total` and parts) per step. */
  steps(
    batches: readonly TrainingBatch[],
    rates: Float32Array,
  ): Promise<Readonly<Record<string, Float32Array>>>;
  /** A copy of the weights and of the optimiser's state. */
  state(): Promise<TrainingState>;
  dispose(): Promise<void>;
}

/** Opens training of a net in minibatches of `rows`. */
export async function openTraining(
  engine: Engine,
  net: Net,
  loss: Loss,
  optimiserOptions: OptimiserOptions,
  rows: number,
  start: TrainingStart,
): Promise<Training> {
  if (loss.policy && net.actions === undefined)
    throw new Error(`the loss ${loss.name} needs a net with a policy, not ${net.name}`);
  const inputs: Record<string, number[]> = { x: [rows, ...net.input], value: [rows, net.seats] };
  if (loss.policy) inputs["policy"] = [rows, net.actions!];
  const parameters = constantsOf(net, start.weights);
  const program: GradStep = await engine.gradStep(lossOf(net, loss), optimiser(optimiserOptions), {
    parameters,
    trained: new Set(net.parameters.filter(({ trained }) => trained).map(({ name }) => name)),
    inputs,
    ...(start.optimiser === undefined ? {} : { optimiserState: withShapes(start.optimiser) }),
    name: `${net.name} training`,
  });
  return {
    steps: async (batches, rates) => {
      const losses: Record<string, Float32Array> = {};
      for (const [i, batch] of batches.entries()) {
        const result = await program.step({ ...batch }, rates[i]!);
        for (const [name, value] of Object.entries(result))
          (losses[name] ??= new Float32Array(batches.length))[i] = value;
      }
      return losses;
    },
    state: async () => ({
      weights: dataOf(await program.parameters()),
      optimiser: dataOf(await program.optimiserState()),
    }),
    dispose: () => program.dispose(),
  };
}

function lossOf(net: Net, loss: Loss): LossFunction {
  return (parameters, { x, ...targets }) => {
    const outputs = net.forward(parameters, x as Tensor4D, true);
    return { ...loss.compute(net, outputs, targets), state: outputs.state };
  };
}

/** Only the number of elements matters here: the net knows the shapes. */
function withShapes(state: ReadonlyMap<string, Float32Array>): Map<string, Weight> {
  return new Map([...state].map(([name, data]) => [name, { shape: [data.length], data }]));
}

function dataOf(weights: ReadonlyMap<string, Weight>): Map<string, Float32Array> {
  return new Map([...weights].map(([name, { data }]) => [name, data]));
}
