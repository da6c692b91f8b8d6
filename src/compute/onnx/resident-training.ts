import { type InferenceSession, Tensor } from "onnxruntime-node";
import type { GradStep, GradStepOptions, LossFunction } from "../engine.ts";
import type { Optimiser } from "../optimiser.ts";
import { type InputArray, sizeOf, type Weight } from "../tensors.ts";
import { deviceGraph } from "./device-graph.ts";
import { encodeModel } from "./graph.ts";
import type { CreateResident } from "./resident-session.ts";
import { trainingNames, traceStep } from "./training.ts";

/**
 * A training program whose weights and optimiser's state stay on the device; see `Engine.gradStep`. The graph is one step without
 * a loop, and each step is a call. tfjs's gradients must be loaded.
 */
export async function openResidentTraining(
  create: CreateResident,
  sessionOptions: InferenceSession.SessionOptions,
  loss: LossFunction,
  optimiser: Optimiser,
  options: GradStepOptions,
): Promise<GradStep> {
  const traced = traceStep(loss, optimiser, options);
  const names = trainingNames;
  const { inputs: shapes, parameters, types = {} } = options;
  const { optimiserState } = traced;
  const values: Record<string, Tensor> = {};
  const keep = (weights: ReadonlyMap<string, Weight>, nameOf: (name: string) => string) => {
    for (const [name, { shape, data }] of weights)
      values[nameOf(name)] = new Tensor("float32", data.slice(), shape);
  };
  keep(parameters, names.parameter);
  keep(optimiserState, names.state);
  const session = await create(encodeModel(deviceGraph(traced.graph)), sessionOptions, {
    values,
    next: [
      ...traced.changedParameters.map((name) => [names.parameter(name), names.newParameter(name)] as const),
      ...traced.changedState.map((name) => [names.state(name), names.newState(name)] as const),
    ],
  });
  const losses = traced.losses.map(names.loss);
  const read = async (weights: ReadonlyMap<string, Weight>, nameOf: (name: string) => string) => {
    const tensors = await session.read([...weights.keys()].map(nameOf));
    return new Map(
      [...weights].map(([name, { shape }]) => [
        name,
        { shape, data: (tensors[nameOf(name)]!.data as Float32Array).slice() },
      ]),
    );
  };
  return {
    steps: async (inputs, rates) => {
      const totals = Object.fromEntries(traced.losses.map((name) => [name, new Float32Array(rates.length)]));
      for (const [step, rate] of rates.entries()) {
        const feeds: Record<string, Tensor> = {
          [names.rates]: new Tensor("float32", Float32Array.of(rate), []),
        };
        for (const [name, shape] of Object.entries(shapes))
          feeds[names.input(name)] = new Tensor(
            types[name] ?? "float32",
            partOf(inputs[name], name, step, sizeOf(shape)),
            shape,
          );
        const results = await session.run(feeds, losses);
        for (const name of traced.losses)
          totals[name]![step] = (results[names.loss(name)]!.data as Float32Array)[0]!;
      }
      return totals;
    },
    parameters: () => read(parameters, names.parameter),
    optimiserState: () => read(optimiserState, names.state),
    dispose: () => session.release(),
  };
}

/** The numbers of one step. Throws RangeError for an array that is too short. */
function partOf(array: InputArray | undefined, name: string, step: number, size: number): InputArray {
  const end = (step + 1) * size;
  if (array === undefined || array.length < end)
    throw new RangeError(`${name}: ${array?.length ?? "no"} numbers, ${end} needed for step ${step + 1}`);
  return array.subarray(step * size, end);
}
