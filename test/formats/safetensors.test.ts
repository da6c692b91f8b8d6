import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileCorrupt } from "../../src/formats/files/file-corrupt.ts";
import {
  decodeSafetensors,
  encodeSafetensors,
  readSafetensors,
  type StoredTensor,
  type TensorFile,
  writeSafetensors,
} from "../../src/formats/safetensors.ts";
import { scratchFolder } from "./scratch-folder.ts";

function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

/** A file with this header and this much data, as any writer may make it. */
function raw(header: string, data: number, { length = header.length } = {}): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8 + header.length + data);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(new TextEncoder().encode(header), 8);
  return bytes;
}

function what(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    decodeSafetensors(bytes, "net.safetensors");
  } catch (error) {
    if (error instanceof FileCorrupt) return error.what;
    throw error;
  }
  throw new Error("it was accepted");
}

const file: TensorFile = {
  tensors: new Map<string, StoredTensor>([
    ["b", { shape: [2, 2], data: Float32Array.of(1, -2, NaN, Infinity) }],
    ["bytes", { shape: [3], data: Uint8Array.of(7, 8, 9) }],
    ["scalar", { shape: [], data: Float64Array.of(Math.PI) }],
    ["empty", { shape: [0, 5], data: new Int32Array(0) }],
    ["7", { shape: [1], data: Uint32Array.of(0xffffffff) }],
    ["a", { shape: [1], data: BigInt64Array.of(-1n) }],
  ]),
  metadata: { step: "12", format: "ludoflow" },
};

describe("safetensors", () => {
  it("writes exactly the published layout", () => {
    const bytes = concatenate(
      encodeSafetensors({
        tensors: new Map([["w", { shape: [2], data: Float32Array.of(1, 2) }]]),
        metadata: {},
      }),
    );
    const header = '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}';
    const padded = header.padEnd(56);
    expect(new TextDecoder().decode(bytes.subarray(8, 64))).toBe(padded);
    expect([...bytes.subarray(0, 8)]).toEqual([56, 0, 0, 0, 0, 0, 0, 0]);
    expect([...bytes.subarray(64)]).toEqual([0, 0, 128, 63, 0, 0, 0, 64]);
  });

  it("comes back as it was, aligned, through a file", () => {
    const path = join(scratchFolder(), "net.safetensors");
    writeSafetensors(path, file);
    const back = readSafetensors(path);
    expect(Object.fromEntries(back.tensors)).toEqual(Object.fromEntries(file.tensors));
    expect({ ...back.metadata }).toEqual(file.metadata);
  });

  it("gives equal bytes whatever the order of names", () => {
    const reversed: TensorFile = {
      tensors: new Map([...file.tensors].reverse()),
      metadata: { format: "ludoflow", step: "12" },
    };
    expect(concatenate(encodeSafetensors(reversed))).toEqual(concatenate(encodeSafetensors(file)));
  });

  it("keeps any names, texts and numbers", () => {
    const tensor = fc.oneof(
      fc.float32Array().map((data): StoredTensor => ({ shape: [data.length], data })),
      fc.uint8Array().map((data): StoredTensor => ({ shape: [1, data.length], data })),
      fc.float64Array().map((data): StoredTensor => ({ shape: [data.length, 1], data })),
    );
    const name = fc.string({ unit: "grapheme" }).filter((text) => text !== "__metadata__");
    fc.assert(
      fc.property(fc.dictionary(name, tensor), fc.dictionary(name, name), (tensors, metadata) => {
        const back = decodeSafetensors(
          concatenate(encodeSafetensors({ tensors: new Map(Object.entries(tensors)), metadata })),
          "x",
        );
        expect(Object.fromEntries(back.tensors)).toEqual({ ...tensors });
        expect({ ...back.metadata }).toEqual({ ...metadata });
      }),
    );
  });

  it("reads a foreign file whose data is not aligned", () => {
    const bytes = raw('{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} ', 4);
    expect((bytes.length - 4) % 4).not.toBe(0);
    new DataView(bytes.buffer).setFloat32(bytes.length - 4, 2.5, true);
    expect(decodeSafetensors(bytes, "x").tensors.get("w")).toEqual({
      shape: [1],
      data: Float32Array.of(2.5),
    });
  });

  it("notices a file cut anywhere", () => {
    const bytes = concatenate(encodeSafetensors(file));
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeSafetensors(bytes.slice(0, length), "x")).toThrow(FileCorrupt);
  });

  const tensor = (dtype: string, shape: string, start: number, end: number) =>
    `{"dtype":"${dtype}","shape":${shape},"data_offsets":[${start},${end}]}`;

  it.each([
    ["a header too long", raw("{}", 0, { length: 100_000_001 }), "100000001"],
    ["a header beyond the file", raw("{}", 0, { length: 9 }), "cut short"],
    ["no brace", raw(" {}", 0), "does not begin with {"],
    ["no JSON", raw("{]", 0), "no JSON"],
    ["metadata that is no text", raw('{"__metadata__":{"a":1}}', 0), "metadata a"],
    ["an unknown dtype", raw(`{"w":${tensor("F13", "[1]", 0, 4)}}`, 4), 'dtype "F13"'],
    ["a dtype of Object's", raw(`{"w":${tensor("constructor", "[1]", 0, 4)}}`, 4), "dtype"],
    ["a negative size", raw(`{"w":${tensor("F32", "[-1]", 0, 4)}}`, 4), "impossible shape"],
    ["a range that does not suit the shape", raw(`{"w":${tensor("F32", "[3]", 0, 8)}}`, 8), "need 12"],
    ["an overlap", raw(`{"a":${tensor("U8", "[4]", 0, 4)},"b":${tensor("U8", "[4]", 2, 6)}}`, 6), "overlaps"],
    ["a gap", raw(`{"a":${tensor("U8", "[2]", 2, 4)}}`, 4), "gap"],
    ["data missing", raw(`{"a":${tensor("U8", "[4]", 0, 4)}}`, 3), "cut short"],
    ["data left over", raw(`{"a":${tensor("U8", "[4]", 0, 4)}}`, 5), "too many"],
    ["a tensor that is no object", raw('{"a":3}', 0), "without a description"],
  ])("refuses %s", (_, bytes, expected) => expect(what(bytes)).toContain(expected));

  it("refuses to write what it could not read", () => {
    const data = Uint8Array.of(1);
    const write = (name: string, shape: number[]) =>
      encodeSafetensors({ tensors: new Map([[name, { shape, data }]]), metadata: {} });
    expect(() => write("__metadata__", [1])).toThrow(RangeError);
    expect(() => write("w", [2])).toThrow(RangeError);
  });

  it("names the file in the message", () => {
    const path = join(scratchFolder(), "net.safetensors");
    writeFileSync(path, "PK");
    expect(() => readSafetensors(path)).toThrow(`${path} is no safetensors file`);
  });
});
