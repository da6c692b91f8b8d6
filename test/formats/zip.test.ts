import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readZip, unpackFile, type ZippedFile, ZipInvalid } from "../../src/formats/zip-reader.ts";
import { ZipWriter } from "../../src/formats/zip-writer.ts";
import { scratchFolder } from "./scratch-folder.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function zipOf(files: Readonly<Record<string, readonly string[]>>): Buffer {
  const zip = new ZipWriter();
  for (const [name, pieces] of Object.entries(files))
    for (const piece of pieces) zip.append(name, bytes(piece));
  return Buffer.concat(zip.finish());
}

async function read(content: Uint8Array, mostBytes = 1e6): Promise<ZippedFile[]> {
  const path = join(scratchFolder(), "some.zip");
  writeFileSync(path, content);
  const files: ZippedFile[] = [];
  for await (const file of readZip(path, () => true, mostBytes)) files.push(file);
  return files;
}

const texts = (files: readonly ZippedFile[]) =>
  files.map((file) =>
    "packed" in file ? [file.name, new TextDecoder().decode(unpackFile(file.packed))] : [file.name, file],
  );

/** A zip with bytes replaced wherever they are. */
function replaced(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
}

describe("zips", () => {
  it("are read as they are written, in the order of their names, whatever pieces they were written in", async () => {
    const zip = zipOf({ "b/日本.sgf": ["(;", "", "B[aa])"], "a.sgf": ["x".repeat(5000)], empty: [""] });
    expect(texts(await read(zip))).toEqual([
      ["a.sgf", "x".repeat(5000)],
      ["b/日本.sgf", "(;B[aa])"],
      ["empty", ""],
    ]);
    expect(zipOf({ a: ["1"] })).toEqual(zipOf({ a: ["1"] }));
  });

  it("give no file whose name leads out of a folder, that is too long, or too small for its length", async () => {
    const [up] = await read(replaced(zipOf({ "aa/x.sgf": ["y"] }), "aa/x", "../x"));
    expect(up).toMatchObject({ name: "../x.sgf", unsafe: expect.stringContaining("..") as string });
    expect((await read(zipOf({ a: ["12345"] }), 4))[0]).toHaveProperty("tooLong");
    expect((await read(zipOf({ bomb: ["0".repeat(900_000)] })))[0]).toHaveProperty("unsafe");
  });

  it("give no file whose stored bytes are those of another one too", async () => {
    const zip = zipOf({ a: ["some text"], b: ["more text"] });
    // The directory says of the second file that it begins where the first one does.
    const directory = zip.lastIndexOf("PK\x01\x02", undefined, "latin1");
    zip.writeUInt32LE(0, directory + 42);
    const read1 = await read(zip);
    expect(read1.map((file) => "unsafe" in file)).toEqual([true, true]);
  });

  it("give bytes only where length and checksum are right", async () => {
    const zip = zipOf({ a: ["some text"] });
    const [file] = await read(zip);
    if (!("packed" in file!)) throw new Error("not read");
    const { packed } = file;
    for (const wrong of [
      { ...packed, size: packed.size - 1 },
      { ...packed, size: packed.size + 1 },
      { ...packed, crc: packed.crc ^ 1 },
      { ...packed, bytes: packed.bytes.map((byte) => byte ^ 0x55) },
    ])
      expect(() => unpackFile(wrong)).toThrow(ZipInvalid);
  });

  it("are refused where they are none, or cut off", async () => {
    await expect(read(bytes("(;GM[1])"))).rejects.toThrow(ZipInvalid);
    const zip = zipOf({ a: ["some text"] });
    await expect(read(zip.subarray(0, -10))).rejects.toThrow(ZipInvalid);
  });
});
