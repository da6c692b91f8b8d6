import { InferenceSession, Tensor } from "onnxruntime-node";
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
} from "./engine.ts";
import { traceFunction, traceStep, trainingNames } from "./onnx-trace.ts";
import type { Optimiser } from "./optimiser.ts";
import { loadGradients } from "./tfjs-gradients.ts";
import { type Shape, sizeOf, type TensorFunction, type Weight, withRows } from "./tensors.ts";

/** Engines on ONNX Runtime: functions are traced into ONNX graphs and run by its providers. */
export async function openOnnxEngine(device: Device, threads: number): Promise<Engine> {
  const options = sessionOptions(device, threads);
  await probe(device, options);
  const on = device === "cpu" ? `cpu, ${threads} thread${threads === 1 ? "" : "s"}` : device;
  return {
    name: "onnx",
    description: `onnx on ${on}`,
    compile: (fn, shapes, compileOptions = {}) => compile(options, fn, shapes, compileOptions),
    gradStep: (loss, optimiser, stepOptions) => gradStep(options, loss, optimiser, stepOptions),
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

/**
 * Weights that stay between steps: one buffer is read while the other is written, then they change places, so that
 * a step allocates nothing outside the session.
 */
class KeptWeights {
  readonly #items: { input: string; output: string | undefined; current: Tensor; next: Tensor }[];
  readonly #names: readonly string[];

  /** `changed` are the names that a step writes; the others are only read. */
  constructor(
    weights: ReadonlyMap<string, Weight>,
    changed: readonly string[],
    inputName: (name: string) => string,
    outputName: (name: string) => string,
  ) {
    this.#names = [...weights.keys()];
    this.#items = [...weights].map(([name, { shape, data }]) => {
      const current = new Tensor("float32", data.slice(), shape);
      const written = changed.includes(name);
      return {
        input: inputName(name),
        output: written ? outputName(name) : undefined,
        current,
        next: written ? new Tensor("float32", new Float32Array(data.length), shape) : current,
      };
    });
  }

  bind(feeds: Record<string, Tensor>, fetches: Record<string, Tensor>): void {
    for (const { input, output, current, next } of this.#items) {
      feeds[input] = current;
      if (output !== undefined) fetches[output] = next;
    }
  }

  swap(): void {
    for (const item of this.#items) [item.current, item.next] = [item.next, item.current];
  }

  copy(): Map<string, Weight> {
    return new Map(
      this.#items.map(({ current }, i) => [
        this.#names[i]!,
        { shape: current.dims, data: (current.data as Float32Array).slice() },
      ]),
    );
  }
}

async function gradStep(
  options: InferenceSession.SessionOptions,
  loss: LossFunction,
  optimiser: Optimiser,
  stepOptions: GradStepOptions,
): Promise<GradStep> {
  await loadGradients();
  const traced = traceStep(loss, optimiser, stepOptions);
  const session = await InferenceSession.create(traced.model, options);
  const names = trainingNames;
  const parameters = new KeptWeights(
    stepOptions.parameters,
    traced.changedParameters,
    names.parameter,
    names.newParameter,
  );
  const state = new KeptWeights(traced.optimiserState, traced.changedState, names.state, names.newState);
  const rate = Float32Array.of(0);
  const losses = new Map(traced.losses.map((name) => [name, Float32Array.of(0)]));
  const feeds: Record<string, Tensor> = { [names.rate]: new Tensor("float32", rate, []) };
  const fetches: Record<string, Tensor> = {};
  for (const [name, value] of losses) fetches[names.loss(name)] = new Tensor("float32", value, []);
  const views = new TensorViews();
  return {
    step: async (inputs, rateNow) => {
      rate[0] = rateNow;
      for (const [name, tensor] of Object.entries(views.of(stepOptions.inputs, inputs, 0)))
        feeds[names.input(name)] = tensor;
      parameters.bind(feeds, fetches);
      state.bind(feeds, fetches);
      await session.run(feeds, fetches);
      parameters.swap();
      state.swap();
      return Object.fromEntries([...losses].map(([name, value]) => [name, value[0]!]));
    },
    parameters: () => Promise.resolve(parameters.copy()),
    optimiserState: () => Promise.resolve(state.copy()),
    dispose: () => session.release(),
  };
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n")[0]!;
}
