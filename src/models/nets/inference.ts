import type { Tensor4D } from "@tensorflow/tfjs-core";
import type { Compiled, Engine } from "../../compute/engine.ts";
import { traceFunction } from "../../compute/onnx/trace.ts";
import { ROWS, type TensorFunction, type Weight } from "../../compute/tensors.ts";
import type { Net } from "../net.ts";

/** A net with fixed weights, ready to evaluate batches. */
export interface Inference {
  /**
   * Evaluates the first `rows` positions of `x` (row-major [rows, height, width, channels]).
   *
   * Writes values [rows, seats] and, if `out.policy` is given, logits [rows, logits]. The arrays may be longer than needed
   * and may lie in shared memory. They belong to the caller again when the promise settles; until then the thread is busy.
   */
  run(x: Float32Array, rows: number, out: InferenceOutputs): Promise<void>;
  dispose(): Promise<void>;
}

/** The arrays that receive the outputs. */
export interface InferenceOutputs {
  readonly value: Float32Array;
  readonly policy?: Float32Array;
}

/** Compiles the net with these weights folded in. */
export async function openInference(
  engine: Engine,
  net: Net,
  weights: ReadonlyMap<string, Float32Array>,
): Promise<Inference> {
  const compiled: Compiled = await engine.compile(inferenceFunction(net), inputShapes(net), {
    constants: constantsOf(net, weights),
    name: net.name,
  });
  return {
    run: (x, rows, out) => compiled.run({ x }, { ...out }, rows),
    dispose: () => compiled.dispose(),
  };
}

/** The inference graph with its weights as an ONNX model: input `x`, outputs `value` and `policy`. */
export function exportOnnx(net: Net, weights: ReadonlyMap<string, Float32Array>): Uint8Array {
  return traceFunction(inferenceFunction(net), inputShapes(net), {
    constants: constantsOf(net, weights),
    name: net.name,
    description: describe(net),
  }).model;
}

/** The weights with their shapes. Throws RangeError if weights are missing or have the wrong size. */
export function constantsOf(net: Net, weights: ReadonlyMap<string, Float32Array>): Map<string, Weight> {
  return new Map(
    net.parameters.map(({ name, shape }) => {
      const data = weights.get(name);
      const size = shape.reduce((product, dimension) => product * dimension, 1);
      if (data?.length !== size)
        throw new RangeError(
          `the net ${net.name} needs ${size} numbers for ${name}, not ${data?.length ?? "none"}`,
        );
      return [name, { shape, data }];
    }),
  );
}

function inferenceFunction(net: Net): TensorFunction {
  return (inputs) => {
    const { value, policy } = net.forward(inputs, inputs["x"] as Tensor4D, false);
    return policy === undefined ? { value } : { value, policy };
  };
}

function inputShapes(net: Net) {
  return { x: [ROWS, ...net.input] } as const;
}

function describe(net: Net): string {
  const heads = net.actions === undefined ? "" : ` and logits over ${net.actions} actions`;
  return `${net.name}: planes [N, ${net.input.join(", ")}] to ${net.seats} values${heads}`;
}
