import type { RecordedTensor } from "../recorded-tensor.ts";
import { axesOf, input, type KernelCall, type KernelMappings } from "./kernel.ts";

/** Kernels that normalise. */
export const normalisation: KernelMappings = {
  Softmax: (call) => {
    const logits = input(call, "logits");
    const [axis] = axesOf(call.attributes["dim"] ?? -1, logits.shape.length) as [number];
    return call.recording.emit("Softmax", [logits], logits.shape, { axis });
  },
  FusedBatchNorm: batchNorm,
};

/** Batch normalisation by given statistics: one node, which ONNX Runtime folds into the convolution before it. */
function batchNorm(call: KernelCall): RecordedTensor {
  const { recording, attributes, inputs } = call;
  const x = input(call, "x");
  if (x.shape.length !== 4) throw new Error("only batch normalisation of images is recorded");
  const image = recording.channelsFirst(x);
  const channels = image.shape[1]!;
  const vector = (name: string, otherwise: number) => {
    const given = inputs[name];
    if (given !== undefined) return recording.plain(given);
    return recording.graph.constant(
      "constant/uniform",
      [channels],
      "float32",
      new Float32Array(channels).fill(otherwise),
    );
  };
  const statistics = [vector("mean", 0), vector("variance", 1)];
  const epsilon = { float: attributes["varianceEpsilon"] as number };
  return recording.image(
    recording.node(
      "BatchNormalization",
      [image, vector("scale", 1), vector("offset", 0), ...statistics],
      image.shape,
      { epsilon },
    ),
  );
}
