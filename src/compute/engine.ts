import type { Optimiser } from "./optimiser.ts";
import type {
  InputArray,
  InputType,
  LossValues,
  Shape,
  TensorFunction,
  TensorsByName,
  Weight,
} from "./tensors.ts";

/**
 * Where nets are computed: by ONNX Runtime on the `cpu` or on `webgpu`; by PyTorch on the `cpu`, on NVIDIA's GPUs and, with its
 * builds for ROCm, on AMD's (`cuda`), on Apple's (`mps`), or on Intel's (`xpu`).
 */
export type Device = (typeof devices)[number];

/** All devices of all engines. */
export const devices = ["cpu", "webgpu", "cuda", "mps", "xpu"] as const;

/** The engines by name; `auto` is `onnx`. */
export const engines = ["auto", "onnx", "torch", "tfjs"] as const;

/** One of these. */
export type EngineName = (typeof engines)[number];

/** What computes for tfjs: its plain JavaScript, or one of its native packages. */
export type TfjsBackend = "cpu" | "node" | "node-gpu";

/**
 * Whether the calling thread computes by itself, on the CPU: nets on GPUs, and nets that PyTorch computes in its own process, take
 * none of its time.
 */
export function computesItself({ device, engine }: Pick<EngineOptions, "engine" | "device">): boolean {
  return device === "cpu" && engine !== "torch";
}

/** Which engine computes, where, and with how many threads. */
export interface EngineOptions {
  /** `auto` (default) is `onnx`. */
  readonly engine?: EngineName;
  /** Default `cpu`. */
  readonly device?: Device;
  /** For the engine `torch` only: the Python that has PyTorch, a name or a path. Default: `python3`; on Windows `python`. */
  readonly python?: string;
  /** For the engine `tfjs` only. Default: `node` if `@tensorflow/tfjs-node` is installed, else `cpu`. */
  readonly backend?: TfjsBackend;
  /** Threads inside one operation on the CPU; default 1. */
  readonly threads?: number;
  /**
   * For the engine `onnx` on the CPU: inference gives equal bits on processors with AVX2 and with AVX-512, by one thread
   * and without the fastest kernels. Training is not concerned.
   */
  readonly bits?: "portable";
}

/**
 * Computes functions written with tfjs operations.
 *
 * On the CPU, the engine `onnx` is deterministic. A compiled function gives each row the same bits for any number of rows and
 * threads. Training steps give the same bits from run to run; with another number of threads the last bits may differ.
 */
export interface Engine {
  readonly name: "onnx" | "torch" | "tfjs";
  /** For people: `onnx on cpu, 2 threads`. */
  readonly description: string;
  /** What computes, for the record of a run: engine, device, and the versions that are known of package and driver. */
  readonly facts: Readonly<Record<string, string | number>>;
  /** Traces a function once; shapes may leave the number of rows and the width of rows open (`ROWS`, `OPEN_WIDTH`). */
  compile(fn: TensorFunction, shapes: Shapes, options?: CompileOptions): Promise<Compiled>;
  /**
   * Opens a foreign model in ONNX's format, with these shapes of its inputs, for these of its outputs. The first axis of each is
   * the batch: open (`ROWS`), or of the one length that the model takes. The model is run on zeros to find the shapes of the
   * outputs. Throws ComputeUnavailable if this engine opens no such files, ModelFailed if the model cannot be computed.
   */
  load(file: string, inputs: Shapes, outputs: readonly string[]): Promise<Compiled>;
  /** Traces a loss, its gradient and the optimiser's update as one program that keeps its parameters. */
  gradStep(loss: LossFunction, optimiser: Optimiser, options: GradStepOptions): Promise<GradStep>;
  /** Ends what computes: nothing that was opened can be used afterwards. An engine that is not closed ends with its thread. */
  close(): Promise<void>;
}

/** Shapes by name. */
export type Shapes = Readonly<Record<string, Shape>>;

