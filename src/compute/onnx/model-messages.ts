import { encodeMessage, type MessageFields } from "../../formats/protobuf.ts";

/**
 * The messages of ONNX as far as recorded graphs need them.
 *
 * Source: onnx/onnx.proto of ONNX 1.16 (names and numbers of fields).
 */
export interface ModelProto {
  readonly irVersion: number;
  readonly producerName: string;
  readonly graph: GraphProto;
  readonly opsetImport: readonly { readonly domain: string; readonly version: number }[];
}

export interface GraphProto {
  node?: NodeProto[];
  name?: string;
  initializer?: TensorProto[];
  docString?: string;
  input?: ValueInfoProto[];
  output?: ValueInfoProto[];
  valueInfo?: ValueInfoProto[];
}

export interface NodeProto {
  /** An input that is left out has an empty name. */
  input?: string[];
  output?: string[];
  name?: string;
  opType?: string;
  attribute?: AttributeProto[];
  docString?: string;
  domain?: string;
}

export interface AttributeProto {
  name?: string;
  f?: number;
  i?: number;
  s?: Uint8Array;
  g?: GraphProto;
  ints?: number[];
  type?: number;
}

export interface TensorProto {
  dims?: number[];
  dataType?: number;
  name?: string;
  /** Little-endian, row by row. */
  rawData?: Uint8Array;
}

export interface ValueInfoProto {
  name?: string;
  type?: {
    tensorType?: {
      elemType?: number;
      shape?: { dim?: { dimValue?: number; dimParam?: string }[] };
    };
  };
}

/** TensorProto.DataType. */
export const DataType = { FLOAT: 1, UINT8: 2, INT8: 3, INT32: 6, INT64: 7, BOOL: 9 } as const;

/** AttributeProto.AttributeType. */
export const AttributeType = { FLOAT: 1, INT: 2, STRING: 3, GRAPH: 5, INTS: 7 } as const;

const dimension: MessageFields = { dimValue: [1, "int"], dimParam: [2, "string"] };
const shape: MessageFields = { dim: [1, () => dimension] };
const tensorType: MessageFields = { elemType: [1, "int"], shape: [2, () => shape] };
const type: MessageFields = { tensorType: [1, () => tensorType] };
const valueInfo: MessageFields = { name: [1, "string"], type: [2, () => type] };
const tensor: MessageFields = {
  dims: [1, "int"],
  dataType: [2, "int"],
  name: [8, "string"],
  rawData: [9, "bytes"],
};
const attribute: MessageFields = {
  name: [1, "string"],
  f: [2, "float"],
  i: [3, "int"],
  s: [4, "bytes"],
  g: [6, () => graph],
  ints: [8, "int"],
  type: [20, "int"],
};
const node: MessageFields = {
  input: [1, "string"],
  output: [2, "string"],
  name: [3, "string"],
  opType: [4, "string"],
  attribute: [5, () => attribute],
  docString: [6, "string"],
  domain: [7, "string"],
};
const graph: MessageFields = {
  node: [1, () => node],
  name: [2, "string"],
  initializer: [5, () => tensor],
  docString: [10, "string"],
  input: [11, () => valueInfo],
  output: [12, () => valueInfo],
  valueInfo: [13, () => valueInfo],
};
const opset: MessageFields = { domain: [1, "string"], version: [2, "int"] };
const model: MessageFields = {
  irVersion: [1, "int"],
  producerName: [2, "string"],
  graph: [7, () => graph],
  opsetImport: [8, () => opset],
};

/** A model in ONNX's binary form. */
export function modelBytes(message: ModelProto): Uint8Array {
  return encodeMessage(message, model);
}
