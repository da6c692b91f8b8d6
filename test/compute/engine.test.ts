import { Worker } from "node:worker_threads";
import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, it } from "vitest";
import { ComputeUnavailable, type EngineOptions } from "../../src/compute/engine.ts";
import { openEngine } from "../../src/compute/open-engine.ts";
import { ROWS } from "../../src/compute/tensors.ts";

const failure = async (options: EngineOptions) => {
  try {
    await openEngine(options);
  } catch (error) {
    return error as ComputeUnavailable;
  }
  throw new Error(`opened with ${JSON.stringify(options)}`);
};

describe("openEngine", () => {
  it("takes onnx on the cpu by itself and says so", async () => {
    expect((await openEngine()).description).toBe("onnx on cpu, 1 thread");
    expect((await openEngine({ threads: 2 })).description).toBe("onnx on cpu, 2 threads");
  });

  it("opens tfjs when forced to", async () => {
    expect((await openEngine({ engine: "tfjs" })).description).toMatch(/^tfjs on /);
  });

  it("takes the backend of tfjs that is named, and no other in its place", async () => {
    const plain = await openEngine({ engine: "tfjs", backend: "cpu" });
    expect(plain.description).toBe("tfjs on cpu (reference, slow)");
    const native = await openEngine({ engine: "tfjs", backend: "node" }).catch((error: unknown) => error);
    if (native instanceof Error) {
      expect(native).toBeInstanceOf(ComputeUnavailable);
      expect(native.message).toMatch(/not available: .*install @tensorflow\/tfjs-node, or choose/);
    } else expect(native).toHaveProperty("description", "tfjs on tfjs-node");
  });

  it("refuses a backend of tfjs where tfjs is not what computes", async () => {
    for (const options of [{ backend: "cpu" }, { engine: "onnx", backend: "node-gpu" }] as const) {
      const refused = await failure(options);
      expect(refused).toBeInstanceOf(ComputeUnavailable);
      expect(refused.remedy).toMatch(/leave backend out/);
    }
  });

  it("says what is missing, why, and what to do", async () => {
    for (const options of [
      { engine: "tfjs", device: "webgpu" },
      { engine: "tfjs", backend: "node-gpu" },
    ] as const) {
      // Where the package is installed the engine opens, and there is nothing to say.
      const error = await failure(options).catch(() => undefined);
      if (options.device === "webgpu") expect(error).toBeDefined();
      if (error === undefined) continue;
      expect(error).toBeInstanceOf(ComputeUnavailable);
      expect(error._tag).toBe("ComputeUnavailable");
      for (const part of [error.what, error.why, error.remedy]) expect(part).not.toBe("");
    }
  });

  it("refuses a number of threads that is none", async () => {
    await expect(openEngine({ threads: 0 })).rejects.toThrow("threads");
  });
});

describe("a compiled function", () => {
  const double = async () =>
    (await openEngine()).compile(({ x }) => ({ y: tf.mul(x!, 2) }), { x: [ROWS, 3] });

  it("reads and writes shared memory in place, for any number of rows", async () => {
    const compiled = await double();
    const shared = new SharedArrayBuffer(4 * 24);
    const x = new Float32Array(shared, 0, 12).map((_, i) => i);
    new Float32Array(shared, 0, 12).set(x);
    const y = new Float32Array(shared, 48, 12);
    await compiled.run({ x: new Float32Array(shared, 0, 12) }, { y }, 2);
    expect([...y]).toEqual([0, 2, 4, 6, 8, 10, 0, 0, 0, 0, 0, 0]);
    await compiled.run({ x: new Float32Array(shared, 0, 12) }, { y }, 4);
    expect([...y]).toEqual([...x].map((value) => 2 * value));
    await compiled.dispose();
  });

  it("refuses arrays that are too short", async () => {
    const compiled = await double();
    const run = compiled.run({ x: new Float32Array(5) }, { y: new Float32Array(6) }, 2);
    await expect(run).rejects.toThrow("6 needed for 2 rows");
    await compiled.dispose();
  });
});

describe("worker threads", () => {
  it("compute independently of one another, several engines in each", async () => {
    const results = await Promise.all([1, 2].map((factor) => inWorker(factor)));
    expect(results).toEqual([
      [2, 3],
      [4, 6],
    ]);
  });
});

function inWorker(factor: number): Promise<unknown> {
  const worker = new Worker(new URL("compute-worker.ts", import.meta.url), { workerData: factor });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
