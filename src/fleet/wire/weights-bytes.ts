import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { decodeSafetensors, encodeSafetensors } from "../../formats/safetensors.ts";
import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import type { Tensors } from "../../operators/run/items.ts";
import { publishable, type PublishedWeights, tensorsOf } from "../../operators/run/weights/net-weights.ts";
import { PacketInvalid } from "./packet.ts";

const FORMAT = "ludoflow fleet weights 1";

/** The bytes of weights as joiners get them: equal weights have equal bytes. */
export function weightsBytes(opened: OpenExperiment, net: string, weights: PublishedWeights): Uint8Array {
  const pieces = encodeSafetensors({
    tensors: tensorsOf(opened, net, weights),
    metadata: { format: FORMAT },
  });
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Reads weights of a net. Throws PacketInvalid. */
export function weightsFrom(
  opened: OpenExperiment,
  net: string,
  bytes: Uint8Array<ArrayBuffer>,
): PublishedWeights {
  try {
    const { metadata, tensors } = decodeSafetensors(bytes, `the weights of "${net}"`);
    if (metadata["format"] !== FORMAT) throw new PacketInvalid("it is no weights of this version");
    return publishable(opened, net, tensors as Tensors);
  } catch (error) {
    if (error instanceof FileCorrupt) throw new PacketInvalid(error.message);
    throw error;
  }
}
