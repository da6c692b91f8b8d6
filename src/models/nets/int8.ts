import type { CompileOptions, Engine } from "../../compute/engine.ts";
import { traceFunction } from "../../compute/onnx/trace.ts";
import { ROWS, sizeOf, type TensorFunction, type Weight } from "../../compute/tensors.ts";
import type { PackedRows } from "../../games/packed-planes.ts";
import type { Inference, InferenceBatch, Net } from "../net.ts";
import { constantsOf, present } from "./inference.ts";
import { packedShapes, packedTypes, unpackPlanes } from "./packed-input.ts";

/** Rows in a batch: the activations of a batch are in memory at once. */
const BATCH = 32;

/** Number of activations of a net that are quantised in int8; 0 for a net without a convolution that is computed so. */
export function int8Activations(net: Net): number {
  const constants = net.parameters.map(({ name, shape }): [string, Weight] => [
    name,
    { shape, data: new Float32Array(sizeOf(shape)) },
  ]);
  const { outputs } = traceFunction(headsOf(net), packedShapes(net, ROWS), {
    ...rangesOptions(net),
    constants: new Map(constants),
  });
  return (outputs["ranges"]![1] as number) / 2;
}

/**
 * The least and the greatest number of each activation that is quantised in int8, over the first rows of some positions.
 */
export async function int8Ranges(
  engine: Engine,
  net: Net,
  weights: ReadonlyMap<string, Float32Array>,
  positions: PackedRows,
  rows: number,
): Promise<Float32Array> {
  if (int8Activations(net) === 0) return new Float32Array(0);
  const options = { ...rangesOptions(net), constants: constantsOf(net, weights) };
  const compiled = await engine.compile(headsOf(net), packedShapes(net, ROWS), options);
  try {
    const width = compiled.outputs["ranges"]![1] as number;
    const result = Float32Array.from({ length: width }, (_, i) => (i % 2 === 0 ? Infinity : -Infinity));
    const ranges = new Float32Array(BATCH * width);
    for (let first = 0; first < rows; first += BATCH) {
      const count = Math.min(BATCH, rows - first);
      await compiled.run({ ...rowsFrom(net, positions, first) }, { ranges }, count);
      for (let i = 0; i < count * width; i++) {
        const at = i % width;
        result[at] = at % 2 === 0 ? Math.min(result[at]!, ranges[i]!) : Math.max(result[at]!, ranges[i]!);
      }
    }
    return result;
  } finally {
    await compiled.dispose();
  }
}

/** The differences between evaluations in int8 and in float32, means over positions. */
export interface Int8Error {
  /** Absolute difference of values, in units of the net's values; NaN without a value head. */
  readonly value: number;
  /** Kullback-Leibler divergence of the priors in int8 from those in float32, in nats; NaN without a policy. */
  readonly divergence: number;
  /** Share of positions whose most probable move is equal; NaN without a policy. */
  readonly equalMoves: number;
}

/** Compares evaluations of the first rows of a batch. */
export async function int8Error(
  net: Net,
  float32: Inference,
  int8: Inference,
  batch: InferenceBatch,
  rows: number,
): Promise<Int8Error> {
  const { width } = batch;
  const values = () => new Float32Array(BATCH * net.seats);
  const priors = () => new Float32Array(BATCH * width);
  const exact = { value: values(), prior: priors() };
  const rounded = { value: values(), prior: priors() };
  let [value, divergence, equal] = [0, 0, 0];
  for (let first = 0; first < rows; first += BATCH) {
    const count = Math.min(BATCH, rows - first);
    const part = { ...batch, ...rowsFrom(net, batch, first), gather: batch.gather.subarray(first * width) };
    await float32.run(part, count, exact);
    await int8.run(part, count, rounded);
    for (let i = 0; i < count * net.seats; i++) value += Math.abs(exact.value[i]! - rounded.value[i]!);
    for (let row = 0; row < count; row++) {
      const [p, q] = [exact, rounded].map(({ prior }) => prior.subarray(row * width, (row + 1) * width)) as [
        Float32Array,
        Float32Array,
      ];
      if (greatest(p) === greatest(q)) equal++;
      divergence += p.reduce((sum, each, i) => (each > 0 ? sum + each * Math.log(each / q[i]!) : sum), 0);
    }
  }
  const policy = net.actions !== undefined;
  return {
    value: net.hasValue === false ? NaN : value / (rows * net.seats),
    divergence: policy ? divergence / rows : NaN,
    equalMoves: policy ? equal / rows : NaN,
  };
}

/** The outputs of the heads for packed positions. */
function headsOf(net: Net): TensorFunction {
  return (inputs) => {
    const { value, policy } = net.forward(inputs, unpackPlanes(net, inputs), false);
    return present({ value, policy });
  };
}

function rangesOptions(net: Net): CompileOptions {
  return { types: packedTypes, int8: "ranges", name: `${net.name} ranges` };
}

/** The positions from a row on. */
function rowsFrom(net: Net, { bytes, floats }: PackedRows, first: number): PackedRows {
  const { bytes: [, byteWidth] = [0, 0], floats: [, floatWidth] = [0, 0] } = packedShapes(net, 0);
  return { bytes: bytes.subarray(first * byteWidth), floats: floats.subarray(first * floatWidth) };
}

function greatest(numbers: Float32Array): number {
  return numbers.reduce((best, each, i) => (each > numbers[best]! ? i : best), 0);
}
