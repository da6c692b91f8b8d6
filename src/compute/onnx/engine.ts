import { env, InferenceSession, Tensor } from "onnxruntime-node";
import {
  type Compiled,
  type CompileOptions,
  ComputeUnavailable,
  type Device,
  type Engine,
  type Shapes,
} from "../engine.ts";
import type { TensorFunction } from "../tensors.ts";
import { loadGradients } from "../tfjs/gradients.ts";
import { findChannelBlock } from "./channel-block.ts";
import { TensorViews } from "./tensor-views.ts";
import { traceFunction } from "./trace.ts";
import { openTrainingSession } from "./training-session.ts";
import { counted } from "../../messages/counted.ts";

// Errors are thrown too: the runtime's own lines on stderr would only repeat them.
env.logLevel = "fatal";

/** An engine on ONNX Runtime: functions are traced into ONNX graphs, which the runtime's providers run. */
export async function openOnnxEngine(device: Device, threads: number): Promise<Engine> {
  const options = sessionOptions(device, threads);
  await probe(device, options);
  const on = device === "cpu" ? `cpu, ${counted(threads, "thread")}` : device;
  return {
    name: "onnx",
    description: `onnx on ${on}`,
    compile: (fn, shapes, compileOptions = {}) => compile(options, fn, shapes, compileOptions),
    gradStep: async (loss, optimiser, stepOptions) => {
      await loadGradients();
      const block = device === "cpu" ? await (channelBlock ??= findChannelBlock()) : undefined;
      return openTrainingSession(options, loss, optimiser, stepOptions, block);
    },
  };
}

/** The block of this processor's blocked operators, looked for when the thread first trains. */
let channelBlock: Promise<number | undefined> | undefined;

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
    run: async (inputs, results, rows, width = 0) => {
      const feeds = views.of(shapes, inputs, rows, width, compileOptions.types);
      await session.run(feeds, views.of(outputs, results, rows, width));
    },
    dispose: () => session.release(),
  };
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n")[0]!;
}
