import * as tf from "@tensorflow/tfjs-core";
import type { Compiled, CompileOptions, Engine, Shapes } from "../../compute/engine.ts";
import { inLayer } from "../../compute/layer.ts";
import { traceFunction } from "../../compute/onnx/trace.ts";
import {
  OPEN_WIDTH,
  ROWS,
  type TensorFunction,
  type TensorsByName,
  type Weight,
} from "../../compute/tensors.ts";
import type { Inference, Net } from "../net.ts";
import { gatherAmong } from "./gather-logits.ts";
import { packedShapes, packedTypes, unpackPlanes } from "./packed-input.ts";

/**
 * Compiles the net with these weights folded in; a net that is a model of others opens that. With `int8` convolutions are computed
 * in 8-bit integers, by the ranges of activations (`int8Ranges`). Throws ModelFailed, NetDoesNotFit.
 */
export async function openInference(
  engine: Engine,
  net: Net,
  weights: ReadonlyMap<string, Float32Array>,
  int8?: Float32Array,
): Promise<Inference> {
  if (net.model !== undefined) return net.model.open(engine);
  const compiled = await compileEvaluation(engine, net, weights, int8 === undefined ? {} : { int8 });
  return {
    run: ({ bytes, floats, gather, width }, rows, out) =>
      compiled.run({ bytes, floats, gather }, { ...out }, rows, width),
    dispose: () => compiled.dispose(),
  };
}

/** Compiles values and priors of packed positions, with these weights folded in. */
export function compileEvaluation(
  engine: Engine,
  net: Net,
  weights: ReadonlyMap<string, Float32Array>,
  options: Pick<CompileOptions, "int8" | "layers">,
): Promise<Compiled> {
  const hasPolicy = net.actions !== undefined;
  const shapes: Shapes = {
    ...packedShapes(net, ROWS),
    ...(hasPolicy ? { gather: [ROWS, OPEN_WIDTH] } : {}),
  };
  return engine.compile(evaluation(net), shapes, {
    constants: constantsOf(net, weights),
    types: { ...packedTypes, gather: "int32" },
    ...options,
    name: net.name,
  });
}

/**
 * The inference graph with its weights as an ONNX model: input `x`, [rows, height, width, channels], outputs `value`,
 * [rows, seats], and `policy`, [rows, actions], the logit of each action.
 */
export function exportOnnx(net: Net, weights: ReadonlyMap<string, Float32Array>): Uint8Array {
  return traceFunction(
    plainOutputs(net),
    { x: [ROWS, ...net.input] },
    {
      constants: constantsOf(net, weights),
      name: net.name,
      description: describe(net),
    },
  ).model;
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

/** The outputs of the heads that a net has. */
export function present(outputs: Readonly<Record<string, tf.Tensor | undefined>>): TensorsByName {
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([name, output]) => (output === undefined ? [] : [[name, output]])),
  );
}

/** Values and logits of planes `x`. */
function plainOutputs(net: Net): TensorFunction {
  return (inputs) => {
    const { value, policy } = net.forward(inputs, inputs["x"] as tf.Tensor4D, false);
    if (policy === undefined || net.logitOf === undefined) return present({ value, policy });
    return present({ value, policy: tf.gather(policy, tf.tensor1d(net.logitOf, "int32"), 1) });
  };
}

/** Values and priors of packed positions. */
function evaluation(net: Net): TensorFunction {
  return (inputs) => {
    const { value, policy } = net.forward(inputs, unpackPlanes(net, inputs), false);
    if (policy === undefined) return present({ value });
    const prior = inLayer("prior", () => tf.softmax(gatherAmong(policy, inputs["gather"]!)));
    return present({ value, prior });
  };
}

function describe(net: Net): string {
  const heads = [
    ...(net.hasValue === false ? [] : [`${net.seats} values`]),
    ...(net.actions === undefined ? [] : [`logits over ${net.actions} actions`]),
  ];
  return `${net.name}: planes [N, ${net.input.join(", ")}] to ${heads.join(" and ")}`;
}
