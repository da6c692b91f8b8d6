import { channelsFirstOf, emit, plainOf } from "../forms.ts";
import {
  FROM_CHANNELS_FIRST,
  isImage,
  type RecordedTensor,
  TO_CHANNELS_FIRST,
  uniform,
} from "../recorded-tensor.ts";
import { sameShape } from "../recording.ts";
import { sizeOf } from "../../tensors.ts";
import { axesOf, input, type KernelCall, type KernelMappings } from "./kernel.ts";

/** Kernels that rearrange elements or fill tensors with a constant. */
export const arrangementKernels: KernelMappings = {
  Reshape: (call) => view(input(call, "x"), call.attributes["shape"] as number[]),
  ExpandDims: (call) => {
    const x = input(call, "input");
    const [at] = axesOf(call.attributes["dim"], x.shape.length + 1) as [number];
    return view(x, x.shape.toSpliced(at, 0, 1));
  },
  Transpose: transpose,
  Concat: concat,
  Slice: slice,
  SplitV: split,
  Tile: ({ recording, inputs, attributes }) => {
    const x = inputs["x"]!;
    const repeats = attributes["reps"] as number[];
    const shape = x.shape.map((dimension, i) => dimension * repeats[i]!);
    return emit(recording, "Tile", [x, recording.graph.integers(repeats)], shape, {}, x.type);
  },
  PadV2: pad,
  Fill: fill,
};

/** Between tfjs's and ONNX's order of an image no node is written: the result is the image in its other form. */
function transpose(call: KernelCall): RecordedTensor {
  const { recording } = call;
  const x = input(call, "x");
  const permutation = call.attributes["perm"] as number[];
  if (sameShape(permutation, TO_CHANNELS_FIRST)) return recording.result(channelsFirstOf(recording, x));
  if (sameShape(permutation, FROM_CHANNELS_FIRST) && !isImage(x))
    return recording.image(plainOf(recording, x));
  return recording.result(recording.transposed(plainOf(recording, x), permutation));
}

/** The elements of a tensor in another shape. A node is written only if a kernel needs that shape. */
export function view(tensor: RecordedTensor, shape: readonly number[]): RecordedTensor {
  const known = shape.reduce((product, size) => (size < 0 ? product : product * size), 1);
  const full = shape.map((size) => (size < 0 ? sizeOf(tensor.shape) / known : size));
  if (sizeOf(full) !== sizeOf(tensor.shape))
    throw new RangeError(`[${tensor.shape.join(", ")}] has no shape [${shape.join(", ")}]`);
  const base = tensor.kind === "view" ? tensor.of : tensor;
  if (full.length === base.shape.length && full.every((size, i) => size === base.shape[i])) return base;
  return { kind: "view", shape: full, type: tensor.type, layer: tensor.layer, forms: {}, of: base };
}

function concat({ recording, inputs, attributes }: KernelCall): RecordedTensor {
  const parts = Object.values(inputs).filter((part) => sizeOf(part.shape) > 0);
  const [first] = parts as [RecordedTensor];
  const [axis] = axesOf(attributes["axis"], first.shape.length) as [number];
  const length = parts.reduce((sum, part) => sum + part.shape[axis]!, 0);
  return emit(recording, "Concat", parts, first.shape.with(axis, length), { axis }, first.type);
}

/** Consecutive parts of the given sizes along an axis: the gradient of a concatenation. */
function split({ recording, inputs, attributes }: KernelCall): RecordedTensor[] {
  const x = inputs["x"]!;
  const [axis] = axesOf(attributes["axis"], x.shape.length) as [number];
  const wanted = attributes["numOrSizeSplits"] as number | number[];
  const known = [wanted].flat().reduce((sum, size) => sum + Math.max(0, size), 0);
  const sizes = Array.isArray(wanted)
    ? wanted.map((size) => (size < 0 ? x.shape[axis]! - known : size))
    : Array.from({ length: wanted }, () => x.shape[axis]! / wanted);
  return sizes.map((size, i) => {
    const begin = x.shape
      .map(() => 0)
      .with(
        axis,
        sizes.slice(0, i).reduce((sum, each) => sum + each, 0),
      );
    return slice({
      recording,
      inputs: { x },
      attributes: { begin, size: x.shape.with(axis, size) },
    });
  });
}

function slice(call: KernelCall): RecordedTensor {
  const { recording, attributes } = call;
  const x = input(call, "x");
  const begin = [attributes["begin"] as number | number[]].flat();
  const size = [attributes["size"] as number | number[]].flat();
  const starts = x.shape.map((_, axis) => begin[axis] ?? 0);
  const shape = x.shape.map((dimension, axis) => {
    const wanted = size[axis] ?? -1;
    return wanted < 0 ? dimension - starts[axis]! : wanted;
  });
  const ends = starts.map((start, axis) => start + shape[axis]!);
  const { graph } = recording;
  return emit(recording, "Slice", [x, graph.integers(starts), graph.integers(ends)], shape, {}, x.type);
}

function pad(call: KernelCall): RecordedTensor {
  const { recording, attributes } = call;
  const x = input(call, "x");
  const paddings = attributes["paddings"] as [number, number][];
  const shape = x.shape.map((size, axis) => size + paddings[axis]![0] + paddings[axis]![1]);
  const amounts = [...paddings.map(([before]) => before), ...paddings.map(([, after]) => after)];
  const { graph } = recording;
  const value = graph.scalar((attributes["constantValue"] as number | undefined) ?? 0);
  return emit(recording, "Pad", [x, graph.integers(amounts), value], shape);
}

function fill({ recording, attributes }: KernelCall): RecordedTensor {
  const shape = attributes["shape"] as number[];
  const { graph } = recording;
  // An open dimension cannot be filled by a constant shape: nothing in a net needs it.
  if (shape.some((dimension) => graph.isOpen(dimension)))
    throw new Error("a tensor filled over the open number of rows");
  return uniform(shape, attributes["value"] as number);
}