/** Options of a compiled function. */
export interface CompileOptions {
  /** The types of inputs that are not float32. */
  readonly types?: Readonly<Record<string, InputType>>;
  /** Inputs whose values never change, folded in. */
  readonly constants?: ReadonlyMap<string, Weight>;
  /**
   * For the engine `onnx` on the CPU: convolutions are computed in 8-bit integers. The array has the ranges of the quantised
   * activations, least and greatest of each. With `ranges` the function's only output is `ranges`, [rows, numbers of the
   * array]: the ranges in each row.
   */
  readonly int8?: "ranges" | Float32Array;
  /**
   * For the engines that record graphs: the last value of each layer that the outputs depend on is an output too, as
   * `layer/NAME`, in the order of the graph.
   */
  readonly layers?: boolean;
  /** Names the graph in a viewer. */
  readonly name?: string;
  /** The graph's doc string. */
  readonly description?: string;
}

/** A traced function over flat row-major arrays. */
export interface Compiled {
  /** Shapes of the outputs. */
  readonly outputs: Shapes;
  /**
   * Computes the outputs for the first `rows` rows of the inputs. `width` is the width of rows if shapes leave it open.
   *
   * Arrays may be longer than needed and may lie in shared memory; they are read and written in place. The thread is busy
   * until the promise settles.
   */
  run(inputs: InputArrays, outputs: Arrays, rows: number, width?: number): Promise<void>;
  dispose(): Promise<void>;
}

/** Arrays of inputs by name. */
export type InputArrays = Readonly<Record<string, InputArray>>;

/** Arrays by name. */
export type Arrays = Readonly<Record<string, Float32Array>>;

/** A loss as a pure function of parameters and of a minibatch. */
export type LossFunction = (parameters: TensorsByName, inputs: TensorsByName) => LossValues;

/** Options of a training program. */
export interface GradStepOptions {
  /** All parameters, trained or not, in their order. */
  readonly parameters: ReadonlyMap<string, Weight>;
  /** Names of the parameters that the optimiser changes; only the loss's `state` changes the others. */
  readonly trained: ReadonlySet<string>;
  /** Shapes of the minibatch, its number of rows included. */
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  /** The types of inputs that are not float32. */
  readonly types?: Readonly<Record<string, InputType>>;
  /** Optimiser state to continue from, as `optimiserState` returned it. */
  readonly optimiserState?: ReadonlyMap<string, Weight>;
  /**
   * Decay d < 1 of averages of the parameters: a_t = d a_{t-1} + (1 - d) theta_t with a_0 = 0, kept in the optimiser's state
   * as `average/parameter`. The unbiased average is a_t / (1 - d^t). Absent: no averages.
   */
  readonly averaging?: number;
  /**
   * Whether gradients of several minibatches can make one step. A minibatch at the rate 0 then only adds its gradient to a
   * sum; one at another rate takes a step by the sum, its own gradient included. The sums, `gradient/parameter` in the
   * optimiser's state, are 0 after a step. Default false: every minibatch is a step.
   */
  readonly accumulating?: boolean;
  /** Whether few steps are taken: an engine may then begin sooner and take longer for each step. Default false. */
  readonly brief?: boolean;
  /** Names the graph in a viewer. */
  readonly name?: string;
}

/** A training program with its parameters. */
export interface GradStep {
  /**
   * Takes one step for each learning rate (see `accumulating`), in order, on inputs [steps, ...] laid end to end.
   *
   * Returns for every step the loss before the step as `total`, and its parts under their names. Calls with several steps
   * save copies of the weights.
   */
  steps(inputs: InputArrays, rates: Float32Array): Promise<Arrays>;
  /** The parameters now. */
  parameters(): Promise<Map<string, Weight>>;
  /** The optimiser's state now: `step`, `slot/parameter` for every slot, and the averages. */
  optimiserState(): Promise<Map<string, Weight>>;
  dispose(): Promise<void>;
}

/** The name of the loss itself among its parts. */
export const TOTAL = "total";

/** A requested engine, device or backend cannot be used here. */
export class ComputeUnavailable extends Error {
  readonly _tag = "ComputeUnavailable";
  /** What was requested. */
  readonly what: string;
  /** Why it is not available. */
  readonly why: string;
  /** What to do about it. */
  readonly remedy: string;

  constructor(what: string, why: string, remedy: string) {
    super(`${what} is not available: ${why}; ${remedy}`);
    this.name = "ComputeUnavailable";
    this.what = what;
    this.why = why;
    this.remedy = remedy;
  }
}

/** A model of others cannot be computed. */
export class ModelFailed extends Error {
  readonly _tag = "ModelFailed";

  constructor(file: string, why: string) {
    super(`the model ${file} cannot be computed: ${why}`);
    this.name = "ModelFailed";
  }
}
