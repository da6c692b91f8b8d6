/** A named value of a model: an input, or an output. */
export interface ModelValue {
  readonly name: string;
  /** The type of its elements: `float32`. */
  readonly type: string;
  /** A number for each axis; text for an axis of any length; undefined if the model does not say its shape. */
  readonly shape: readonly (number | string)[] | undefined;
}

/** What a model says of itself. */
export interface ModelSignature {
  /** Without the weights, which models of early formats also list. */
  readonly inputs: readonly ModelValue[];
  readonly outputs: readonly ModelValue[];
  /** Files with weights beside the model's own file: paths relative to its folder. */
  readonly besides: readonly string[];
}

/** The names of ONNX's element types, by number (TensorProto.DataType). */
const elementTypes = [
  "undefined",
  "float32",
  "uint8",
  "int8",
  "uint16",
  "int16",
  "int32",
  "int64",
  "string",
  "bool",
  "float16",
  "float64",
  "uint32",
  "uint64",
  "complex64",
  "complex128",
  "bfloat16",
];

/**
 * Reads what an ONNX model says of its inputs and outputs. Weights are passed over, so it takes no time. Throws RangeError
 * if the bytes are no ONNX model.
 *
 * Source: onnx/onnx.proto of ONNX 1.16 (numbers of fields); Protocol Buffers, "Encoding".
 */
export function readSignature(bytes: Uint8Array): ModelSignature {
  const graph = lastPart(bytes, 7);
  if (graph === undefined) throw new RangeError("it has no graph");
  const initialisers = new Set<string>();
  const besides = new Set<string>();
  const inputs: ModelValue[] = [];
  const outputs: ModelValue[] = [];
  for (const { field, part } of fieldsOf(graph)) {
    if (part === undefined) continue;
    if (field === 5) readInitialiser(part, initialisers, besides);
    else if (field === 11) inputs.push(valueOf(part));
    else if (field === 12) outputs.push(valueOf(part));
  }
  if (outputs.length === 0) throw new RangeError("its graph has no outputs");
  return {
    inputs: inputs.filter(({ name }) => !initialisers.has(name)),
    outputs,
    besides: [...besides].toSorted(),
  };
}

/** The name of a weight (TensorProto), and the file that holds its numbers. */
function readInitialiser(tensor: Uint8Array, names: Set<string>, files: Set<string>): void {
  for (const { field, part } of fieldsOf(tensor)) {
    if (part === undefined) continue;
    if (field === 8) names.add(text(part));
    if (field === 13 && text(lastPart(part, 1)) === "location") files.add(text(lastPart(part, 2)));
  }
}

function valueOf(info: Uint8Array): ModelValue {
  const name = text(lastPart(info, 1));
  const type = lastPart(info, 2);
  const tensor = type === undefined ? undefined : lastPart(type, 1);
  if (tensor === undefined) return { name, type: "no tensor", shape: undefined };
  let element = 0;
  let shape: (number | string)[] | undefined;
  for (const { field, part, number } of fieldsOf(tensor)) {
    if (field === 1) element = number;
    if (field === 2 && part !== undefined) shape = shapeOf(part);
  }
  return { name, type: elementTypes[element] ?? `type ${element}`, shape };
}

function shapeOf(shape: Uint8Array): (number | string)[] {
  const axes: (number | string)[] = [];
  for (const { field, part } of fieldsOf(shape)) {
    if (field !== 1 || part === undefined) continue;
    let axis: number | string = "?";
    for (const of of fieldsOf(part))
      if (of.field === 1) axis = of.number;
      else if (of.field === 2 && of.part !== undefined) axis = text(of.part) || "?";
    axes.push(axis);
  }
  return axes;
}

/** A field of a message: a number, or the bytes of a part. */
interface Field {
  readonly field: number;
  readonly number: number;
  readonly part: Uint8Array | undefined;
}

/** The fields of a message in the encoding of Protocol Buffers. Throws RangeError if the bytes are none. */
function* fieldsOf(message: Uint8Array): Generator<Field, void> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) throw new RangeError("it ends in the middle of a number");
      // Bits from the 54th on are lost. Only negative numbers have them, and none is read here.
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("it has a number of more than 64 bits");
  };
  while (at < message.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    let number = 0;
    let length = 0;
    let part: Uint8Array | undefined;
    switch (key % 8) {
      case 0:
        number = varint();
        break;
      case 1:
        length = 8;
        break;
      case 2:
        length = varint();
        part = message.subarray(at, at + length);
        break;
      case 5:
        length = 4;
        break;
      default:
        throw new RangeError("it is not in the encoding of Protocol Buffers");
    }
    if (field === 0 || at + length > message.length)
      throw new RangeError("it is cut off, or of another format");
    at += length;
    yield { field, number, part };
  }
}

/** The bytes of the last field with this number: earlier ones do not count. */
function lastPart(message: Uint8Array, wanted: number): Uint8Array | undefined {
  let last: Uint8Array | undefined;
  for (const { field, part } of fieldsOf(message)) if (field === wanted) last = part ?? last;
  return last;
}

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}
