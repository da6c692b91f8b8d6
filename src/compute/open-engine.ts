import { ComputeUnavailable, type Engine, type EngineOptions } from "./engine.ts";

/**
 * Opens the engine that an experiment asks for.
 *
 * Fails with `ComputeUnavailable` where it cannot be had. `auto` takes `onnx` and falls back to `tfjs` only where
 * ONNX Runtime itself does not load on the CPU; a device that was asked for is never silently replaced.
 */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const { engine = "auto", device = "cpu", threads = 1, backend } = options;
  if (!Number.isInteger(threads) || threads < 1)
    throw new RangeError(`threads: a whole number from 1 on, not ${threads}`);
  if (backend !== undefined && (engine !== "tfjs" || device !== "cpu"))
    throw new ComputeUnavailable(
      `the backend ${backend}`,
      `engine ${engine} on ${device} has no choice of backends`,
      "leave backend out, or choose the engine tfjs and the device cpu",
    );
  if (engine === "tfjs") {
    if (device === "webgpu")
      throw new ComputeUnavailable(
        "tfjs on webgpu",
        "tfjs has no WebGPU backend outside browsers",
        "choose the engine onnx for the device webgpu",
      );
    return (await import("./tfjs/engine.ts")).openTfjsEngine(device, backend);
  }
  try {
    return await (await import("./onnx/engine.ts")).openOnnxEngine(device, threads);
  } catch (error) {
    if (engine === "auto" && device === "cpu")
      return (await import("./tfjs/engine.ts")).openTfjsEngine(device);
    throw asUnavailable(error);
  }
}

/** Where the native library does not load, importing it throws before any session is made. */
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
