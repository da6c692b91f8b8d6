import type { Engine, GradStep, LossFunction } from "../../compute/engine.ts";
import { optimiser, type OptimiserOptions } from "../../compute/optimiser.ts";
import { averageOf, STEP } from "../../compute/training-program.ts";
import { type InputArray, type InputType, sizeOf, type Weight } from "../../compute/tensors.ts";
import type { PackedRows } from "../../games/packed-planes.ts";
import { constantsOf } from "./inference.ts";
import type { Loss } from "./loss.ts";
import type { Net } from "../net.ts";
import { type AuxiliaryArrays, lossTargets, targetTypes } from "./loss-targets.ts";
import { packedShapes, packedTypes, unpackPlanes } from "./packed-input.ts";

/** A minibatch: positions with their targets, row-major. It has the number of rows that the training was opened with. */
export interface TrainingBatch extends PackedRows {
  /** [rows, seats]. Read if the loss has a value part. */
  readonly value: Float32Array;
  /** [rows, maxLegal]: the probability of each move of the row. Required if the loss has a policy part. */
  readonly policy?: Float32Array;
  /**
   * [rows, maxLegal]: the index of each move's logit (`Net.logitOf`), `NO_INDEX` after the last. The moves of a row are all legal
   * actions if the softmax is over them (`Loss.legalOnly`), else at least those with a probability above 0.
   */
  readonly policyIndices?: Int32Array;
  /** The tensors that `lossTargets` names, each [rows, width]. An absent `policyWeight` counts as 1 in every row. */
  readonly auxiliary?: AuxiliaryArrays;
}

/** What training starts from. */
export interface TrainingStart {
  readonly weights: ReadonlyMap<string, Float32Array>;
  /** The optimiser's state as `Training.state` returned it; absent at the start. */
  readonly optimiser?: ReadonlyMap<string, Float32Array>;
}

/** Everything that is needed to continue training. */
export interface TrainingState {
  readonly weights: Map<string, Float32Array>;
  readonly optimiser: Map<string, Float32Array>;
  /** With `averaging`: the averaged weights, which agents play with. Before the first step they equal the weights. */
  readonly average?: Map<string, Float32Array>;
}

/** Options of training, apart from the loss. */
export interface TrainingOptions {
  readonly optimiser: OptimiserOptions;
  /** Positions in a minibatch. */
  readonly rows: number;
  /**
   * Decay of an exponential average of the weights over the steps, in [0, 1) (Polyak and Juditsky 1992; exponential as in
   * KataGo, Wu 2019). A decay of .99 averages about the last 100 steps. Running statistics are averaged like weights. No
   * averages are kept when absent.
   */
  readonly averaging?: number;
  /** Whether a minibatch at the rate 0 only adds its gradient to that of the next ones: see `GradStepOptions`. */
  readonly accumulating?: boolean;
  /** Whether few steps are taken: see `GradStepOptions`. */
  readonly brief?: boolean;
}

/** A net in training. The weights stay in the engine; `state` copies them out. */
export interface Training {
  /**
   * Takes one optimiser step per batch, in order, at the given learning rates. Returns `total` and the parts of the loss, a
   * number per step each.
   *
   * For nets with many weights, calls with eight or more batches are noticeably faster than calls with one.
   */
  steps(
    batches: readonly TrainingBatch[],
    rates: Float32Array,
  ): Promise<Readonly<Record<string, Float32Array>>>;
  /** A copy of the weights and of the optimiser's state. */
  state(): Promise<TrainingState>;
  dispose(): Promise<void>;
}

