import type { Scalar, Tensor } from "@tensorflow/tfjs-core";
import type { CompileOptions, GradStepOptions, LossFunction, Shapes } from "./engine.ts";
import { failedLayer } from "./layer.ts";
import type { GraphValue } from "./onnx-graph.ts";
import type { Optimiser } from "./optimiser.ts";
import type { Recording } from "./recording.ts";
import { placeholder, record } from "./recording-backend.ts";
import { ROWS, type Shape, type TensorFunction, type Tensors, type Weight, withRows } from "./tensors.ts";
import { startingState, trainingStep } from "./training-program.ts";

/** Stands for the open number of rows while tracing: a prime larger than any real dimension. */
const OPEN_ROWS = 104_729;

/** A traced function as an ONNX model. */
export interface TracedFunction {
  readonly model: Uint8Array;
  readonly outputs: Shapes;
}

/** Traces a function; see `Engine.compile`. */
export function traceFunction(
  fn: TensorFunction,
  shapes: Shapes,
  { constants = new Map(), name = "function", description = "" }: CompileOptions,
): TracedFunction {
  const open = Object.values(shapes).some((shape) => shape.includes(ROWS));
  return record(open ? OPEN_ROWS : undefined, (recording) => {
    const inputs: Record<string, Tensor> = {};
    for (const [key, shape] of Object.entries(shapes))
      inputs[key] = inputTensor(recording, key, withRows(shape, OPEN_ROWS));
    for (const [key, weight] of constants) inputs[key] = constantTensor(recording, key, weight);
    const outputs = valuesOf(
      recording,
      naming(() => fn(inputs)),
    );
    return {
      model: recording.graph.toModel(name, description, outputs),
      outputs: Object.fromEntries(Object.entries(outputs).map(([key, { shape }]) => [key, openShape(shape)])),
    };
  });
}

/** A traced training step as an ONNX model; `*Outputs` map what is kept to the graph's output names. */
export interface TracedStep {
  readonly model: Uint8Array;
  /** The optimiser's state to start from. */
  readonly optimiserState: Map<string, Weight>;
  /** Names of the parameters that a step changes. */
  readonly changedParameters: readonly string[];
  /** Names of the optimiser's state that a step changes. */
  readonly changedState: readonly string[];
  /** The names of the losses. */
  readonly losses: readonly string[];
}

/** Names of the training graph's inputs and outputs. */
export const trainingNames = {
  rate: "rate",
  input: (name: string) => `input/${name}`,
  parameter: (name: string) => name,
  state: (name: string) => `state/${name}`,
  newParameter: (name: string) => `new/${name}`,
  newState: (name: string) => `new/state/${name}`,
  loss: (name: string) => `loss/${name}`,
};

/** Traces a training step; see `Engine.gradStep`. */
export function traceStep(loss: LossFunction, optimiser: Optimiser, options: GradStepOptions): TracedStep {
  return record(undefined, (recording) => {
    const tensors = (shapes: Iterable<[string, readonly number[]]>, rename: (n: string) => string) =>
      Object.fromEntries(
        [...shapes].map(([key, shape]) => [key, inputTensor(recording, rename(key), shape)]),
      );
    const shapesOf = (weights: ReadonlyMap<string, Weight>) =>
      [...weights].map(([key, { shape }]): [string, readonly number[]] => [key, shape]);
    const start = startingState(optimiser, options);
    const parameters = tensors(shapesOf(options.parameters), trainingNames.parameter);
    const state = tensors(shapesOf(start), trainingNames.state);
    const inputs = tensors(Object.entries(options.inputs), trainingNames.input);
    const rate = inputTensor(recording, trainingNames.rate, []) as Scalar;
    const result = naming(() =>
      trainingStep(loss, optimiser, options.trained, parameters, state, inputs, rate),
    );
    const outputs: Record<string, GraphValue> = {};
    const collect = (values: Tensors, rename: (n: string) => string) => {
      for (const [key, value] of Object.entries(valuesOf(recording, values))) outputs[rename(key)] = value;
    };
    collect(result.losses, trainingNames.loss);
    collect(result.parameters, trainingNames.newParameter);
    collect(result.optimiserState, trainingNames.newState);
    return {
      model: recording.graph.toModel(options.name ?? "training", "one training step", outputs),
      optimiserState: start,
      changedParameters: Object.keys(result.parameters),
      changedState: Object.keys(result.optimiserState),
      losses: Object.keys(result.losses),
    };
  });
}

function inputTensor(recording: Recording, name: string, shape: readonly number[]): Tensor {
  return placeholder(recording, recording.input(name, shape));
}

function constantTensor(recording: Recording, name: string, { shape, data }: Weight): Tensor {
  return placeholder(recording, { shape, type: "float32", layer: "", constant: { name, data } });
}

function valuesOf(recording: Recording, tensors: Tensors): Record<string, GraphValue> {
  return Object.fromEntries(
    Object.entries(tensors).map(([key, tensor]) => [key, recording.plain(recording.get(tensor.dataId))]),
  );
}

function openShape(shape: readonly number[]): Shape {
  return shape.map((dimension) => (dimension === OPEN_ROWS ? ROWS : dimension));
}

/** Adds the layer to errors that tfjs itself throws while a function is traced. */
function naming<T>(trace: () => T): T {
  try {
    return trace();
  } catch (error) {
    const layer = failedLayer();
    if (error instanceof Error && layer !== "" && !error.message.includes(layer))
      error.message = `in layer ${layer}: ${error.message}`;
    throw error;
  }
}
