import { plainOf } from "./forms.ts";
import type { Tensor } from "@tensorflow/tfjs-core";
import type { CompileOptions, Shapes } from "../engine.ts";
import { failedLayer } from "../layer.ts";
import { type ElementType, encodeModel, type GraphValue } from "./graph.ts";
import type { GraphProto } from "./model-messages.ts";
import { inInt8, RANGES, rangesOf, SAFE_WEIGHT } from "./int8.ts";
import type { Recording } from "./recording.ts";
import { placeholder, record } from "./recording-backend.ts";
import {
  OPEN_WIDTH,
  ROWS,
  type Shape,
  type TensorFunction,
  type TensorsByName,
  type Weight,
  withSizes,
} from "../tensors.ts";

/** Represent the open dimensions while tracing: primes larger than any real dimension. */
const OPEN = { [ROWS]: 104_729, [OPEN_WIDTH]: 1_299_709 } as const;

/** A traced function as an ONNX graph. */
export interface TracedGraph {
  readonly graph: GraphProto;
  readonly outputs: Shapes;
}

/** A traced function as an ONNX model. */
export interface TracedFunction {
  readonly model: Uint8Array;
  readonly outputs: Shapes;
}

/** Traces a function; see `Engine.compile`. With `int8`, `mostWeight` is the largest quantised weight. */
export function traceFunction(
  fn: TensorFunction,
  shapes: Shapes,
  options: CompileOptions,
  mostWeight?: number,
): TracedFunction {
  const { graph, outputs } = traceGraph(fn, shapes, options, mostWeight);
  return { model: encodeModel(graph), outputs };
}

/** Traces a function, as `traceFunction` does. */
export function traceGraph(
  fn: TensorFunction,
  shapes: Shapes,
  { constants = new Map(), types = {}, int8, layers, name = "function", description = "" }: CompileOptions,
  mostWeight = SAFE_WEIGHT,
): TracedGraph {
  const symbols = new Set<number | string>(Object.values(shapes).flat());
  const open = Object.entries(OPEN).filter(([symbol]) => symbols.has(symbol));
  return record({ open: Object.fromEntries(open) }, (recording) => {
    const inputs: Record<string, Tensor> = {};
    for (const [key, shape] of Object.entries(shapes))
      inputs[key] = inputTensor(recording, key, withSizes(shape, OPEN.N, OPEN.M), types[key]);
    for (const [key, weight] of constants) inputs[key] = constantTensor(recording, key, weight);
    const wanted = graphValuesOf(
      recording,
      naming(() => fn(inputs)),
    );
    const outputs = layers === true ? { ...wanted, ...layerOutputs(recording, wanted) } : wanted;
    const graph = recording.graph.toGraph(name, description, outputs);
    if (int8 === "ranges") {
      const ranges = rangesOf(graph);
      return { graph: ranges.graph, outputs: { [RANGES]: [ROWS, ranges.width] } };
    }
    return {
      graph: int8 === undefined ? graph : inInt8(graph, int8, mostWeight),
      outputs: Object.fromEntries(Object.entries(outputs).map(([key, { shape }]) => [key, openShape(shape)])),
    };
  });
}

/** The prefix of outputs that are values of layers. */
export const LAYER = "layer/";

function layerOutputs(
  { graph }: Recording,
  outputs: Readonly<Record<string, GraphValue>>,
): Record<string, GraphValue> {
  return Object.fromEntries(
    Object.entries(graph.lastOfLayers(outputs)).map(([layer, value]) => [`${LAYER}${layer}`, value]),
  );
}

/** A tensor that represents an input of the graph. */
export function inputTensor(
  recording: Recording,
  name: string,
  shape: readonly number[],
  type?: ElementType,
): Tensor {
  return placeholder(recording, recording.input(name, shape, type));
}

function constantTensor(recording: Recording, name: string, { shape, data }: Weight): Tensor {
  return placeholder(recording, {
    kind: "constant",
    shape,
    type: "float32",
    layer: "",
    forms: {},
    name,
    data,
  });
}

/** The graph's values that the tensors represent. */
export function graphValuesOf(recording: Recording, tensors: TensorsByName): Record<string, GraphValue> {
  return Object.fromEntries(
    Object.entries(tensors).map(([key, tensor]) => [key, plainOf(recording, recording.get(tensor.dataId))]),
  );
}

function openShape(shape: readonly number[]): Shape {
  return shape.map((dimension) =>
    dimension === OPEN.N ? ROWS : dimension === OPEN.M ? OPEN_WIDTH : dimension,
  );
}

/** Adds the layer to errors that tfjs throws while a function is traced. */
export function naming<T>(trace: () => T): T {
  try {
    return trace();
  } catch (error) {
    const layer = failedLayer();
    if (error instanceof Error && layer !== "" && !error.message.includes(layer))
      error.message = `in layer ${layer}: ${error.message}`;
    throw error;
  }
}
