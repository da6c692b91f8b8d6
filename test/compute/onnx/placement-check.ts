import * as tf from "@tensorflow/tfjs-core";
import { Tensor } from "onnxruntime-node";
import { createDeviceSession } from "../../../src/compute/onnx/device-sessions.ts";
import { traceFunction } from "../../../src/compute/onnx/trace.ts";

/** Opens a graph on WebGPU that has a node without a kernel there, a slice of integers, and prints what it computes. */
const { model } = traceFunction(
  ({ x }) => ({ y: tf.cast(tf.slice(x as tf.Tensor2D, [0, 1], [-1, 2]), "float32") }),
  { x: ["N", 4] },
  { types: { x: "uint8" } },
);
const session = await createDeviceSession(model, {
  executionProviders: ["webgpu", "cpu"],
  logSeverityLevel: 3,
});
const x = new Tensor("uint8", Uint8Array.of(1, 2, 255, 4), [1, 4]);
console.log([...((await session.run({ x }, ["y"]))["y"]!.data as Float32Array)].join());
await session.release();
