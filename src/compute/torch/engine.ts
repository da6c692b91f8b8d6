import {
  type Compiled,
  type CompileOptions,
  ComputeUnavailable,
  type Engine,
  type GradStep,
  type GradStepOptions,
  type InputArrays,
  type LossFunction,
  type Shapes,
} from "../engine.ts";
import { traceGraph } from "../onnx/trace.ts";
import { traceTraining, trainingNames } from "../onnx/training.ts";
import type { Optimiser } from "../optimiser.ts";
import { type InputType, sizeOf, type TensorFunction, type Weight, withSizes } from "../tensors.ts";
import { loadGradients } from "../tfjs/gradients.ts";
import { placedConstants, graphData, Payload, type PlacedTensor } from "./graph-data.ts";
import { type TorchPlace, TorchProcess, type TorchResponse } from "./process.ts";
import { counted } from "../../messages/counted.ts";

/**
 * An engine in which PyTorch computes, in a process of its own: functions are traced into the graphs of the engine onnx, which
 * `executor.py` executes. Each engine has a process. Throws ComputeUnavailable if there is no such Python, PyTorch or device.
 */
export async function openTorchEngine(place: TorchPlace): Promise<Engine> {
  const process = await TorchProcess.open(place);
  const { torch, device } = process.facts;
  const on = place.device === "cpu" ? `cpu, ${counted(place.threads, "thread")}` : device;
  let sessions = 0;
  return {
    name: "torch",
    description: `torch ${torch} on ${on}`,
    facts: { engine: "torch", ...process.facts },
    compile: async (fn, shapes, options = {}) => {
      if (options.int8 !== undefined)
        throw new ComputeUnavailable("int8", "torch computes in float32", "choose the engine onnx");
      return compile(process, sessions++, fn, shapes, options);
    },
    load: (file) =>
      Promise.reject(
        new ComputeUnavailable(
          `the model ${file}`,
          "the engine torch computes no files in ONNX's format",
          "choose the engine onnx",
        ),
      ),
    gradStep: (loss, optimiser, options) => gradStep(process, sessions++, loss, optimiser, options),
    close: () => process.close(),
  };
}

/** Opens a session: a graph with its constants, and `state`, values that stay on the device from call to call. */
async function open(
  process: TorchProcess,
  session: number,
  graph: Parameters<typeof graphData>[0],
  state: ReadonlyMap<string, Weight> = new Map(),
  next: Readonly<Record<string, string>> = {},
): Promise<void> {
  const payload = new Payload();
  const header = {
    do: "open",
    session,
    graph: graphData(graph, payload),
    constants: placedConstants(graph, payload),
    state: Object.fromEntries(
      [...state].map(([name, { shape, data }]) => [name, ["float32", shape, payload.add(data)]]),
    ),
    next,
  };
  await process.request(header, payload.parts);
}

/** The inputs of a call as they lie in its payload. Throws RangeError for an array that is too short. */
function placed(
  shapes: Readonly<Record<string, readonly number[]>>,
  arrays: InputArrays,
  types: Readonly<Record<string, InputType>>,
  payload: Payload,
): Record<string, PlacedTensor> {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const array = arrays[name];
      const size = sizeOf(shape);
      if (array === undefined || array.length < size)
        throw new RangeError(
          `${name}: ${array?.length ?? "no"} numbers, ${size} needed for ${shape[0]} rows`,
        );
      return [name, [types[name] ?? "float32", shape, payload.add(array.subarray(0, size))]];
    }),
  );
}

async function compile(
  process: TorchProcess,
  session: number,
  fn: TensorFunction,
  shapes: Shapes,
  options: CompileOptions,
): Promise<Compiled> {
  const { graph, outputs } = traceGraph(fn, shapes, options);
  await open(process, session, graph);
  return {
    outputs,
    run: async (arrays, results, rows, width = 0) => {
      const payload = new Payload();
      const sizes = Object.fromEntries(
        Object.entries(shapes).map(([name, shape]) => [name, withSizes(shape, rows, width)]),
      );
      const inputs = placed(sizes, arrays, options.types ?? {}, payload);
      const wanted = Object.keys(outputs).filter((name) => results[name] !== undefined);
      const response = await process.request({ do: "run", session, inputs, outputs: wanted }, payload.parts);
      for (const [name, data] of named(wanted, response)) {
        if (results[name]!.length < data.length)
          throw new RangeError(`${name}: ${results[name]!.length} numbers, ${data.length} needed`);
        results[name]!.set(data);
      }
    },
    dispose: async () => void (await process.request({ do: "close", session })),
  };
}

async function gradStep(
  process: TorchProcess,
  session: number,
  loss: LossFunction,
  optimiser: Optimiser,
  options: GradStepOptions,
): Promise<GradStep> {
  await loadGradients();
  const names = trainingNames;
  const traced = traceTraining(loss, optimiser, options);
  const { parameters } = options;
  const { optimiserState } = traced;
  const renamed = (weights: ReadonlyMap<string, Weight>, nameOf: (name: string) => string) =>
    [...weights].map(([name, weight]) => [nameOf(name), weight] as const);
  const state = new Map([...renamed(parameters, names.parameter), ...renamed(optimiserState, names.state)]);
  // What a step leaves unchanged stays as it is.
  const next = Object.fromEntries([
    ...traced.changedParameters.map((name) => [names.parameter(name), names.newParameter(name)]),
    ...traced.changedState.map((name) => [names.state(name), names.newState(name)]),
  ]) as Record<string, string>;
  await open(process, session, traced.graph, state, next);
  const losses = traced.losses.map(names.loss);
  const read = async (weights: ReadonlyMap<string, Weight>, nameOf: (name: string) => string) => {
    const wanted = [...weights.keys()].map(nameOf);
    const response = await process.request({ do: "read", session, names: wanted });
    const arrays = named(wanted, response);
    return new Map(
      [...weights].map(([name, { shape }]) => [name, { shape, data: arrays.get(nameOf(name))!.slice() }]),
    );
  };
  return {
    steps: async (inputs, rates) => {
      const payload = new Payload();
      const shapes = Object.fromEntries(
        Object.entries(options.inputs).map(([name, shape]) => [name, [rates.length, ...shape]]),
      );
      const batches = placed(shapes, inputs, options.types ?? {}, payload);
      const given: Record<string, PlacedTensor> = {
        [names.rates]: ["float32", [rates.length], payload.add(rates)],
      };
      for (const [name, tensor] of Object.entries(batches)) given[names.input(name)] = tensor;
      const response = await process.request(
        { do: "run", session, inputs: given, outputs: losses },
        payload.parts,
      );
      const arrays = named(losses, response);
      return Object.fromEntries(traced.losses.map((name) => [name, arrays.get(names.loss(name))!.slice()]));
    },
    parameters: () => read(parameters, names.parameter),
    optimiserState: () => read(optimiserState, names.state),
    dispose: async () => void (await process.request({ do: "close", session })),
  };
}

/** The arrays of a response by name, without copies. */
function named(names: readonly string[], { shapes, payload }: TorchResponse): Map<string, Float32Array> {
  const arrays = new Map<string, Float32Array>();
  let at = 0;
  for (const [i, name] of names.entries()) {
    const size = sizeOf(shapes[i]!);
    arrays.set(name, payload.subarray(at, at + size));
    at += size;
  }
  return arrays;
}
