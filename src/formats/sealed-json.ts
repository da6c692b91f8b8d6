import { FileCorrupt } from "./files/file-corrupt.ts";
import { readOwnText } from "./files/own-file.ts";
import { reading } from "./files/reading.ts";
import { isPlainMap } from "./plain-map.ts";
import { sha256 } from "./sha256.ts";

/** The key of the checksum. It comes first. */
const SEAL = "sha256";

/**
 * A JSON object with a checksum, as the text of a file: `sha256` is the SHA-256 of the object without this key, as JSON
 * without spaces in UTF-8. It finds damage; it does not prevent forgery.
 */
export function sealedJson(content: object): string {
  return `${JSON.stringify({ [SEAL]: checksumOf(content), ...content }, null, 2)}\n`;
}

/**
 * The object that was sealed, without its checksum. With `unsealedKeys` an object without a checksum is accepted if it has only these
 * keys: so a checksum whose own name is damaged is found too. Throws an Error whose message ends the sentence "FILE ..."; a text that
 * is no JSON throws SyntaxError.
 */
export function unsealedJson(text: string, unsealedKeys: readonly string[] = []): Record<string, unknown> {
  const stored: unknown = JSON.parse(text);
  if (!isPlainMap(stored)) throw new Error("is no JSON object");
  const { [SEAL]: seal, ...content } = stored;
  if (seal === undefined) {
    if (unsealedKeys.length === 0) throw new Error("is damaged: it has no checksum");
    const foreign = Object.keys(content).find((key) => !unsealedKeys.includes(key));
    if (foreign !== undefined)
      throw new Error(
        `is damaged: it has no checksum, and "${foreign}", which files without one do not have`,
      );
  } else if (seal !== checksumOf(content))
    throw new Error("is damaged, or was changed by hand: its checksum differs");
  else if (!isJsonOf(stored, text))
    throw new Error("is damaged, or was changed by hand: it says more than its checksum covers");
  return content;
}

/** The object that is sealed in an own file of the run. Throws FileCorrupt. */
export function readSealed(path: string): Record<string, unknown> {
  const text = reading(path, () => readOwnText(path));
  try {
    return unsealedJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new FileCorrupt(path, "is damaged: it is no JSON");
    throw new FileCorrupt(path, (error as Error).message);
  }
}

/**
 * Whether a text is what JSON.stringify makes of the value read from it, but for spaces. Damage can hide from the value: of two
 * equal keys JSON.parse takes the last one.
 */
export function isJsonOf(value: unknown, text: string): boolean {
  return text.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, "$1") === JSON.stringify(value);
}

function checksumOf(content: object): string {
  return sha256(JSON.stringify(content));
}
