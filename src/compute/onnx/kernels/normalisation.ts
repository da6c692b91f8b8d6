import { channelsFirstOf, emit, plainOf } from "../forms.ts";
import { isImage, type RecordedTensor, uniform } from "../recorded-tensor.ts";
import { pointwise } from "./pointwise.ts";
import { axesOf, input, type KernelCall, type KernelMappings } from "./kernel.ts";

/** Kernels that normalise. */
export const normalisationKernels: KernelMappings = {
  Softmax: (call) => {
    const logits = input(call, "logits");
    const [axis] = axesOf(call.attributes["dim"] ?? -1, logits.shape.length) as [number];
    return emit(call.recording, "Softmax", [logits], logits.shape, { axis });
  },
  FusedBatchNorm: batchNorm,
};

/**
 * Batch normalisation by given statistics.
 *
 * For a channels-first image it is one node, which ONNX Runtime folds into the convolution before it. For other tensors it is
 * a product and a sum with vectors, which are computed once if the statistics are constants.
 */
function batchNorm(call: KernelCall): RecordedTensor {
  const { recording, attributes, inputs } = call;
  const x = input(call, "x");
  if (x.shape.length !== 4) throw new Error("only batch normalisation of images is recorded");
  const channels = x.shape[3]!;
  const vector = (name: string, otherwise: number) => inputs[name] ?? uniform([channels], otherwise);
  const [scale, offset] = [vector("scale", 1), vector("offset", 0)];
  const [mean, variance] = [vector("mean", 0), vector("variance", 1)];
  const epsilon = attributes["varianceEpsilon"] as number;
  if (!isImage(x)) {
    const spread = pointwise(recording, "Add", [variance, uniform([], epsilon)]);
    const factor = pointwise(recording, "Div", [scale, pointwise(recording, "Sqrt", [spread])]);
    const shift = pointwise(recording, "Mul", [mean, factor]);
    const scaled = pointwise(recording, "Mul", [x, factor]);
    return pointwise(recording, "Add", [scaled, pointwise(recording, "Sub", [offset, shift])]);
  }
  const image = channelsFirstOf(recording, x);
  const vectors = [scale, offset, mean, variance].map((tensor) => plainOf(recording, tensor));
  const attribute = { epsilon: { float: epsilon } };
  return recording.image(recording.node("BatchNormalization", [image, ...vectors], image.shape, attribute));
}
