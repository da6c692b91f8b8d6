/** The process in which ONNX Runtime reports on standard error which provider computes which node of a model on WebGPU. */
import { readFileSync } from "node:fs";
import { env, InferenceSession } from "onnxruntime-node";

env.logLevel = "verbose";
const model = readFileSync(process.argv[2] ?? 0);
const session = await InferenceSession.create(model, {
  executionProviders: ["webgpu", "cpu"],
  graphOptimizationLevel: "all",
  logSeverityLevel: 0,
});
await session.release();
