/** A thread with a session of its own, made and run directly: says how many rows a second it computes. */
import { parentPort, workerData } from "node:worker_threads";
import { InferenceSession, Tensor } from "onnxruntime-node";

/** What the thread is started with. */
export interface RawSessionData {
  /** The ONNX graph. */
  readonly model: Uint8Array;
  /** Threads of the session. */
  readonly threads: number;
  /** Row-major [rows, ...shape]: its input `x`. */
  readonly x: Float32Array;
  readonly shape: readonly number[];
}

const { model, threads, x, shape } = workerData as RawSessionData;
const session = await InferenceSession.create(model, {
  intraOpNumThreads: threads,
  graphOptimizationLevel: "all",
});
const rows = x.length / shape.reduce((product, size) => product * size, 1);
const feeds = { x: new Tensor("float32", x, [rows, ...shape]) };
const outputs = await session.run(feeds);
parentPort!.on("message", (milliseconds: number) => {
  const compute = async () => {
    const start = performance.now();
    let computed = 0;
    while (performance.now() - start < milliseconds) {
      await session.run(feeds, outputs);
      computed += rows;
    }
    parentPort!.postMessage(computed);
  };
  void compute();
});
parentPort!.postMessage(0);