/** Opens training of a net. */
export async function openTraining(
  engine: Engine,
  net: Net,
  loss: Loss,
  options: TrainingOptions,
  start: TrainingStart,
): Promise<Training> {
  const { rows, accumulating, averaging, brief } = options;
  if (loss.policy && net.actions === undefined)
    throw new Error(`the loss ${loss.name} needs a net with a policy, not ${net.name}`);
  if (loss.value && net.hasValue === false)
    throw new Error(`the loss ${loss.name} needs a net with a value head, not ${net.name}`);
  const targets = lossTargets(net, loss).map(({ name, width }) => [name, [rows, width]] as const);
  const inputs: Record<string, readonly number[]> = {
    ...packedShapes(net, rows),
    ...(loss.value ? { value: [rows, net.seats] } : {}),
    ...(loss.policy ? { policy: [rows, net.maxLegal!], policyIndices: [rows, net.maxLegal!] } : {}),
    ...Object.fromEntries(targets),
  };
  const types: Readonly<Record<string, InputType>> = {
    ...packedTypes,
    policyIndices: "int32",
    ...targetTypes,
  };
  const parameters = constantsOf(net, start.weights);
  const program: GradStep = await engine.gradStep(lossOf(net, loss), optimiser(options.optimiser), {
    parameters,
    trained: new Set(net.parameters.filter(({ trained }) => trained).map(({ name }) => name)),
    inputs,
    types,
    ...(start.optimiser === undefined ? {} : { optimiserState: withShapes(start.optimiser) }),
    ...(averaging === undefined ? {} : { averaging }),
    ...(accumulating === undefined ? {} : { accumulating }),
    ...(brief === undefined ? {} : { brief }),
    name: `${net.name} training`,
  });
  const buffers = new Map<string, InputArray>();
  return {
    steps: (batches, rates) => program.steps(laidEndToEnd(inputs, types, batches, buffers), rates),
    state: async () => {
      const weights = dataOf(await program.parameters());
      const state = dataOf(await program.optimiserState());
      if (averaging === undefined) return { weights, optimiser: state };
      return { weights, optimiser: state, average: averagesOf(weights, state, averaging) };
    },
    dispose: () => program.dispose(),
  };
}

const ARRAY_OF = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array } as const;

/** The batches' arrays laid end to end, in buffers that are reused by the next call. */
function laidEndToEnd(
  inputs: Readonly<Record<string, readonly number[]>>,
  types: Readonly<Record<string, InputType>>,
  batches: readonly TrainingBatch[],
  buffers: Map<string, InputArray>,
): Record<string, InputArray> {
  const all: Record<string, InputArray> = {};
  for (const [name, shape] of Object.entries(inputs)) {
    const size = sizeOf(shape);
    let buffer = buffers.get(name);
    if (buffer === undefined || buffer.length < size * batches.length)
      buffers.set(name, (buffer = new ARRAY_OF[types[name] ?? "float32"](size * batches.length)));
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

/** a_t / (1 - d^t): removes the bias of the first averages towards their start at 0. */
function averagesOf(
  weights: ReadonlyMap<string, Float32Array>,
  state: ReadonlyMap<string, Float32Array>,
  decay: number,
): Map<string, Float32Array> {
  const step = state.get(STEP)![0]!;
  if (step === 0) return new Map(weights);
  const whole = 1 - decay ** step;
  return new Map(
    [...weights.keys()].map((name) => [name, state.get(averageOf(name))!.map((a) => a / whole)]),
  );
}

function arrayOf({ auxiliary, ...batch }: TrainingBatch, name: string): InputArray | undefined {
  return batch[name as keyof typeof batch] ?? auxiliary?.[name as keyof typeof auxiliary];
}

function lossOf(net: Net, loss: Loss): LossFunction {
  return (parameters, inputs) => {
    const { bytes, floats, ...targets } = inputs;
    const planes = { ...(bytes === undefined ? {} : { bytes }), ...(floats === undefined ? {} : { floats }) };
    const outputs = net.forward(parameters, unpackPlanes(net, planes), true);
    return { ...loss.compute(net, outputs, targets), state: outputs.state };
  };
}

/** Flat shapes: only the number of elements is checked here, since the net knows the shapes. */
function withShapes(state: ReadonlyMap<string, Float32Array>): Map<string, Weight> {
  return new Map([...state].map(([name, data]) => [name, { shape: [data.length], data }]));
}

function dataOf(weights: ReadonlyMap<string, Weight>): Map<string, Float32Array> {
  return new Map([...weights].map(([name, { data }]) => [name, data]));
}
