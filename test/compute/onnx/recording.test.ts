import * as tf from "@tensorflow/tfjs-core";
import onnx from "onnx-proto";
import { describe, expect, it } from "vitest";
import { inLayer } from "../../../src/compute/layer.ts";
import { traceFunction } from "../../../src/compute/onnx/trace.ts";
import { KernelNotRecorded } from "../../../src/compute/onnx/recording-backend.ts";
import { ROWS, type TensorFunction } from "../../../src/compute/tensors.ts";

const decode = (model: Uint8Array) => onnx.onnx.ModelProto.decode(model).graph!;

const dimensions = (info: onnx.onnx.IValueInfoProto) =>
  info.type!.tensorType!.shape!.dim!.map((dim) => dim.dimParam || Number(dim.dimValue));

const convolution = (x: tf.Tensor, filter: tf.Tensor) =>
  tf.conv2d(x as tf.Tensor4D, filter as tf.Tensor4D, 1, "same");

const filters = { shape: [3, 3, 2, 2], data: new Float32Array(36).fill(0.5) };

const twoLayers: TensorFunction = ({ x, filter }) => {
  const first = inLayer("block3", () => inLayer("conv1", () => convolution(x!, filter!)));
  return { y: inLayer("block3/conv2", () => convolution(tf.relu(first), filter!)) };
};

describe("a recorded function", () => {
  const { model, outputs } = traceFunction(
    twoLayers,
    { x: [ROWS, 5, 6, 2] },
    {
      constants: new Map([["filter", filters]]),
      name: "tower",
      description: "two layers",
    },
  );
  const graph = decode(model);

  it("survives decoding with its names and doc strings", () => {
    expect(graph.name).toBe("tower");
    expect(graph.docString).toBe("two layers");
    const convolutions = graph.node!.filter((node) => node.opType === "Conv");
    expect(convolutions.map((node) => [node.name, node.docString])).toEqual([
      ["block3/conv1/Conv", "block3/conv1"],
      ["block3/conv2/Conv", "block3/conv2"],
    ]);
  });

  it("has shapes on every value, with the rows open", () => {
    expect(outputs).toEqual({ y: [ROWS, 5, 6, 2] });
    expect(graph.input!.map((info) => [info.name, dimensions(info)])).toEqual([["x", [ROWS, 5, 6, 2]]]);
    expect(graph.output!.map((info) => [info.name, dimensions(info)])).toEqual([["y", [ROWS, 5, 6, 2]]]);
    const described = new Map(graph.valueInfo!.map((info) => [info.name!, dimensions(info)]));
    expect(described.get("block3/conv1/Conv")).toEqual([ROWS, 2, 5, 6]);
    const written = graph.node!.flatMap((node) => node.output!).filter((name) => name !== "y");
    expect(new Set(described.keys())).toEqual(new Set(written));
  });

  it("keeps constants under their names", () => {
    const filter = graph.initializer!.find((tensor) => tensor.name === "filter")!;
    expect(filter.dims!.map(Number)).toEqual(filters.shape);
    expect(new Float32Array(new Uint8Array(filter.rawData!).buffer)).toEqual(filters.data);
  });

  it("transposes images only where they enter and leave, not between convolutions", () => {
    const images = graph.node!.filter(
      (node) => node.opType === "Transpose" && !node.input!.includes("filter"),
    );
    expect(images).toHaveLength(2);
  });

  it("leaves out what no output needs", () => {
    const unused: TensorFunction = ({ x }) => {
      tf.exp(x!);
      return { y: tf.neg(x!) };
    };
    const operators = decode(traceFunction(unused, { x: [3] }, {}).model).node!;
    expect(operators.map((node) => node.opType)).toEqual(["Neg"]);
  });
});

describe("what cannot be recorded", () => {
  const failure = (fn: TensorFunction): Error => {
    try {
      traceFunction(fn, { x: [2, 4, 4, 3] }, {});
    } catch (error) {
      return error as Error;
    }
    throw new Error("was recorded");
  };

  it("names the kernel and the layer of an unmapped kernel", () => {
    const error = failure(({ x }) => ({
      y: inLayer("pooling", () => tf.maxPool(x as tf.Tensor4D, 2, 2, "same")),
    }));
    expect(error).toBeInstanceOf(KernelNotRecorded);
    expect(error).toMatchObject({ kernel: "MaxPool", layer: "pooling" });
    expect(error.message).toContain("MaxPool");
    expect(error.message).toContain("layer pooling");
  });

  it("names them for settings that are not mapped", () => {
    const error = failure(({ x }) => ({
      y: inLayer("down", () => tf.conv2d(x as tf.Tensor4D, tf.ones([3, 3, 3, 1]), 2, "same")),
    }));
    expect(error.message).toMatch(/Conv2D.*layer down.*stride 1/);
  });

  it("names them for shapes that do not fit", () => {
    const error = failure(({ x }) => ({
      y: inLayer("dense", () => tf.matMul(x!, tf.ones([2, 4, 7, 7]))),
    }));
    expect(error.message).toMatch(/BatchMatMul.*layer dense: rows of 3 numbers/);
  });

  it("adds the layer to tfjs's own complaints", () => {
    const error = failure(({ x }) => ({
      y: inLayer("head", () => inLayer("conv", () => convolution(x!, tf.ones([1, 1, 7, 1])))),
    }));
    expect(error.message).toMatch(/^in layer head\/conv: .*conv2d/);
  });

  it("refuses to read values while tracing, and records the next function none the worse", () => {
    expect(failure(({ x }) => ({ y: tf.scalar(x!.dataSync()[0]!) })).message).toContain("not known yet");
    expect(traceFunction(({ x }) => ({ y: tf.neg(x!) }), { x: [2] }, {}).outputs).toEqual({ y: [2] });
  });
});
