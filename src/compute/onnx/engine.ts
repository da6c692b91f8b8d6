import { env, InferenceSession, Tensor } from "onnxruntime-node";
import {
  type Arrays,
  type Compiled,
  type CompileOptions,
  ComputeUnavailable,
  type Device,
  type Engine,
  type GradStep,
  type GradStepOptions,
  type LossFunction,
  type Shapes,
} from "../engine.ts";
import { channelBlock } from "./channel-block.ts";
import { traceFunction } from "./trace.ts";
import { traceTraining, trainingNames } from "./training.ts";
import type { Optimiser } from "../optimiser.ts";
import { loadGradients } from "../tfjs/gradients.ts";
import { ROWS, type Shape, sizeOf, type TensorFunction, type Weight, withRows } from "../tensors.ts";

// What goes wrong is thrown as well: the runtime's own lines on stderr would only repeat it.
env.logLevel = "fatal";

/** Engines on ONNX Runtime: functions are traced into ONNX graphs and run by its providers. */
export async function openOnnxEngine(device: Device, threads: number): Promise<Engine> {
  const options = sessionOptions(device, threads);
  await probe(device, options);
  const on = device === "cpu" ? `cpu, ${threads} thread${threads === 1 ? "" : "s"}` : device;
  return {
    name: "onnx",
    description: `onnx on ${on}`,
    compile: (fn, shapes, compileOptions = {}) => compile(options, fn, shapes, compileOptions),
    gradStep: (loss, optimiser, stepOptions) => gradStep(device, options, loss, optimiser, stepOptions),
  };
}

function sessionOptions(device: Device, threads: number): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
    executionProviders: device === "cpu" ? ["cpu"] : [device, "cpu"],
    logSeverityLevel: 3,
  };
}

/** Runs a one-node graph, so that a missing provider is reported when the engine is opened. */
async function probe(device: Device, options: InferenceSession.SessionOptions): Promise<void> {
  try {
    const { model } = traceFunction(({ x }) => ({ y: x! }), { x: [1] }, { name: "probe" });
    const session = await InferenceSession.create(model, options);
    await session.run({ x: new Tensor("float32", Float32Array.of(1), [1]) });
    await session.release();
  } catch (error) {
    const remedy = {
      cpu: "reinstall onnxruntime-node for this platform, or choose the engine tfjs",
      webgpu: "check that a Vulkan, Metal or Direct3D 12 driver is installed, or choose the device cpu",
      cuda:
        "install the CUDA provider of onnxruntime-node (its install script with " +
        "--onnxruntime-node-install=cuda12), CUDA 12 and cuDNN 9, or choose the device cpu",
    }[device];
    throw new ComputeUnavailable(`onnx on ${device}`, firstLine(error), remedy);
  }
}

async function compile(
  options: InferenceSession.SessionOptions,
  fn: TensorFunction,
  shapes: Shapes,
  compileOptions: CompileOptions,
): Promise<Compiled> {
  const { model, outputs } = traceFunction(fn, shapes, compileOptions);
  const session = await InferenceSession.create(model, options);
  const views = new TensorViews();
  return {
    outputs,
    run: async (inputs, results, rows) => {
      const feeds = views.of(shapes, inputs, rows);
      await session.run(feeds, views.of(outputs, results, rows));
    },
    dispose: () => session.release(),
  };
}

/** Runtime tensors over the callers' arrays; the same few arrays come again and again. */
class TensorViews {
  readonly #known = new WeakMap<Float32Array, Map<string, Tensor>>();

  of(shapes: Shapes, arrays: Arrays, rows: number): Record<string, Tensor> {
    const tensors: Record<string, Tensor> = {};
    for (const [name, shape] of Object.entries(shapes)) {
      const array = arrays[name];
      if (array !== undefined) tensors[name] = this.#view(array, name, shape, rows);
    }
    return tensors;
  }

  #view(array: Float32Array, name: string, shape: Shape, rows: number): Tensor {
    let views = this.#known.get(array);
    if (views === undefined) this.#known.set(array, (views = new Map<string, Tensor>()));
    const key = `${name}:${rows}`;
    let tensor = views.get(key);
    if (tensor === undefined) {
      const dimensions = withRows(shape, rows);
      const size = sizeOf(dimensions);
      if (array.length < size)
        throw new RangeError(`${name}: ${array.length} numbers, ${size} needed for ${rows} rows`);
      tensor = new Tensor("float32", array.subarray(0, size), dimensions);
      views.set(key, tensor);
    }
    return tensor;
  }
}

async function gradStep(
  device: Device,
  options: InferenceSession.SessionOptions,
  loss: LossFunction,
  optimiser: Optimiser,
  stepOptions: GradStepOptions,
): Promise<GradStep> {
  await loadGradients();
  const block = device === "cpu" ? await channelBlock() : undefined;
  const traced = traceTraining(loss, optimiser, stepOptions, block);
  const session = await InferenceSession.create(traced.model, options);
  const names = trainingNames;
  const { parameters } = stepOptions;
  const { optimiserState: state } = traced;
  const kept: Record<string, Tensor> = {};
  const keep = (weights: ReadonlyMap<string, Weight>, nameOf: (name: string) => string) => {
    for (const [name, { shape, data }] of weights)
      kept[nameOf(name)] = new Tensor("float32", data.slice(), shape);
  };
  keep(parameters, names.parameter);
  keep(state, names.state);
  // What a step leaves alone is not asked for: every output of a call is copied.
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
        { shape, data: (kept[nameOf(name)]!.data as Float32Array).slice() },
      ]),
    );
  return {
    steps: async (inputs, rates) => {
      const feeds: Record<string, Tensor> = {
        ...kept,
        [names.rates]: new Tensor("float32", rates, [rates.length]),
      };
      for (const [name, shape] of Object.entries(stepOptions.inputs)) {
        const tensors = views.of({ [name]: [ROWS, ...shape] }, inputs, rates.length);
        feeds[names.input(name)] = tensors[name]!;
      }
      const results = await session.run(feeds, outputs);
      for (const [before, after] of changed) kept[before] = results[after] as Tensor;
      return Object.fromEntries(
        traced.losses.map((name) => [name, results[names.loss(name)]!.data as Float32Array]),
      );
    },
    parameters: () => Promise.resolve(copy(parameters, names.parameter)),
    optimiserState: () => Promise.resolve(copy(state, names.state)),
    dispose: () => session.release(),
  };
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n")[0]!;
}
