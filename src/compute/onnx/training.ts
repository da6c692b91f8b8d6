import type { Scalar, Tensor } from "@tensorflow/tfjs-core";
import type { GradStepOptions, LossFunction } from "../engine.ts";
import { type GraphValue, type OnnxGraph, valueInfo } from "./graph.ts";
import { AttributeType, type GraphProto } from "./model-messages.ts";
import { inputTensor, naming, graphValuesOf } from "./trace.ts";
import type { Optimiser } from "../optimiser.ts";
import type { Recording } from "./recording.ts";
import { placeholder, record } from "./recording-backend.ts";
import type { InputType, Weight } from "../tensors.ts";
import { startingState, trainingStep } from "../training-program.ts";

/** The open dimension of a training graph: the number of steps in one call. */
const STEPS = "steps";

/** Training steps as an ONNX graph: one step, or a loop with one step as its body. */
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

/** Names of the training graph's inputs and outputs. The graph of one step has the shapes without their first axis. */
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
  const { name = "training" } = options;
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
    const step = recordStep(recording, loss, optimiser, options, taken, {
      parameter: (key) => key,
      state: (key) => `optimiser/${key}/before`,
    });
    // A loop carries all its inputs, so what a step does not change is passed on unchanged.
    const { parameters, state } = step;
    const carried: Carried[] = [
      ...carriedOf(options.parameters, names.parameter, names.newParameter, {
        ...parameters.before,
        ...parameters.after,
      }),
      ...carriedOf(step.optimiserState, names.state, names.newState, { ...state.before, ...state.after }),
    ];
    return {
      graph: loopGraph(name, graph, condition, carried, step.losses, options),
      ...described(step),
    };
  });
}

/**
 * Traces one training step, without a loop: what a step changes is an output, which is the input of the next step. For devices on
 * which such values stay from call to call, and on which a loop would be computed by the CPU.
 */
export function traceStep(
  loss: LossFunction,
  optimiser: Optimiser,
  options: GradStepOptions,
): TracedTraining {
  const { name = "training" } = options;
  const names = trainingNames;
  return record({}, (recording) => {
    const given = (input: string, shape: readonly number[], type?: InputType) =>
      inputTensor(recording, input, shape, type);
    const step = recordStep(recording, loss, optimiser, options, given, names);
    const outputs = {
      ...renamed(step.parameters.after, names.newParameter),
      ...renamed(step.state.after, names.newState),
      ...renamed(step.losses, names.loss),
    };
    return {
      graph: recording.graph.toGraph(name, "One training step: loss, gradient and update", outputs),
      ...described(step),
    };
  });
}

/** A recorded step: values of the graph by the names of parameters and of the optimiser's state. */
interface RecordedStep {
  readonly parameters: BeforeAndAfter;
  readonly state: BeforeAndAfter;
  readonly losses: Readonly<Record<string, GraphValue>>;
  /** The optimiser's state at the start. */
  readonly optimiserState: Map<string, Weight>;
}

/** Values before a step, and those that it changes. */
interface BeforeAndAfter {
  readonly before: Readonly<Record<string, GraphValue>>;
  readonly after: Readonly<Record<string, GraphValue>>;
}

/** Records a step on a minibatch whose tensors, and the rate, `taken` gives by the name of the graph's input. */
function recordStep(
  recording: Recording,
  loss: LossFunction,
  optimiser: Optimiser,
  options: GradStepOptions,
  taken: (from: string, shape: readonly number[], type?: InputType) => Tensor,
  inputNames: StepInputNames,
): RecordedStep {
  const names = trainingNames;
  const optimiserState = startingState(optimiser, options);
  const inputs = mapEntries(options.inputs, (key, shape) =>
    taken(names.input(key), shape, options.types?.[key]),
  );
  const rate = taken(names.rates, []) as Scalar;
  const weights: Record<string, Tensor> = {};
  for (const [key, { shape }] of options.parameters)
    weights[key] = inputTensor(recording, inputNames.parameter(key), shape);
  const slots: Record<string, Tensor> = {};
  for (const [key, { shape }] of optimiserState)
    slots[key] = inputTensor(recording, inputNames.state(key), shape);
  const result = naming(() => trainingStep(loss, optimiser, options, weights, slots, inputs, rate));
  return {
    parameters: {
      before: graphValuesOf(recording, weights),
      after: graphValuesOf(recording, result.parameters),
    },
    state: {
      before: graphValuesOf(recording, slots),
      after: graphValuesOf(recording, result.optimiserState),
    },
    losses: graphValuesOf(recording, result.losses),
    optimiserState,
  };
}

/** The names of the inputs of a recorded step for a parameter and for a number of the optimiser's state. */
interface StepInputNames {
  readonly parameter: (name: string) => string;
  readonly state: (name: string) => string;
}

function described({
  losses,
  optimiserState,
  parameters,
  state,
}: RecordedStep): Omit<TracedTraining, "graph"> {
  return {
    optimiserState,
    changedParameters: Object.keys(parameters.after),
    changedState: Object.keys(state.after),
    losses: Object.keys(losses),
  };
}

function renamed<V>(record: Readonly<Record<string, V>>, name: (key: string) => string): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [name(key), value]));
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
