/** The process in which `model-trial.ts` computes a model once. Errors that ONNX Runtime throws are reported elsewhere. */
import { env } from "onnxruntime-node";
import { computeOnce, type ModelTrial } from "./model-trial.ts";
import { createSession } from "./session.ts";

env.logLevel = "fatal";
try {
  const { session } = await computeOnce(JSON.parse(process.argv[2]!) as ModelTrial, createSession);
  await session.release();
} catch {
  // The thread that opens the model next gets the same error, and reports it.
}
