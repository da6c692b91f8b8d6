import { env, type InferenceSession, Tensor } from "onnxruntime-node";
import {
  type Compiled,
  type CompileOptions,
  ComputeUnavailable,
  type Device,
  type Engine,
  type EngineOptions,
  ModelFailed,
  type Shapes,
} from "../engine.ts";
import type { TensorFunction } from "../tensors.ts";
import { loadGradients } from "../tfjs/gradients.ts";
import { findChannelBlock } from "./channel-block.ts";
import { encodeModel } from "./graph.ts";
import { modelComplaint } from "./model-complaint.ts";
import { largestExactWeight } from "./int8-probe.ts";
import { deviceGraph } from "./device-graph.ts";
import { createDeviceSession, createResidentDeviceSession } from "./device-sessions.ts";
import { computeOnce, tryApart } from "./model-trial.ts";
import { openResidentTraining } from "./resident-training.ts";
import { createSession, type CreateSession, type Session } from "./session.ts";
import { TensorViews } from "./tensor-views.ts";
import { traceFunction, traceGraph } from "./trace.ts";
import { openTrainingSession } from "./training-session.ts";
import { counted } from "../../messages/counted.ts";

// Errors are thrown too: the runtime's own lines on stderr would only repeat them.
env.logLevel = "fatal";

/** The devices of ONNX Runtime. */
export type OnnxDevice = Extract<Device, "cpu" | "webgpu">;

/** An engine on ONNX Runtime: functions are traced into ONNX graphs, which the runtime's providers run. */
export async function openOnnxEngine(
  device: OnnxDevice,
  threads: number,
  bits?: EngineOptions["bits"],
): Promise<Engine> {
  const training = sessionOptions(device, threads);
  const options = bits === undefined ? training : portableOptions();
  const create = device === "cpu" ? createSession : createDeviceSession;
  await probe(device, create, options);
  const cpu = bits === undefined ? `cpu, ${counted(threads, "thread")}` : "cpu, 1 thread, portable bits";
  const on = device === "cpu" ? cpu : device;
  return {
    name: "onnx",
    description: `onnx on ${on}`,
    facts: { engine: "onnx", device },
    compile: async (fn, shapes, compileOptions = {}) => {
      if (compileOptions.int8 !== undefined && device !== "cpu")
        throw new ComputeUnavailable("int8", `${device} computes in float32`, "choose the device cpu");
      // With portable bits all processors have the weights that all compute exactly.
      const mostWeight =
        compileOptions.int8 instanceof Float32Array && bits === undefined
          ? await (exactWeight ??= largestExactWeight())
          : undefined;
      return compile(device, create, options, fn, shapes, compileOptions, mostWeight);
    },
    load: (file, inputs, outputs) => load(create, options, file, inputs, outputs),
    gradStep: async (loss, optimiser, stepOptions) => {
      await loadGradients();
      if (device !== "cpu")
        return openResidentTraining(createResidentDeviceSession, training, loss, optimiser, stepOptions);
      // Optimising the graph of a large net and probing for blocks take longer than some steps on a graph that is not.
      const { brief = false } = stepOptions;
      const opening = brief ? ({ ...training, graphOptimizationLevel: "disabled" } as const) : training;
      const block = !brief ? await (channelBlock ??= findChannelBlock()) : undefined;
      return openTrainingSession((model) => create(model, opening), loss, optimiser, stepOptions, block);
    },
    // Sessions are released one by one.
    close: () => Promise.resolve(),
  };
}

/** The block of this processor's blocked operators, looked for when the thread first trains. */
let channelBlock: Promise<number | undefined> | undefined;

/** The largest quantised weight for this processor, looked for when the thread first computes in int8. */
let exactWeight: Promise<number> | undefined;

function sessionOptions(device: OnnxDevice, threads: number): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
    executionProviders: device === "cpu" ? ["cpu"] : [device, "cpu"],
    logSeverityLevel: 3,
  };
}

/**
 * Options with which processors with AVX2 and with AVX-512 compute equal bits. The highest level of optimisation replaces
 * convolutions by blocked ones, whose blocks are as wide as the processor's vectors; with several threads the place of a row in
 * a batch would count, too.
 */
function portableOptions(): InferenceSession.SessionOptions {
  return { ...sessionOptions("cpu", 1), graphOptimizationLevel: "extended" };
}

