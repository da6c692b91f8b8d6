import type { Device, EngineOptions } from "./engine.ts";

/** Settings that no engine has together. */
export interface ComputeConflict {
  /** The setting that does not fit. */
  readonly setting: "device" | "backend" | "bits" | "python";
  /** What was asked for, why it is not to be had, and what to do, as in `ComputeUnavailable`. */
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

const devicesOf: Readonly<Record<"onnx" | "torch" | "tfjs", readonly Device[]>> = {
  onnx: ["cpu", "webgpu"],
  torch: ["cpu", "cuda", "mps", "xpu"],
  tfjs: ["cpu"],
};

/** What is wrong with the settings of an engine, whatever this machine has; undefined if they fit. */
export function computeConflict(options: EngineOptions): ComputeConflict | undefined {
  const { backend, bits, device = "cpu", engine: named = "auto", python } = options;
  const engine = named === "auto" ? "onnx" : named;
  if (!devicesOf[engine].includes(device)) {
    const other = device === "webgpu" ? "onnx" : "torch";
    const also = device === "cuda" ? ", or the device webgpu with the engine onnx" : "";
    return {
      setting: "device",
      what: `${engine} on ${device}`,
      why: `the engine ${engine} computes on ${devicesOf[engine].join(", ")}`,
      remedy: `choose the engine ${other} for the device ${device}${also}`,
    };
  }
  if (backend !== undefined && engine !== "tfjs")
    return {
      setting: "backend",
      what: `the backend ${backend}`,
      why: `the engine ${named} has no backends to choose from`,
      remedy: "leave backend out, or choose the engine tfjs",
    };
  if (python !== undefined && engine !== "torch")
    return {
      setting: "python",
      what: `the Python ${python}`,
      why: `the engine ${named} starts no Python`,
      remedy: "leave python out, or choose the engine torch",
    };
  if (bits !== undefined && (engine !== "onnx" || device !== "cpu"))
    return {
      setting: "bits",
      what: `bits: ${bits}`,
      why: `it is about ONNX Runtime on the cpu, not about ${engine === "onnx" ? `the device ${device}` : `the engine ${engine}`}`,
      remedy: "leave bits out, or choose the engine onnx and the device cpu",
    };
  return undefined;
}
