import onnx from "onnx-proto";
import { describe, expect, it } from "vitest";
import {
  AttributeType,
  DataType,
  type ModelProto,
  modelBytes,
} from "../../src/compute/onnx/model-messages.ts";
import { encodeMessage } from "../../src/formats/protobuf.ts";
import { eventType } from "./event-type.ts";

const model: ModelProto = {
  irVersion: 8,
  producerName: "ludoflow",
  opsetImport: [
    { domain: "", version: 16 },
    { domain: "com.example", version: 1 },
  ],
  graph: {
    name: "a graph",
    docString: "größer",
    node: [
      { name: "sum", opType: "ReduceSum", input: ["x", ""], output: ["y"], attribute: [] },
      {
        name: "loop",
        opType: "Loop",
        domain: "com.example",
        input: [],
        output: ["z"],
        attribute: [
          { name: "axes", type: AttributeType.INTS, ints: [-1, 0, 1, 127, 128, 300, 2 ** 40, -(2 ** 40)] },
          { name: "none", type: AttributeType.INTS, ints: [] },
          { name: "i", type: AttributeType.INT, i: -(2 ** 53) + 1 },
          { name: "zero", type: AttributeType.INT, i: 0 },
          { name: "f", type: AttributeType.FLOAT, f: 0.1 },
          { name: "s", type: AttributeType.STRING, s: new TextEncoder().encode("same") },
          { name: "body", type: AttributeType.GRAPH, g: { name: "inner", node: [] } },
        ],
      },
    ],
    initializer: [
      { name: "w", dims: [2, 1], dataType: DataType.FLOAT, rawData: new Uint8Array(300).fill(7) },
      { name: "scalar", dims: [], dataType: DataType.INT64, rawData: new Uint8Array(8) },
    ],
    input: [
      {
        name: "x",
        type: {
          tensorType: {
            elemType: DataType.BOOL,
            shape: { dim: [{ dimParam: "rows" }, { dimValue: 0 }, { dimValue: 1_299_709 }] },
          },
        },
      },
    ],
    output: [],
  },
};

describe("messages of Protocol Buffers", () => {
  it("are the bytes of protobufjs, for models of ONNX", () => {
    const { ModelProto } = onnx.onnx;
    expect(Buffer.from(modelBytes(model))).toEqual(Buffer.from(ModelProto.encode(model as object).finish()));
  });

  it("name types by the numbers of ONNX", () => {
    expect(onnx.onnx.TensorProto.DataType).toMatchObject(DataType);
    expect(onnx.onnx.AttributeProto.AttributeType).toMatchObject(AttributeType);
  });

  it("are the bytes of protobufjs, for doubles and steps beyond 32 bits", () => {
    const event = {
      wallTime: 1.7e9 + 0.25,
      step: 2 ** 45 + 3,
      summary: { value: [{ tag: "a", simpleValue: NaN }] },
    };
    const value = { tag: [1, "string"], simpleValue: [2, "float"] } as const;
    const fields = {
      wallTime: [1, "double"],
      step: [2, "int"],
      summary: [5, () => ({ value: [1, () => value] }) as const],
    } as const;
    expect(Buffer.from(encodeMessage(event, fields))).toEqual(Buffer.from(eventType.encode(event).finish()));
  });
});
