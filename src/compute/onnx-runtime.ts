import { createRequire } from "node:module";
import { ComputeUnavailable } from "./engine.ts";
import { installCommand } from "./install-command.ts";

/**
 * Throws `ComputeUnavailable` with the command that installs it if the package onnxruntime-node cannot be found from a file,
 * by default this one. Loads nothing.
 */
export function demandOnnxRuntime(from: string = import.meta.url): void {
  try {
    createRequire(from).resolve("onnxruntime-node");
  } catch {
    throw new ComputeUnavailable(
      "the engine onnx",
      "the package onnxruntime-node, which computes nets, is not installed",
      `install it by: ${installCommand()} (without its script, which only downloads CUDA libraries that nothing here uses), or choose the engine tfjs, which is slower`,
    );
  }
}
