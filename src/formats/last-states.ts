import { closeSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { crc32c } from "./crc32c.ts";
import { writeFully } from "./files/atomic-file.ts";
import { writing } from "./files/file-not-written.ts";
import { openOwn, readOwn } from "./files/own-file.ts";

/**
 * Stores the sums of a running count, by the number counted so far. The last two states are kept: a kill may lose the last step
 * of the data that they belong to.
 *
 * Two slots of equal size, for even and odd numbers: the number, the sums (all float64, little-endian), and the CRC-32C of these
 * bytes as a float64. Nothing is synced. After a power cut a slot may be damaged, and is then not read.
 *
 * Throws `FileNotWritten`.
 */
export function storeState(path: string, count: number, sums: Float64Array): void {
  const slot = Float64Array.of(count, ...sums, 0);
  slot[slot.length - 1] = crc32c(bytesOf(slot).subarray(0, -8));
  writing(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    const file = openOwn(path, "update");
    try {
      writeFully(file, bytesOf(slot), (count % 2) * slot.byteLength);
    } finally {
      closeSync(file);
    }
  });
}

/** The sums of this length that were stored for a number; undefined if they are not among the last two, or are damaged. */
export function storedState(path: string, count: number, length: number): Float64Array | undefined {
  if (!existsSync(path)) return undefined;
  const size = 8 * (length + 2);
  const bytes = readOwn(path).subarray((count % 2) * size, ((count % 2) + 1) * size);
  if (bytes.length < size) return undefined;
  const slot = new Float64Array(new Uint8Array(bytes).buffer);
  const whole = slot[0] === count && slot.at(-1) === crc32c(bytes.subarray(0, -8));
  return whole ? slot.slice(1, -1) : undefined;
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer);
}
