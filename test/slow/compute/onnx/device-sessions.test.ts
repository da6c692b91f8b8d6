import * as tf from "@tensorflow/tfjs-core";
import { Tensor } from "onnxruntime-node";
import { spawnSync } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import type { Device } from "../../../../src/compute/engine.ts";
import { createDeviceSession } from "../../../../src/compute/onnx/device-sessions.ts";
import { createSession } from "../../../../src/compute/onnx/session.ts";
import { traceFunction } from "../../../../src/compute/onnx/trace.ts";
import { startWorker } from "../../../../src/workers/worker-thread.ts";

/** On the CPU, which computes on any thread. */
const options = { executionProviders: ["cpu"], intraOpNumThreads: 1, logSeverityLevel: 4 } as const;
const { model } = traceFunction(
  ({ x }) => ({ double: tf.mul(x!, 2), square: tf.square(x!) }),
  { x: ["N", 2] },
  { name: "numbers" },
);
const numbers = Float32Array.of(1, 2, 3, 4);
const tensor = (data: Float32Array) => new Tensor("float32", data, [2, 2]);
const shared = () => new Float32Array(new SharedArrayBuffer(16));

it("a session in the thread of the device computes what one in this thread computes", async () => {
  const [here, there] = [await createSession(model, options), await createDeviceSession(model, options)];
  const x = tensor(numbers);
  const expected = await here.run({ x }, ["double", "square"]);
  const found = await there.run({ x }, ["square", "double"]);
  for (const name of ["double", "square"]) {
    expect(found[name]!.data).toEqual(expected[name]!.data);
    expect(found[name]!.dims).toEqual([2, 2]);
  }
  // Into memory of the caller: shared, its own, and a part of its own.
  const whole = new Float32Array(8);
  for (const data of [shared(), new Float32Array(4), whole.subarray(4)]) {
    const result = await there.run({ x }, { double: tensor(data) });
    expect([...data]).toEqual([2, 4, 6, 8]);
    expect(result["double"]!.data).toBe(data);
  }
  expect([...whole.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  // A part of an array, and shared memory, as inputs; the caller keeps them.
  const part = Float32Array.of(9, 9, ...numbers).subarray(2);
  const inputs = shared();
  inputs.set(numbers);
  for (const data of [part, inputs])
    expect([...((await there.run({ x: tensor(data) }, ["double"]))["double"]!.data as Float32Array)]).toEqual(
      [2, 4, 6, 8],
    );
  expect([...part]).toEqual([...numbers]);
  await Promise.all([here.release(), there.release()]);
});

it("many sessions are used at once, and an error is that of its own request", async () => {
  const sessions = await Promise.all([1, 2, 3].map(() => createDeviceSession(model, options)));
  const all = sessions.flatMap((session, i) => [
    session.run({ x: tensor(numbers.map((each) => each * i)) }, ["double"]),
    session.run({}, ["double"]),
  ]);
  const settled = await Promise.allSettled(all);
  for (const [i, result] of settled.entries())
    if (result.status === "rejected")
      expect([i % 2, String(result.reason)]).toEqual([1, expect.stringMatching(/input 'x' is missing/)]);
    else
      expect([...(result.value["double"]!.data as Float32Array)]).toEqual(
        [...numbers].map((each) => each * i),
      );
  expect(settled.filter(({ status }) => status === "rejected").length).toBe(3);
  await expect(createDeviceSession(Uint8Array.of(1, 2, 3), options)).rejects.toThrow(/protobuf|model/i);
  await Promise.all(sessions.map((session) => session.release()));
});

it("a thread that computes on webgpu is connected, another one says that it cannot", async () => {
  const told = async (device?: Device) => {
    const thread = startWorker<never, string>({
      name: "one",
      module: new URL("../../../compute/onnx/device-sessions-thread.ts", import.meta.url),
      data: {},
      ...(device === undefined ? {} : { device }),
    });
    onTestFinished(() => thread.stop());
    return await new Promise<string>((resolve) => thread.onMessage(resolve));
  };
  expect(await told("webgpu")).toBe("connected");
  for (const device of ["cpu", undefined] as const)
    expect(await told(device)).toMatch(
      /^onnx on webgpu is not available: .*call ludoflow from the main thread/,
    );
});

it("a process that ends in the middle of a computation ends as it wants to", () => {
  const { status, signal, stderr } = spawnSync(
    process.execPath,
    [new URL("../../../compute/onnx/device-exit-check.ts", import.meta.url).pathname],
    { encoding: "utf8" },
  );
  expect({ status, signal, stderr }).toEqual({ status: 3, signal: null, stderr: "" });
});
