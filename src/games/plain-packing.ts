import type { Packing } from "./game.ts";

type Fields = Record<string, unknown>;

/** A part of a state with a fixed size: the object that holds it in a state, its key there, and its bytes. */
interface Part {
  readonly holder: (state: Fields) => Fields;
  readonly key: string;
  readonly kind: "number" | "boolean" | "array";
  readonly bytes: number;
}

/**
 * The packing of states that hold numbers, truth values, typed arrays, and objects of these: all parts one after another, numbers
 * as float64. Undefined for states with other parts, which can have any size.
 */
export function plainPacking<S extends object>(initial: S): Packing<S> | undefined {
  const parts = partsOf(initial as Fields, (state) => state);
  if (parts === undefined) return undefined;
  return {
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    pack: (state, out, offset) => {
      const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
      let at = offset;
      for (const { bytes, holder, key, kind } of parts) {
        const value = holder(state as Fields)[key];
        if (kind === "number") view.setFloat64(at, value as number, true);
        else if (kind === "boolean") out[at] = value === true ? 1 : 0;
        else out.set(bytesOf(value as ArrayBufferView), at);
        at += bytes;
      }
    },
    unpack: (from, offset, into) => {
      const view = new DataView(from.buffer, from.byteOffset, from.byteLength);
      let at = offset;
      for (const { bytes, holder, key, kind } of parts) {
        const fields = holder(into as Fields);
        if (kind === "number") fields[key] = view.getFloat64(at, true);
        else if (kind === "boolean") fields[key] = from[at] === 1;
        else bytesOf(fields[key] as ArrayBufferView).set(from.subarray(at, at + bytes));
        at += bytes;
      }
    },
  };
}

function partsOf(value: Fields, holder: Part["holder"]): Part[] | undefined {
  const parts: Part[] = [];
  for (const [key, part] of Object.entries(value)) {
    if (typeof part === "number") parts.push({ holder, key, kind: "number", bytes: 8 });
    else if (typeof part === "boolean") parts.push({ holder, key, kind: "boolean", bytes: 1 });
    else if (ArrayBuffer.isView(part)) parts.push({ holder, key, kind: "array", bytes: part.byteLength });
    else if (typeof part !== "object" || part === null || Array.isArray(part)) return undefined;
    else {
      const inner = partsOf(part as Fields, (state) => holder(state)[key] as Fields);
      if (inner === undefined) return undefined;
      parts.push(...inner);
    }
  }
  return parts;
}

function bytesOf({ buffer, byteLength, byteOffset }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
