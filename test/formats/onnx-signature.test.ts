import onnx from "onnx-proto";
import { describe, expect, it } from "vitest";
import { readSignature } from "../../src/formats/onnx-signature.ts";
import { Random } from "../../src/random.ts";
import { foreignModel } from "../models/onnx/foreign-model.ts";

const { ModelProto, TensorProto } = onnx.onnx;

/** The same by the library that reads whole models. */
function byLibrary(bytes: Uint8Array) {
  const { graph } = ModelProto.decode(bytes);
  const weights = new Set(graph!.initializer!.map(({ name }) => name));
  const valueOf = ({ name, type }: onnx.onnx.IValueInfoProto) => ({
    name,
    type: type!.tensorType!.elemType === TensorProto.DataType.FLOAT ? "float32" : "float16",
    shape: type!.tensorType!.shape!.dim!.map(({ dimParam, dimValue }) => dimParam || Number(dimValue)),
  });
  return {
    inputs: graph!.input!.filter(({ name }) => !weights.has(name)).map(valueOf),
    outputs: graph!.output!.map(valueOf),
    besides: [],
  };
}

const model = foreignModel({ shape: [3, 5, 4], actions: 6, values: 2 }, Random.named("signature"));

describe("the signature of a model", () => {
  it("is what a library reads", () => {
    const fixed = foreignModel(
      { shape: [2, 130, 3], batch: 70_000, actions: 3, values: 1, layout: "nhwc" },
      Random.named("large"),
    );
    for (const { bytes } of [model, fixed]) expect(readSignature(bytes)).toEqual(byLibrary(bytes));
  });

  it("leaves out weights that are listed as inputs, and names the files beside it", () => {
    const message = ModelProto.decode(model.bytes);
    const { graph } = message;
    for (const { name } of graph!.initializer!) graph!.input!.push({ name: name! });
    graph!.initializer![0]!.externalData = [
      { key: "location", value: "weights.bin" },
      { key: "offset", value: "0" },
    ];
    const { besides, inputs } = readSignature(ModelProto.encode(message).finish());
    expect(inputs.map(({ name }) => name)).toEqual(["board"]);
    expect(besides).toEqual(["weights.bin"]);
  });

  it("reports shapes and types that are open or of another kind", () => {
    const message = ModelProto.decode(model.bytes);
    const [input, output] = [message.graph!.input![0]!, message.graph!.output![0]!];
    input.type!.tensorType!.elemType = TensorProto.DataType.FLOAT16;
    input.type!.tensorType!.shape!.dim![0] = {};
    delete output.type!.tensorType!.shape;
    const { inputs, outputs } = readSignature(ModelProto.encode(message).finish());
    expect(inputs[0]).toEqual({ name: "board", type: "float16", shape: ["?", 3, 5, 4] });
    expect(outputs[0]!.shape).toBeUndefined();
  });

  it("is refused for bytes that are no model", () => {
    const random = Random.named("junk");
    for (let i = 0; i < 200; i++) {
      const length = random.below(60);
      const junk = Uint8Array.from({ length }, () => random.below(256));
      expect(() => readSignature(junk)).toThrow(RangeError);
      // A model that is cut off is told, or has no outputs left.
      expect(() => readSignature(model.bytes.subarray(0, random.below(model.bytes.length)))).toThrow(
        RangeError,
      );
    }
  });
});
