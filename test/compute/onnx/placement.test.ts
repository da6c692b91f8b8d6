import * as tf from "@tensorflow/tfjs-core";
import { expect, it } from "vitest";
import { deviceGraph } from "../../../src/compute/onnx/device-graph.ts";
import { encodeModel } from "../../../src/compute/onnx/graph.ts";
import { namesOnCpu, openPlaced, placementText } from "../../../src/compute/onnx/placement.ts";
import { createSession } from "../../../src/compute/onnx/session.ts";
import { traceGraph } from "../../../src/compute/onnx/trace.ts";
import { Tensor } from "onnxruntime-node";

const place = (text: string) =>
  `2026-12-01 13:41:48 [V:onnxruntime:, session_state.cc:1383 VerifyEachNodeIsAssignedToAnEp]  ${text}`;
const log = [
  "2026-12-01 13:41:48 [V:onnxruntime:, session_state.cc:1377 VerifyEachNodeIsAssignedToAnEp] Node placements",
  place("Node(s) placed on [CPUExecutionProvider]. Number of nodes: 2"),
  place(" Slice (planes/Slice)"),
  place(" Cast (planes/Slice_3)"),
  place("Node(s) placed on [WebGpuExecutionProvider]. Number of nodes: 1"),
  place(" Add (add)"),
].join("\n");

it("reads which nodes the CPU computes from the log of ONNX Runtime", () => {
  expect(namesOnCpu(log)).toEqual(["planes/Slice", "planes/Slice_3"]);
  expect(namesOnCpu(place("All nodes placed on [WebGpuExecutionProvider]. Number of nodes: 1"))).toEqual([]);
  expect(namesOnCpu("")).toBeUndefined();
});

it("names them in the warning, the first ones of many", () => {
  expect(placementText(["a", "b"])).toMatch(/^webgpu has no kernels for 2 nodes \(a, b\) of a graph/);
  expect(placementText(Array.from({ length: 9 }, (_, i) => `n${i}`))).toContain(
    "9 nodes (n0, n1, n2, n3, n4, n5, n6, n7, ...)",
  );
});

it("opens a graph on the CPU as it is, and passes on an error that has another reason", async () => {
  const options = { executionProviders: ["cpu"] };
  const warn = () => expect.unreachable();
  expect(await openPlaced((given) => Promise.resolve(given), "", options, warn)).toBe(options);
  const failing = openPlaced(
    () => Promise.reject(new Error("no adapter")),
    "",
    { executionProviders: ["webgpu"] },
    warn,
  );
  await expect(failing).rejects.toThrow("no adapter");
});

it("a graph for the device slices integers as floats, and computes the same", async () => {
  const { graph } = traceGraph(
    ({ x }) => ({ y: tf.cast(tf.slice(x as tf.Tensor2D, [0, 1], [-1, 2]), "float32") }),
    { x: ["N", 4] },
    { types: { x: "uint8" } },
  );
  const changed = deviceGraph(graph);
  expect(changed.node!.length).toBe(graph.node!.length + 2);
  const x = new Tensor("uint8", Uint8Array.of(1, 2, 255, 4, 5, 6, 7, 8), [2, 4]);
  for (const each of [graph, changed]) {
    const session = await createSession(encodeModel(each), { executionProviders: ["cpu"] });
    expect([...((await session.run({ x }, ["y"]))["y"]!.data as Float32Array)]).toEqual([2, 255, 6, 7]);
    await session.release();
  }
});
