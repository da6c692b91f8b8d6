import { channelsFirstOf, plainOf, rectifiedOf } from "../forms.ts";
import type { ElementType } from "../graph.ts";
import { isImage, type RecordedTensor, uniform, uniformValue, withoutBroadcast } from "../recorded-tensor.ts";
import { CAST_TO, type Recording } from "../recording.ts";
import { combination, imageProduct } from "./combination.ts";
import { input, type KernelCall, type KernelMapping, type KernelMappings } from "./kernel.ts";
import { broadcast, pointwise, repeated } from "./pointwise.ts";
import { productSum } from "./product.ts";

/** Kernels that work element by element, with broadcasting. */
export const elementwiseKernels: KernelMappings = {
  Add: linear("Add"),
  AddN: addAll,
  Sub: linear("Sub"),
  Multiply: multiply,
  RealDiv: binary("Div"),
  Maximum: binary("Max"),
  Minimum: binary("Min"),
  Pow: binary("Pow"),
  SquaredDifference: squaredDifference,
  Greater: binary("Greater", "bool"),
  GreaterEqual: binary("GreaterOrEqual", "bool"),
  Less: binary("Less", "bool"),
  LessEqual: binary("LessOrEqual", "bool"),
  Equal: binary("Equal", "bool"),
  LogicalAnd: binary("And", "bool"),
  LogicalOr: binary("Or", "bool"),
  LogicalNot: unary("Not", "bool"),
  Abs: unary("Abs"),
  Ceil: unary("Ceil"),
  Cos: unary("Cos"),
  Erf: unary("Erf"),
  Exp: unary("Exp"),
  Floor: unary("Floor"),
  Log: unary("Log"),
  Neg: unary("Neg"),
  Reciprocal: unary("Reciprocal"),
  Sigmoid: unary("Sigmoid"),
  Sign: unary("Sign"),
  Sin: unary("Sin"),
  Softplus: unary("Softplus"),
  Sqrt: unary("Sqrt"),
  Tanh: unary("Tanh"),
  Rsqrt: ({ recording, inputs }) => {
    const root = pointwise(recording, "Sqrt", [inputs["x"]!]);
    return pointwise(recording, "Reciprocal", [root]);
  },
  Square: ({ recording, inputs }) => {
    const x = inputs["x"]!;
    return imageProduct(recording, x, x) ?? pointwise(recording, "Mul", [x, x]);
  },
  Relu: (call) => rectifiedOf(call.recording, input(call, "x")),
  Step: step,
  Elu: ({ recording, inputs }) => pointwise(recording, "Elu", [inputs["x"]!]),
  LeakyRelu: ({ recording, inputs, attributes }) =>
    pointwise(recording, "LeakyRelu", [inputs["x"]!], { alpha: attributes["alpha"] as number }),
  ClipByValue: clip,
  Select: select,
  Cast: cast,
  Identity: (call) => call.inputs["x"]!,
  ZerosLike: (call) => uniform(input(call, "x").shape, 0),
  OnesLike: (call) => uniform(input(call, "x").shape, 1),
};

/** A product. tfjs repeats a gradient along reduced axes by a product with ones, which becomes a broadcast here. */
function multiply(call: KernelCall): RecordedTensor {
  const a = input(call, "a");
  const b = input(call, "b");
  const shape = broadcast([a.shape, b.shape]);
  if (uniformValue(b) === 1 && b.type === a.type) return repeated(withoutBroadcast(a), shape);
  if (uniformValue(a) === 1 && b.type === a.type) return repeated(withoutBroadcast(b), shape);
  return (
    combination(call.recording, "Mul", a, b) ??
    multiple(call.recording, a, b) ??
    multiple(call.recording, b, a) ??
    imageProduct(call.recording, a, b) ??
    pointwise(call.recording, "Mul", [a, b])
  );
}

/** An unwritten product of a matrix and a known number; undefined for other operands. See `productSum`. */
function multiple(recording: Recording, a: RecordedTensor, b: RecordedTensor): RecordedTensor | undefined {
  const by = b.shape.length === 0 ? uniformValue(b) : undefined;
  if (by === undefined || a.shape.length !== 2 || a.type !== "float32" || a.kind === "broadcast")
    return undefined;
  return { kind: "multiple", shape: a.shape, type: a.type, layer: recording.layer, forms: {}, of: a, by };
}

function binary(operator: string, type?: ElementType): KernelMapping {
  return ({ recording, inputs }) => pointwise(recording, operator, [inputs["a"]!, inputs["b"]!], {}, type);
}

function linear(operator: "Add" | "Sub"): KernelMapping {
  return ({ recording, inputs }) => sum(recording, operator, inputs["a"]!, inputs["b"]!);
}

function sum(recording: Recording, operator: "Add" | "Sub", a: RecordedTensor, b: RecordedTensor) {
  return (
    combination(recording, operator, a, b) ??
    (operator === "Add" ? productSum(recording, a, b) : undefined) ??
    pointwise(recording, operator, [a, b])
  );
}

function unary(operator: string, type?: ElementType): KernelMapping {
  return ({ recording, inputs }) => pointwise(recording, operator, [inputs["x"]!], {}, type);
}

function addAll({ recording, inputs }: KernelCall): RecordedTensor {
  return Object.values(inputs).reduce((total, next) => sum(recording, "Add", total, next));
}

function squaredDifference({ recording, inputs }: KernelCall): RecordedTensor {
  const difference = pointwise(recording, "Sub", [inputs["a"]!, inputs["b"]!]);
  return pointwise(recording, "Mul", [difference, difference]);
}

/** 1 where x > 0, else `alpha`. Gradients of rectifiers multiply by it; it is computed from the rectified x. */
function step(call: KernelCall): RecordedTensor {
  const x = input(call, "x");
  const alpha = (call.attributes["alpha"] as number | undefined) ?? 0;
  if (alpha !== 0) {
    const { recording } = call;
    const scalar = (value: number) => recording.result(recording.graph.scalar(value));
    const positive = pointwise(recording, "Greater", [x, scalar(0)], {}, "bool");
    return pointwise(recording, "Where", [positive, scalar(1), scalar(alpha)], {}, "float32");
  }
  return { kind: "step", shape: x.shape, type: "float32", layer: call.recording.layer, forms: {}, of: x };
}

function clip(call: KernelCall): RecordedTensor {
  const { recording, attributes } = call;
  const bound = (name: string) => recording.result(recording.graph.scalar(attributes[name] as number));
  return pointwise(recording, "Clip", [input(call, "x"), bound("clipValueMin"), bound("clipValueMax")]);
}

function select(call: KernelCall): RecordedTensor {
  const choices = [input(call, "t"), input(call, "e")] as const;
  return pointwise(call.recording, "Where", [input(call, "condition"), ...choices], {}, choices[0].type);
}

function cast(call: KernelCall): RecordedTensor {
  const x = input(call, "x");
  const target = call.attributes["dtype"] as ElementType;
  // Steps stay floats: the next kernel is a product with floats.
  if (x.type === target || x.kind === "step") return x;
  const { recording } = call;
  if (!isCastTarget(target)) throw new Error(`no conversion to ${target}`);
  if (isImage(x)) return recording.image(recording.converted(channelsFirstOf(recording, x), target));
  return recording.result(recording.converted(plainOf(recording, x), target));
}

function isCastTarget(type: ElementType): type is keyof typeof CAST_TO {
  return type in CAST_TO;
}