/** Runs a one-node graph, so that a missing provider is reported when the engine is opened. */
async function probe(
  device: OnnxDevice,
  create: CreateSession,
  options: InferenceSession.SessionOptions,
): Promise<void> {
  try {
    const { model } = traceFunction(({ x }) => ({ y: x! }), { x: [1] }, { name: "probe" });
    const session = await create(model, options);
    await session.run({ x: new Tensor("float32", Float32Array.of(1), [1]) }, ["y"]);
    await session.release();
  } catch (error) {
    const remedy = {
      cpu: "reinstall onnxruntime-node for this platform, or choose the engine tfjs",
      webgpu: "check that a Vulkan, Metal or Direct3D 12 driver is installed, or choose the device cpu",
    }[device];
    // The runtime's place in its own sources helps nobody here.
    const why = firstLine(error).replace(/^\/\S*onnxruntime\S* .* was false\. /, "");
    throw new ComputeUnavailable(`onnx on ${device}`, why, remedy);
  }
}

async function compile(
  device: OnnxDevice,
  create: CreateSession,
  options: InferenceSession.SessionOptions,
  fn: TensorFunction,
  shapes: Shapes,
  compileOptions: CompileOptions,
  mostWeight?: number,
): Promise<Compiled> {
  const { graph, outputs } = traceGraph(fn, shapes, compileOptions, mostWeight);
  const model = encodeModel(device === "cpu" ? graph : deviceGraph(graph));
  return compiled(
    await create(model, options),
    alone(options, () => create(model, oneThread(options))),
    shapes,
    outputs,
    compileOptions.types,
  );
}

const oneThread = (options: InferenceSession.SessionOptions): InferenceSession.SessionOptions => ({
  ...options,
  intraOpNumThreads: 1,
});

/**
 * What opens a session of one thread for batches of one row, where the others have several threads: on processors without
 * AVX-512 these share out a product of one row in another way than that of many rows, and its last bits differ.
 */
const alone = (
  { intraOpNumThreads }: InferenceSession.SessionOptions,
  open: () => Promise<Session>,
): (() => Promise<Session>) | undefined => (intraOpNumThreads === 1 ? undefined : open);

/** The graph of a session over flat arrays; `openAlone` opens the session for batches of one row, if it is another one. */
function compiled(
  session: Session,
  openAlone: (() => Promise<Session>) | undefined,
  inputs: Shapes,
  outputs: Shapes,
  types?: CompileOptions["types"],
): Compiled {
  const views = new TensorViews();
  let single: Promise<Session> | undefined;
  return {
    outputs,
    run: async (arrays, results, rows, width = 0) => {
      const feeds = views.of(inputs, arrays, rows, width, types);
      const fetches = views.of(outputs, results, rows, width);
      const chosen = rows === 1 && openAlone !== undefined ? await (single ??= openAlone()) : session;
      await chosen.run(feeds, fetches);
    },
    dispose: async () => {
      await Promise.all([session.release(), single?.then((opened) => opened.release())]);
    },
  };
}

async function load(
  create: CreateSession,
  options: InferenceSession.SessionOptions,
  file: string,
  shapes: Shapes,
  wanted: readonly string[],
): Promise<Compiled> {
  let session: Session | undefined;
  try {
    const trial = { file, options, shapes, outputs: wanted };
    await tryApart(trial);
    const computed = await computeOnce(trial, create);
    session = computed.session;
    const { rows } = computed;
    const results = Object.entries(computed.results);
    const wrong = results.find(([, { dims }]) => dims[0] !== rows);
    if (wrong !== undefined) {
      const [name, { dims }] = wrong;
      throw new Error(
        `for ${counted(rows, "position")} its output "${name}" has the shape [${dims.join(", ")}]; the first axis must be the batch`,
      );
    }
    const batch = Object.values(shapes)[0]![0]!;
    return compiled(
      session,
      alone(options, () => create(file, oneThread(options))),
      shapes,
      Object.fromEntries(results.map(([name, { dims }]) => [name, [batch, ...dims.slice(1)]])),
    );
  } catch (error) {
    await session?.release();
    throw new ModelFailed(file, modelComplaint(firstLine(error)));
  }
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n")[0]!;
}
