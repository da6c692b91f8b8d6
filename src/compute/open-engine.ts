import { computeConflict } from "./compute-conflict.ts";
import { ComputeUnavailable, type Engine, type EngineOptions } from "./engine.ts";
import type { OnnxDevice } from "./onnx/engine.ts";
import { demandOnnxRuntime } from "./onnx-runtime.ts";

/**
 * Opens the engine that an experiment asks for.
 *
 * Fails with `ComputeUnavailable` if that engine cannot be opened. No engine and no device is ever replaced by a slower one:
 * `auto` is `onnx`.
 */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const { engine = "auto", device = "cpu", threads = 1, backend, bits, python } = options;
  if (!Number.isInteger(threads) || threads < 1)
    throw new RangeError(`threads: a whole number from 1 on, not ${threads}`);
  const conflict = computeConflict(options);
  if (conflict !== undefined) throw new ComputeUnavailable(conflict.what, conflict.why, conflict.remedy);
  if (engine === "torch")
    return (await import("./torch/engine.ts")).openTorchEngine({
      python: python ?? defaultPython,
      device,
      threads,
    });
  if (engine === "tfjs") return (await import("./tfjs/engine.ts")).openTfjsEngine(backend);
  demandOnnxRuntime();
  try {
    return await (await import("./onnx/engine.ts")).openOnnxEngine(device as OnnxDevice, threads, bits);
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** The Python that is started if none is named. */
export const defaultPython = process.platform === "win32" ? "python" : "python3";

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
