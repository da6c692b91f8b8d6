import * as tf from "@tensorflow/tfjs-core";
import { ComputeUnavailable, type Device } from "../../src/compute/engine.ts";
import { openEngine } from "../../src/compute/open-engine.ts";
import { optimiser } from "../../src/compute/optimiser.ts";
import { sizeOf, type Tensors } from "../../src/compute/tensors.ts";
import { Random } from "../../src/random.ts";
import { normals, relativeError } from "./agreement.ts";

/** A training step of a convolution and a dense layer on WebGPU beside the same on the CPU; prints one line. */
const shapes = { filter: [3, 3, 2, 4], matrix: [64, 5] };
const rows = 3;

async function trained(device: Device): Promise<Float32Array[]> {
  const random = Random.named("webgpu");
  const engine = await openEngine({ engine: "onnx", device });
  const program = await engine.gradStep(
    ({ filter, matrix }: Tensors, { x, y }: Tensors) => {
      const image = tf.relu(tf.conv2d(x as tf.Tensor4D, filter as tf.Tensor4D, 1, "same"));
      const flat = tf.reshape<tf.Rank.R2>(image, [rows, 64]);
      const error = tf.sub(tf.matMul(flat, matrix as tf.Tensor2D), y!);
      return { total: tf.mean<tf.Scalar>(tf.square(error)), parts: {}, state: {} };
    },
    optimiser({ use: "sgd" }),
    {
      parameters: new Map(
        Object.entries(shapes).map(([name, shape]) => [
          name,
          { shape, data: normals(random, sizeOf(shape)) },
        ]),
      ),
      trained: new Set(Object.keys(shapes)),
      inputs: { x: [rows, 4, 4, 2], y: [rows, 5] },
    },
  );
  const batch = { x: normals(random, 2 * rows * 32), y: normals(random, 2 * rows * 5) };
  const losses = await program.steps(batch, Float32Array.of(0.01, 0.01));
  const weights = [...(await program.parameters()).values()].map(({ data }) => data);
  return [losses["total"]!, ...weights];
}

try {
  const [cpu, gpu] = [await trained("cpu"), await trained("webgpu")];
  const error = Math.max(...gpu.map((values, i) => relativeError(values, cpu[i]!)));
  console.log(error < 1e-4 ? `agrees: relative error ${error}` : `differs: relative error ${error}`);
} catch (error) {
  console.log(error instanceof ComputeUnavailable ? `ComputeUnavailable: ${error.message}` : String(error));
}
