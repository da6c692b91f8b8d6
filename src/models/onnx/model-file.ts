import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { readWholeFile } from "../../formats/files/whole-file.ts";
import { type ModelSignature, readSignature } from "../../formats/onnx-signature.ts";

/** A model file, as far as it is read here: ONNX Runtime reads the weights. */
export interface ModelFile {
  readonly signature: ModelSignature;
  /** SHA-256 of the file; if it has weights in files beside it, of all these bytes. */
  readonly sha256: string;
  /** Length of all these bytes. */
  readonly bytes: number;
}

/** Reads a model file in ONNX's format. Throws Error with what is wrong with the file. */
export function readModelFile(path: string): ModelFile {
  const bytes = contentOf(path);
  let signature: ModelSignature;
  try {
    signature = readSignature(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error(`${path} is no ONNX model: ${error.message}${otherFormat(bytes)}`, { cause: error });
  }
  const hash = createHash("sha256").update(bytes);
  let size = bytes.length;
  for (const file of signature.besides) {
    const weights = contentOf(join(dirname(path), file));
    hash.update(weights);
    size += weights.length;
  }
  return { signature, sha256: hash.digest("hex"), bytes: size };
}

function contentOf(path: string): Uint8Array {
  try {
    return readWholeFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? `no such file "${path}"` : `${path} cannot be read: ${message}`;
    throw new Error(why, { cause: error });
  }
}

/** What to do about files of PyTorch, which are zip files, and of others. */
function otherFormat(bytes: Uint8Array): string {
  return bytes[0] === 0x50 && bytes[1] === 0x4b
    ? "; it looks like a file of torch.save: write the model with torch.onnx.export"
    : "";
}
