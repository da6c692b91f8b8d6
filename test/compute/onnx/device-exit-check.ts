/** Ends with exit code 3 in the middle of a computation of the thread of the device, which has more to do. */
import * as tf from "@tensorflow/tfjs-core";
import { Tensor } from "onnxruntime-node";
import { setTimeout } from "node:timers/promises";
import { createDeviceSession } from "../../../src/compute/onnx/device-sessions.ts";
import { traceFunction } from "../../../src/compute/onnx/trace.ts";

const SIZE = 1024;
const { model } = traceFunction(
  ({ x }) => {
    let y = x as tf.Tensor2D;
    for (let i = 0; i < 6; i++) y = tf.matMul(y, x as tf.Tensor2D);
    return { y };
  },
  { x: [SIZE, SIZE] },
  { name: "products" },
);
const session = await createDeviceSession(model, { executionProviders: ["cpu"], intraOpNumThreads: 1 });
const x = new Tensor("float32", new Float32Array(SIZE * SIZE), [SIZE, SIZE]);
const [first] = Array.from({ length: 5 }, () => session.run({ x }, ["y"]));
await first;
// The second one has begun meanwhile, and takes several times as long.
await setTimeout(30);
process.exit(3);
