import * as tf from "@tensorflow/tfjs-core";
import type { InferenceSession } from "onnxruntime-node";
import { expect, it } from "vitest";
import type { GradStep, GradStepOptions, LossFunction } from "../../../src/compute/engine.ts";
import { createResidentSession } from "../../../src/compute/onnx/resident-session.ts";
import { openResidentTraining } from "../../../src/compute/onnx/resident-training.ts";
import { createSession } from "../../../src/compute/onnx/session.ts";
import { traceStep } from "../../../src/compute/onnx/training.ts";
import { openTrainingSession } from "../../../src/compute/onnx/training-session.ts";
import { optimiser } from "../../../src/compute/optimiser.ts";
import { loadGradients } from "../../../src/compute/tfjs/gradients.ts";

/** On the CPU, whose values are the same; `test/trust/compute/webgpu.test.ts` has the device. */
const cpu: InferenceSession.SessionOptions = { executionProviders: ["cpu"], intraOpNumThreads: 1 };

const loss: LossFunction = ({ fixed, weights }, { x }) => ({
  total: tf.mean(tf.square(tf.sub(tf.add(tf.dot(x as tf.Tensor2D, weights!), fixed!), 1))),
  parts: { size: tf.sum(tf.abs(weights!)) },
  state: {},
});

const options: GradStepOptions = {
  parameters: new Map([
    ["weights", { shape: [3], data: Float32Array.of(0.1, -0.2, 0.3) }],
    ["fixed", { shape: [], data: Float32Array.of(0.5) }],
  ]),
  trained: new Set(["weights"]),
  inputs: { x: [2, 3] },
  averaging: 0.5,
};

const x = Float32Array.from({ length: 18 }, (_, i) => Math.sin(i));

/** The losses of three steps in two calls, and everything that is kept after them. */
async function learned(training: GradStep) {
  const first = await training.steps({ x: x.subarray(0, 12) }, Float32Array.of(0.1, 0.05));
  const second = await training.steps({ x: x.subarray(12) }, Float32Array.of(0.1));
  const kept = [...(await training.parameters()), ...(await training.optimiserState())];
  await training.dispose();
  return {
    losses: Object.fromEntries(
      Object.keys(first).map((name) => [name, [...first[name]!, ...second[name]!].map(Math.fround)]),
    ),
    kept: Object.fromEntries(kept.map(([name, { data, shape }]) => [name, { data: [...data], shape }])),
  };
}

it("steps without a loop learn what steps in a loop learn", async () => {
  await loadGradients();
  const adam = optimiser({ use: "adam" });
  const inLoop = await openTrainingSession(
    (model) => createSession(model, cpu),
    loss,
    adam,
    options,
    undefined,
  );
  const resident = await openResidentTraining(createResidentSession, cpu, loss, adam, options);
  const [expected, found] = [await learned(inLoop), await learned(resident)];
  expect(Object.keys(found.kept).toSorted()).toEqual(Object.keys(expected.kept).toSorted());
  expect(found).toEqual(expected);
  expect(found.kept["weights"]!.data).not.toEqual([...options.parameters.get("weights")!.data]);
  expect(found.kept["fixed"]!.data).toEqual([0.5]);
});

it("a step is a graph without a loop, and without nodes that copy what it leaves unchanged", async () => {
  await loadGradients();
  const { graph } = traceStep(loss, optimiser({ use: "sgd" }), options);
  const operators = graph.node!.map(({ opType }) => opType);
  expect(operators).not.toContain("Loop");
  expect(graph.output!.map(({ name }) => name)).not.toContain("new/parameters/fixed");
  expect(graph.input!.map(({ name }) => name)).toContain("parameters/fixed");
});

it("a minibatch that is too short is refused", async () => {
  await loadGradients();
  const training = await openResidentTraining(
    createResidentSession,
    cpu,
    loss,
    optimiser({ use: "sgd" }),
    options,
  );
  await expect(training.steps({ x: x.subarray(0, 11) }, Float32Array.of(1, 1))).rejects.toThrow(
    "x: 11 numbers, 12 needed for step 2",
  );
  await training.dispose();
});
