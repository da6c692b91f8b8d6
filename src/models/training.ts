import type { Tensor4D } from "@tensorflow/tfjs-core";
import type { Engine, GradStep, LossFunction } from "../compute/engine.ts";
import { optimiser, type OptimiserOptions } from "../compute/optimiser.ts";
import { sizeOf, type Weight } from "../compute/tensors.ts";
import { constantsOf } from "./inference.ts";
import type { Loss } from "./loss.ts";
import type { Net } from "./net.ts";
import { targetsOf } from "./targets.ts";

/** Positions with their targets: row-major, as many rows as the training has been opened for. */
export interface TrainingBatch {
  /** [rows, height, width, channels]. */
  readonly x: Float32Array;
  /** [rows, seats]. */
  readonly value: Float32Array;
  /** [rows, logits]: probabilities, placed as the net's logits are; needed where the loss has a policy part. */
  readonly policy?: Float32Array;
  /** What `targetsOf` names, each [rows, width]. Without `policyWeight` every row's policy counts. */
  readonly extra?: Readonly<Record<string, Float32Array>>;
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
  /**
   * One optimiser step per batch, in order, at the learning rates given; returns each loss (`total` and parts) per step.
   *
   * Eight or more batches a call are noticeably faster than single ones for nets with many weights.
   */
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
  if (loss.policy) inputs["policy"] = [rows, net.logits!];
  for (const { name, width } of targetsOf(net, loss)) inputs[name] = [rows, width];
  const parameters = constantsOf(net, start.weights);
  const program: GradStep = await engine.gradStep(lossOf(net, loss), optimiser(optimiserOptions), {
    parameters,
    trained: new Set(net.parameters.filter(({ trained }) => trained).map(({ name }) => name)),
    inputs,
    ...(start.optimiser === undefined ? {} : { optimiserState: withShapes(start.optimiser) }),
    name: `${net.name} training`,
  });
  const buffers = new Map<string, Float32Array>();
  return {
    steps: (batches, rates) => program.steps(laidEndToEnd(inputs, batches, buffers), rates),
    state: async () => ({
      weights: dataOf(await program.parameters()),
      optimiser: dataOf(await program.optimiserState()),
    }),
    dispose: () => program.dispose(),
  };
}

/** The batches' arrays, one after the other, in buffers that are kept for the next call. */
function laidEndToEnd(
  inputs: Readonly<Record<string, readonly number[]>>,
  batches: readonly TrainingBatch[],
  buffers: Map<string, Float32Array>,
): Record<string, Float32Array> {
  const all: Record<string, Float32Array> = {};
  for (const [name, shape] of Object.entries(inputs)) {
    const size = sizeOf(shape);
    let buffer = buffers.get(name);
    if (buffer === undefined || buffer.length < size * batches.length)
      buffers.set(name, (buffer = new Float32Array(size * batches.length)));
    for (const [i, batch] of batches.entries()) {
      const data = arrayOf(batch, name);
      if (data === undefined && name === "policyWeight") {
        buffer.fill(1, i * size, (i + 1) * size);
        continue;
      }
      if (data?.length !== size)
        throw new RangeError(`a batch has ${data?.length ?? "no"} numbers for ${name}, not ${size}`);
      buffer.set(data, i * size);
    }
    all[name] = buffer;
  }
  return all;
}

function arrayOf({ extra, ...batch }: TrainingBatch, name: string): Float32Array | undefined {
  return batch[name as keyof typeof batch] ?? extra?.[name];
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
