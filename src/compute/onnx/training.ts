import type { Scalar, Tensor } from "@tensorflow/tfjs-core";
import type { GradStepOptions, LossFunction } from "../engine.ts";
import { type GraphValue, type OnnxGraph, valueInfo } from "./graph.ts";
import { AttributeType, type GraphProto } from "./model-messages.ts";
import { inputTensor, naming, graphValuesOf } from "./trace.ts";
import type { Optimiser } from "../optimiser.ts";
import { placeholder, record } from "./recording-backend.ts";
import type { InputType, Weight } from "../tensors.ts";
import { startingState, trainingStep } from "../training-program.ts";

/** The open dimension of a training graph: the number of steps in one call. */
const STEPS = "steps";

/** Training steps as an ONNX graph: a loop with one step as its body. */
export interface TracedTraining {
  readonly graph: GraphProto;
  /** The optimiser's state at the start. */
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
  /** [steps]. */
  rates: "rates",
  /** [steps, rows, ...]. */
  input: (name: string) => `batches/${name}`,
  parameter: (name: string) => `parameters/${name}`,
  state: (name: string) => `optimiser/${name}`,
  newParameter: (name: string) => `new/parameters/${name}`,
  newState: (name: string) => `new/optimiser/${name}`,
  /** [steps]. */
  loss: (name: string) => `losses/${name}`,
};

/**
 * Traces training steps; see `Engine.gradStep`.
 *
 * ONNX Runtime's binding for Node copies every output of a call into fresh memory, even if the caller passes arrays for the
 * outputs. Inside a loop the weights pass from step to step without a copy, so one call takes several steps. With
 * `channelBlock` the model is for this runtime on this processor only: see `blocked-convolution.ts`.
 */
export function traceTraining(
  loss: LossFunction,
  optimiser: Optimiser,
  options: GradStepOptions,
  channelBlock?: number,
): TracedTraining {
  const { parameters, name = "training" } = options;
  const state = startingState(optimiser, options);
  const names = trainingNames;
  return record({ channelBlock }, (recording) => {
    const { graph } = recording;
    const iteration = graph.input("iteration", [], "int64");
    const condition = graph.input("condition", [], "bool");
    // The minibatch and the rate of this step are gathered from those of all steps.
    const taken = (from: string, shape: readonly number[], type?: InputType) => {
      const all = graph.outer(from, [1, ...shape], type);
      const value = graph.node("minibatch", "Gather", [all, iteration], shape, { axis: 0 }, type);
      return placeholder(
        recording,
        recording.result(type === "uint8" ? recording.converted(value, "int32") : value),
      );
    };
    const inputs = mapEntries(options.inputs, (key, shape) =>
      taken(names.input(key), shape, options.types?.[key]),
    );
    const rate = taken(names.rates, []) as Scalar;
    const weights: Record<string, Tensor> = {};
    for (const [key, { shape }] of parameters) weights[key] = inputTensor(recording, key, shape);
    const slots: Record<string, Tensor> = {};
    for (const [key, { shape }] of state)
      slots[key] = inputTensor(recording, `optimiser/${key}/before`, shape);
    const result = naming(() => trainingStep(loss, optimiser, options, weights, slots, inputs, rate));
    // A loop carries all its inputs, so what a step does not change is passed on unchanged.
    const carried: Carried[] = [
      ...carriedOf(parameters, names.parameter, names.newParameter, {
        ...graphValuesOf(recording, weights),
        ...graphValuesOf(recording, result.parameters),
      }),
      ...carriedOf(state, names.state, names.newState, {
        ...graphValuesOf(recording, slots),
        ...graphValuesOf(recording, result.optimiserState),
      }),
    ];
    return {
      graph: loopGraph(name, graph, condition, carried, graphValuesOf(recording, result.losses), options),
      optimiserState: state,
      changedParameters: Object.keys(result.parameters),
      changedState: Object.keys(result.optimiserState),
      losses: Object.keys(result.losses),
    };
  });
}

/** A value that passes from step to step. */
interface Carried {
  /** The loop's input, before the first step. */
  readonly before: string;
  /** The loop's output, after the last step. */
  readonly after: string;
  readonly shape: readonly number[];
  /** The value after a step. */
  readonly next: GraphValue;
}

function carriedOf(
  weights: ReadonlyMap<string, Weight>,
  before: (name: string) => string,
  after: (name: string) => string,
  next: Readonly<Record<string, GraphValue>>,
): Carried[] {
  return [...weights].map(([name, { shape }]) => ({
    before: before(name),
    after: after(name),
    shape,
    next: next[name]!,
  }));
}

function loopGraph(
  name: string,
  body: OnnxGraph,
  condition: GraphValue,
  carried: readonly Carried[],
  losses: Readonly<Record<string, GraphValue>>,
  { inputs, types }: GradStepOptions,
): GraphProto {
  const bodyOutputs: Record<string, GraphValue> = { "condition/next": condition };
  for (const { after, next } of carried) bodyOutputs[`body/${after}`] = next;
  for (const [key, value] of Object.entries(losses)) bodyOutputs[`loss/${key}`] = value;
  const lossOutputs = Object.keys(losses).map(trainingNames.loss);
  return {
    name,
    docString: "Training steps: the loop's body is loss, gradient and update of one step",
    node: [
      {
        name: "steps/count",
        opType: "Size",
        input: [trainingNames.rates],
        output: ["steps/count"],
        docString: "steps",
      },
      {
        name: "steps/loop",
        opType: "Loop",
        input: ["steps/count", "", ...carried.map(({ before }) => before)],
        output: [...carried.map(({ after }) => after), ...lossOutputs],
        attribute: [
          {
            name: "body",
            type: AttributeType.GRAPH,
            g: body.toGraph(`${name} step`, "one training step", bodyOutputs),
          },
        ],
        docString: "steps",
      },
    ],
    input: [
      valueInfo(trainingNames.rates, [STEPS]),
      ...Object.entries(inputs).map(([key, shape]) =>
        valueInfo(trainingNames.input(key), [STEPS, ...shape], types?.[key]),
      ),
      ...carried.map(({ before, shape }) => valueInfo(before, shape)),
    ],
    output: [
      ...carried.map(({ after, shape }) => valueInfo(after, shape)),
      ...lossOutputs.map((output) => valueInfo(output, [STEPS])),
    ],
  };
}

function mapEntries<V, W>(
  record: Readonly<Record<string, V>>,
  change: (key: string, value: V) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]));
}
