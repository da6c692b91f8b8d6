import { Tensor } from "onnxruntime-node";
import type { GradStep, GradStepOptions, LossFunction } from "../engine.ts";
import type { Optimiser } from "../optimiser.ts";
import { ROWS, type Weight } from "../tensors.ts";
import { encodeModel } from "./graph.ts";
import type { Session } from "./session.ts";
import { TensorViews } from "./tensor-views.ts";
import { traceTraining, trainingNames } from "./training.ts";

/**
 * A training program in a session of ONNX Runtime; see `Engine.gradStep`. tfjs's gradients must be loaded.
 *
 * With `channelBlock` it uses the runtime's blocked operators, else ONNX's own operators only.
 */
export async function openTrainingSession(
  create: (model: Uint8Array) => Promise<Session>,
  loss: LossFunction,
  optimiser: Optimiser,
  options: GradStepOptions,
  channelBlock: number | undefined,
): Promise<GradStep> {
  const traced = traceTraining(loss, optimiser, options, channelBlock);
  const session = await create(encodeModel(traced.graph));
  const names = trainingNames;
  const { parameters } = options;
  const { optimiserState: state } = traced;
  /** Parameters and optimiser state by the names of the graph's inputs. */
  const current: Record<string, Tensor> = {};
  const take = (weights: ReadonlyMap<string, Weight>, nameOf: (name: string) => string) => {
    for (const [name, { shape, data }] of weights)
      current[nameOf(name)] = new Tensor("float32", data.slice(), shape);
  };
  take(parameters, names.parameter);
  take(state, names.state);
  // The binding copies every output of a call, so what a step leaves unchanged is not among the outputs.
  const changed = [
    ...traced.changedParameters.map((name) => [names.parameter(name), names.newParameter(name)]),
    ...traced.changedState.map((name) => [names.state(name), names.newState(name)]),
  ] as [before: string, after: string][];
  const outputs = [...changed.map(([, after]) => after), ...traced.losses.map(names.loss)];
  const views = new TensorViews();
  const copy = (weights: ReadonlyMap<string, Weight>, nameOf: (name: string) => string) =>
    new Map(
      [...weights].map(([name, { shape }]) => [
        name,
        { shape, data: (current[nameOf(name)]!.data as Float32Array).slice() },
      ]),
    );
  return {
    steps: async (inputs, rates) => {
      const feeds: Record<string, Tensor> = {
        ...current,
        [names.rates]: new Tensor("float32", rates, [rates.length]),
      };
      for (const [name, shape] of Object.entries(options.inputs)) {
        const shapes = { [name]: [ROWS, ...shape] } as const;
        const tensors = views.of(shapes, inputs, rates.length, 0, options.types);
        feeds[names.input(name)] = tensors[name]!;
      }
      const results = await session.run(feeds, outputs);
      for (const [before, after] of changed) current[before] = results[after]!;
      return Object.fromEntries(
        traced.losses.map((name) => [name, results[names.loss(name)]!.data as Float32Array]),
      );
    },
    parameters: () => Promise.resolve(copy(parameters, names.parameter)),
    optimiserState: () => Promise.resolve(copy(state, names.state)),
    dispose: () => session.release(),
  };
}
