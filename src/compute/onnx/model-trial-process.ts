/** The process in which `model-trial.ts` computes a model once. What is wrong in the model's own terms is told elsewhere. */
import { env } from "onnxruntime-node";
import { computeOnce, type ModelTrial } from "./model-trial.ts";
import { createSession } from "./session.ts";

env.logLevel = "fatal";
try {
  const { session } = await computeOnce(JSON.parse(process.argv[2]!) as ModelTrial, createSession);
  await session.release();
} catch {
  // Whoever opens the model next gets the same error.
}
