import { addN, square, sum } from "@tensorflow/tfjs-core";
import { optimiser } from "../../compute/optimiser.ts";
import type { LossFunction } from "../../compute/engine.ts";
import { traceTraining } from "../../compute/onnx/training.ts";
import { loadGradients } from "../../compute/tfjs/gradients.ts";
import { Random } from "../../random.ts";
import { initialWeights, type Net } from "../net.ts";
import { constantsOf, exportOnnx } from "./inference.ts";

/** Rows of the minibatch. */
const ROWS = 2;

/**
 * Traces a net and a training step of it, as the engine `onnx` does, and computes nothing. Throws KernelNotRecorded if ONNX
 * has no counterpart of an operation or of its gradient, and what the net throws.
 */
export async function traceAsTrained(net: Net): Promise<void> {
  await loadGradients();
  const weights = initialWeights(net, Random.named("trace"));
  exportOnnx(net, weights);
  const loss: LossFunction = (parameters, { x }) => {
    const { policy, state, value } = net.forward(parameters, x as Parameters<Net["forward"]>[1], true);
    const outputs = [value, policy].filter((output) => output !== undefined);
    return { total: addN(outputs.map((output) => sum(square(output)))), parts: {}, state };
  };
  traceTraining(loss, optimiser({ use: "sgd" }), {
    parameters: constantsOf(net, weights),
    trained: new Set(net.parameters.filter(({ trained }) => trained).map(({ name }) => name)),
    inputs: { x: [ROWS, ...net.input] },
    name: net.name,
  });
}
