import { InferenceSession, Tensor } from "onnxruntime-node";
import { probeOptions } from "./blocked-probe.ts";
import { encodeModel, OnnxGraph } from "./graph.ts";
import { inInt8, MOST_WEIGHT, SAFE_WEIGHT } from "./int8.ts";

/** Channels and cells of the probe: enough for the runtime's kernels of large images. */
const [CHANNELS, SIZE] = [32, 8];

/**
 * The largest quantised weight with which this processor computes exact sums of products. Processors without VNNI add two
 * products of 8-bit numbers in 16 bits, where sums of large ones are cut off. The probe convolves the largest activations with
 * the largest weights.
 */
export async function largestExactWeight(): Promise<number> {
  const shape = [1, CHANNELS, SIZE, SIZE];
  const graph = new OnnxGraph();
  const x = graph.input("x", shape);
  const filter = new Float32Array(CHANNELS * CHANNELS * 9).fill(1);
  const weights = graph.constant("filter", [CHANNELS, CHANNELS, 3, 3], "float32", filter);
  const image = graph.node("", "Conv", [x, weights], shape, { kernel_shape: [3, 3], pads: [1, 1, 1, 1] });
  // Outputs of a graph are not quantised.
  const y = graph.node("", "Neg", [image], shape);
  const inner = CHANNELS * 9;
  const model = inInt8(graph.toGraph("probe", "", { y }), Float32Array.of(0, 1, 0, inner), MOST_WEIGHT);
  const session = await InferenceSession.create(encodeModel(model), {
    ...probeOptions,
    graphOptimizationLevel: "all",
  });
  const ones = new Float32Array(CHANNELS * SIZE * SIZE).fill(1);
  const results = await session.run({ x: new Tensor("float32", ones, shape) });
  await session.release();
  const sums = results["y"]!.data as Float32Array;
  // A cell inside the image: all its products are of ones.
  const found = -sums[SIZE + 1]!;
  return Math.abs(found - inner) < inner / 100 ? MOST_WEIGHT : SAFE_WEIGHT;
}
