import * as tf from "@tensorflow/tfjs-core";
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
  type TfjsBackend,
} from "../engine.ts";
import type { Optimiser } from "../optimiser.ts";
import {
  type InputArray,
  type InputType,
  OPEN_WIDTH,
  ROWS,
  sizeOf,
  type TensorFunction,
  type TensorsByName,
  type Weight,
  withSizes,
} from "../tensors.ts";
import { loadGradients } from "./gradients.ts";
import { startingState, trainingStep } from "../training-program.ts";

/** A package that registers a tfjs backend when it is imported. */
interface Runtime {
  readonly package: string;
  /** The name under which the package registers its backend. */
  readonly backend: string;
  /** For people. */
  readonly label: string;
}

const runtimes: Readonly<Record<TfjsBackend, Runtime>> = {
  cpu: { package: "@tensorflow/tfjs-backend-cpu", backend: "cpu", label: "cpu (reference, slow)" },
  node: { package: "@tensorflow/tfjs-node", backend: "tensorflow", label: "tfjs-node" },
  "node-gpu": { package: "@tensorflow/tfjs-node-gpu", backend: "tensorflow", label: "tfjs-node-gpu" },
};

/**
 * The engine in which tfjs itself computes, by the given backend; without one by `tfjs-node` if it is installed, else in
 * plain JavaScript. Throws ComputeUnavailable if the package of the backend is not installed or does not load.
 */
export async function openTfjsEngine(backend?: TfjsBackend): Promise<Engine> {
  return open(await load(backend === undefined ? ["node", "cpu"] : [backend]));
}

/** The engine on plain JavaScript, which tests compare with. */
export function openReferenceEngine(): Promise<Engine> {
  return openTfjsEngine("cpu");
}

async function open(runtime: Runtime): Promise<Engine> {
  const activate = () => {
    if (tf.getBackend() !== runtime.backend) void tf.setBackend(runtime.backend);
  };
  // Without this tfjs prints an advertisement, and checks shapes and numbers again and again.
  tf.enableProdMode();
  activate();
  await tf.ready();
  return {
    name: "tfjs",
    description: `tfjs on ${runtime.label}`,
    facts: { engine: "tfjs", device: runtime.package },
    compile: async (fn, shapes, options = {}) => {
      if (options.int8 !== undefined)
        throw new ComputeUnavailable("int8", "tfjs computes in float32", "choose the engine onnx");
      return compile(activate, fn, shapes, options);
    },
    load: (file) =>
      Promise.reject(
        new ComputeUnavailable(
          `the model ${file}`,
          "the engine tfjs computes no files in ONNX's format",
          "choose the engine onnx",
        ),
      ),
    gradStep: (loss, optimiser, options) => gradStep(activate, loss, optimiser, options),
    close: () => Promise.resolve(),
  };
}

/** Loads the first of the backends whose package loads. */
async function load(backends: readonly TfjsBackend[]): Promise<Runtime> {
  let why = "";
  for (const backend of backends) {
    try {
      await import(runtimes[backend].package);
      return runtimes[backend];
    } catch (error) {
      why = (error as Error).message.split("\n")[0]!;
    }
  }
  const names = backends.map((backend) => runtimes[backend].package).join(", ");
  throw new ComputeUnavailable("the engine tfjs", why, `install ${names}, or choose the engine onnx`);
}

function compile(
  activate: () => void,
  fn: TensorFunction,
  shapes: Shapes,
  { constants = new Map<string, Weight>(), types = {} }: CompileOptions,
): Compiled {
  activate();
  const folded = tensorsOf(constants);
  const outputs: Record<string, (number | typeof ROWS | typeof OPEN_WIDTH)[]> = {};
  // Other numbers of rows and widths show which dimensions of the outputs depend on them.
  const [shapesOfOutputs, taller, wider] = [
    [2, 2],
    [3, 2],
    [2, 3],
  ].map(([rows, width]) =>
    tf.tidy(() => {
      const zeros = Object.entries(shapes).map(([name, shape]) => [
        name,
        tf.zeros(withSizes(shape, rows!, width!), dtypeOf(types[name])),
      ]);
      return shapesOf(fn({ ...folded, ...(Object.fromEntries(zeros) as TensorsByName) }));
    }),
  );
  for (const [name, shape] of Object.entries(shapesOfOutputs!))
    outputs[name] = shape.map((size, axis) => {
      if (size !== taller![name]![axis]) return ROWS;
      return size === wider![name]![axis] ? size : OPEN_WIDTH;
    });
  return {
    outputs,
    run: async (inputs, results, rows, width = 0) => {
      activate();
      tf.tidy(() => {
        const values = fn({ ...folded, ...rowsOf(shapes, types, inputs, rows, width) });
        for (const [name, value] of Object.entries(values)) results[name]?.set(value.dataSync<"float32">());
      });
    },
    dispose: async () => tf.dispose(folded),
  };
}

