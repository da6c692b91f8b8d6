import { createHash } from "node:crypto";
import { isPlainMap } from "./plain-map.ts";

/** SHA-256 of bytes in pieces, or of a text, in hexadecimal digits. */
export function sha256(...pieces: readonly (Uint8Array | string)[]): string {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

/** SHA-256 of plain data; the order of keys does not matter. */
export function sha256OfData(data: unknown): string {
  return sha256(JSON.stringify(data, (_key, value: unknown) => (isPlainMap(value) ? sorted(value) : value)));
}

function sorted(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
