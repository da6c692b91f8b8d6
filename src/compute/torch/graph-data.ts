import { type AttributeProto, AttributeType, DataType, type GraphProto } from "../onnx/model-messages.ts";

/** A tensor in a payload: its type, its shape, and where its numbers begin, in bytes. */
export type PlacedTensor = readonly [type: string, shape: readonly number[], offset: number];

/** A node as plain data. */
interface NodeData {
  readonly op: string;
  readonly name: string;
  readonly layer: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A graph as plain data, without its constants; see `executor.py`. */
export interface GraphData {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly NodeData[];
}

/** The body of a loop, with the places of its constants. */
interface BodyData extends GraphData {
  readonly constants: Readonly<Record<string, PlacedTensor>>;
}

/** Numbers begin at multiples of this number of bytes, as vector instructions like it. */
const ALIGNMENT = 64;

/** Arrays laid end to end, each at an aligned place. */
export class Payload {
  readonly parts: Uint8Array[] = [];
  #length = 0;

  /** Adds the bytes of an array, which must not change until they are written; returns where they begin. */
  add(data: ArrayBufferView): number {
    const missing = -this.#length & (ALIGNMENT - 1);
    if (missing > 0) this.parts.push(new Uint8Array(missing));
    const offset = this.#length + missing;
    if (data.byteLength > 0) this.parts.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    this.#length = offset + data.byteLength;
    return offset;
  }
}

const typeNames: Readonly<Record<number, string>> = {
  [DataType.FLOAT]: "float32",
  [DataType.INT8]: "int8",
  [DataType.INT32]: "int32",
  [DataType.INT64]: "int64",
  [DataType.UINT8]: "uint8",
  [DataType.BOOL]: "bool",
};

/** The graph as plain data. */
export function graphData(graph: GraphProto, payload: Payload): GraphData {
  return {
    inputs: graph.input!.map(({ name }) => name!),
    outputs: graph.output!.map(({ name }) => name!),
    nodes: graph.node!.map((node) => ({
      op: node.domain ? `${node.domain}.${node.opType}` : node.opType!,
      name: node.name!,
      layer: node.docString ?? "",
      inputs: node.input!,
      outputs: node.output!,
      attributes: Object.fromEntries(
        (node.attribute ?? []).map((attribute) => [attribute.name!, valueOf(attribute, payload)]),
      ),
    })),
  };
}

/** The constants of a graph, added to the payload. */
export function placedConstants(graph: GraphProto, payload: Payload): Readonly<Record<string, PlacedTensor>> {
  return Object.fromEntries(
    (graph.initializer ?? []).map(({ name, dims, dataType, rawData }) => [
      name!,
      [typeNames[dataType!]!, dims!.map(Number), payload.add(rawData!)],
    ]),
  );
}

function valueOf(attribute: AttributeProto, payload: Payload): unknown {
  switch (attribute.type) {
    case AttributeType.INT:
      return Number(attribute.i);
    case AttributeType.FLOAT:
      return attribute.f;
    case AttributeType.STRING:
      return new TextDecoder().decode(attribute.s);
    case AttributeType.INTS:
      return attribute.ints!.map(Number);
    case AttributeType.GRAPH: {
      const body = attribute.g!;
      return { ...graphData(body, payload), constants: placedConstants(body, payload) } satisfies BodyData;
    }
    default:
      throw new Error(`the attribute ${attribute.name} is of a kind that no recorded graph has`);
  }
}