async function gradStep(
  activate: () => void,
  loss: LossFunction,
  optimiser: Optimiser,
  options: GradStepOptions,
): Promise<GradStep> {
  await loadGradients();
  activate();
  let parameters = tensorsOf(options.parameters);
  let state = tensorsOf(startingState(optimiser, options));
  const step = (inputs: InputArrays, at: number, rate: number) => {
    const before = { parameters, state };
    const result = tf.tidy(() => {
      const batch = batchOf(options, inputs, at);
      const now = tf.scalar(rate);
      return { ...trainingStep(loss, optimiser, options, parameters, state, batch, now) };
    });
    const losses = Object.entries(result.losses).map(
      ([name, value]) => [name, value.dataSync()[0]!] as const,
    );
    parameters = { ...parameters, ...result.parameters };
    state = { ...state, ...result.optimiserState };
    tf.dispose(Object.values(result.losses));
    for (const [name, old] of Object.entries(before.parameters)) if (parameters[name] !== old) old.dispose();
    for (const [name, old] of Object.entries(before.state)) if (state[name] !== old) old.dispose();
    return losses;
  };
  return {
    steps: async (inputs, rates) => {
      activate();
      const losses: Record<string, Float32Array> = {};
      for (const [at, rate] of rates.entries())
        for (const [name, value] of step(inputs, at, rate))
          (losses[name] ??= new Float32Array(rates.length))[at] = value;
      return losses;
    },
    parameters: async () => weightsOf(parameters),
    optimiserState: async () => weightsOf(state),
    dispose: async () => {
      tf.dispose(parameters);
      tf.dispose(state);
    },
  };
}

function tensorsOf(weights: ReadonlyMap<string, Weight>): Record<string, tf.Tensor> {
  return Object.fromEntries(
    [...weights].map(([name, { shape, data }]) => [name, tf.tensor(data.slice(), [...shape])]),
  );
}

function rowsOf(
  shapes: Shapes,
  types: Readonly<Record<string, InputType>>,
  arrays: InputArrays,
  rows: number,
  width: number,
): Record<string, tf.Tensor> {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const dimensions = withSizes(shape, rows, width);
      // A copy: tfjs may keep the array, and the caller fills it again.
      const numbers = arrays[name]!.slice(0, sizeOf(dimensions));
      return [name, tensorOf(numbers, dimensions, types[name])];
    }),
  );
}

/** tfjs's type for inputs of this type; it has no bytes. */
function dtypeOf(type: InputType = "float32"): "float32" | "int32" {
  return type === "float32" ? "float32" : "int32";
}

/** The inputs of step `at` out of those of all steps. */
function batchOf(
  { inputs, types = {} }: GradStepOptions,
  arrays: InputArrays,
  at: number,
): Record<string, tf.Tensor> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, shape]) => {
      const size = sizeOf(shape);
      const numbers = arrays[name]!.slice(at * size, (at + 1) * size);
      return [name, tensorOf(numbers, shape, types[name])];
    }),
  );
}

/** The numbers as a tensor, which may keep them. */
function tensorOf(numbers: InputArray, shape: readonly number[], type: InputType | undefined): tf.Tensor {
  const dtype = dtypeOf(type);
  return tf.tensor(dtype === "int32" ? Int32Array.from(numbers) : numbers, [...shape], dtype);
}

function shapesOf(tensors: TensorsByName): Record<string, number[]> {
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, [...tensor.shape]]));
}

function weightsOf(tensors: TensorsByName): Map<string, Weight> {
  return new Map(
    Object.entries(tensors).map(([name, tensor]) => [
      name,
      { shape: [...tensor.shape], data: Float32Array.from(tensor.dataSync<"float32">()) },
    ]),
  );
}
