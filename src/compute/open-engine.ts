import { ComputeUnavailable, type Engine, type EngineOptions } from "./engine.ts";
import { demandOnnxRuntime } from "./onnx-runtime.ts";

/**
 * Opens the engine that an experiment asks for.
 *
 * Fails with `ComputeUnavailable` if that engine cannot be opened. No engine and no device is ever replaced by a slower one:
 * `auto` is `onnx`.
 */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const { engine = "auto", device = "cpu", threads = 1, backend, bits } = options;
  if (!Number.isInteger(threads) || threads < 1)
    throw new RangeError(`threads: a whole number from 1 on, not ${threads}`);
  if (backend !== undefined && engine !== "tfjs")
    throw new ComputeUnavailable(
      `the backend ${backend}`,
      `the engine ${engine} has no backends to choose from`,
      "leave backend out, or choose the engine tfjs",
    );
  if (bits !== undefined && (engine === "tfjs" || device !== "cpu"))
    throw new ComputeUnavailable(
      `bits: ${bits}`,
      `it is about ONNX Runtime on the cpu, not about ${engine === "tfjs" ? "the engine tfjs" : `the device ${device}`}`,
      "leave bits out, or choose the engine onnx and the device cpu",
    );
  if (engine === "tfjs") {
    if (device === "webgpu")
      throw new ComputeUnavailable(
        "tfjs on webgpu",
        "tfjs has no WebGPU backend outside browsers",
        "choose the engine onnx for the device webgpu",
      );
    return (await import("./tfjs/engine.ts")).openTfjsEngine(backend);
  }
  demandOnnxRuntime();
  try {
    return await (await import("./onnx/engine.ts")).openOnnxEngine(device, threads, bits);
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** If the native library does not load, importing the engine throws before a session is made. */
function asUnavailable(error: unknown): unknown {
  if (error instanceof ComputeUnavailable) return error;
  const message = (error as Error).message.split("\n")[0]!;
  if (!/onnxruntime|dlopen|Cannot find (module|package)/.test(message)) return error;
  return new ComputeUnavailable(
    "the engine onnx",
    message,
    "reinstall onnxruntime-node for this platform, or choose the engine tfjs",
  );
}
