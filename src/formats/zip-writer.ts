import { constants, crc32, deflateRawSync } from "node:zlib";

/** Most bytes of a zip and of a file in it: larger ones need the format's extension Zip64, which is not written. */
const MOST_BYTES = 2 ** 32 - 1;

/** 1980-01-01, the first date of the format: equal files give equal zips. */
const DATE = 0x21;

/** A zip made in memory, deflated. Files may be written in pieces, several at a time. */
export class ZipWriter {
  readonly #files = new Map<
    string,
    { readonly blocks: Uint8Array[]; size: number; packed: number; crc: number }
  >();

  /** Adds a piece to the end of a file. Throws RangeError for a file of 4 GiB. */
  append(name: string, piece: Uint8Array): void {
    let file = this.#files.get(name);
    if (file === undefined) this.#files.set(name, (file = { blocks: [], size: 0, packed: 0, crc: 0 }));
    // A flush ends the block at a byte, so that others can follow.
    const block = deflateRawSync(piece, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
    file.blocks.push(block);
    file.size += piece.length;
    file.packed += block.length;
    file.crc = crc32(piece, file.crc);
    if (file.size > MOST_BYTES) throw new RangeError(`${name} would have 4 GiB or more`);
  }

  /** The bytes of the whole zip, its files in the order of their names. Throws RangeError if they are 4 GiB or more. */
  finish(): Uint8Array[] {
    const parts: Uint8Array[] = [];
    const directory: Uint8Array[] = [];
    let offset = 0;
    const files = [...this.#files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, { blocks, crc, packed, size }] of files) {
      const text = new TextEncoder().encode(name);
      const bytes = packed + EMPTY_BLOCK.length;
      // Version 2.0, names in UTF-8, deflated.
      const shared = [...u16(20), ...u16(0x800), ...u16(8), ...u16(0), ...u16(DATE)];
      const sizes = [...u32(crc), ...u32(bytes), ...u32(size), ...u16(text.length), ...u16(0)];
      parts.push(Uint8Array.of(...u32(0x04034b50), ...shared, ...sizes), text, ...blocks, EMPTY_BLOCK);
      const rest = [...u16(0), ...u16(0), ...u16(0), ...u32(0), ...u32(offset)];
      directory.push(Uint8Array.of(...u32(0x02014b50), ...u16(20), ...shared, ...sizes, ...rest), text);
      offset += 30 + text.length + bytes;
    }
    const length = directory.reduce((sum, part) => sum + part.length, 0);
    if (offset + length > MOST_BYTES) throw new RangeError("the zip would have 4 GiB or more");
    const counts = [...u16(files.length), ...u16(files.length), ...u32(length), ...u32(offset), ...u16(0)];
    return [...parts, ...directory, Uint8Array.of(...u32(0x06054b50), ...u32(0), ...counts)];
  }
}

/** The last block of deflated bytes, which holds nothing. */
const EMPTY_BLOCK = Uint8Array.of(3, 0);

function u16(value: number): number[] {
  return [value & 255, value >> 8];
}

function u32(value: number): number[] {
  return [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
}
