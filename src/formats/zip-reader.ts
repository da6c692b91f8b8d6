import { buffer } from "node:stream/consumers";
import { crc32, inflateRawSync } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";

/** The bytes of a file in a zip as they are stored. */
export interface PackedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the bytes are deflated; else they are the file itself. */
  readonly deflated: boolean;
  /** The number of bytes of the file, and its CRC-32. */
  readonly size: number;
  readonly crc: number;
}

/** A file in a zip: its name, and its bytes or why they cannot be had. */
export type ZippedFile = { readonly name: string } & (
  | { readonly packed: PackedFile }
  | { readonly unsafe: string }
  | { readonly damaged: string }
  | { readonly tooLong: string }
);

/** The file is not a readable zip, or is truncated. The message says why. */
export class ZipInvalid extends Error {
  override readonly name = "ZipInvalid";
}

/** How many times smaller than the file its stored bytes may be. Files of games become 3 to 30 times smaller. */
const MOST_RATIO = 200;

/**
 * The files in a zip whose names are wanted, in the order of its directory; folders are passed over. Only the present
 * file is in memory.
 *
 * What a zip says of itself is not trusted. A file is not read if its name leads out of a folder, if it would be longer
 * than `mostBytes` or more than 200 times longer than its stored bytes, or if these bytes belong to another file too:
 * so reading takes time in proportion to the length of the zip.
 *
 * Throws ZipInvalid.
 */
export async function* readZip(
  path: string,
  wanted: (name: string) => boolean,
  mostBytes: number,
): AsyncGenerator<ZippedFile, void, undefined> {
  const shared = await overlaps(path);
  const zip = await open(path);
  try {
    for await (const entry of entriesOf(zip)) {
      const name = await nameOf(entry);
      if (name.endsWith("/") || !wanted(name)) continue;
      const { validateFileName } = (await import("yauzl")).default;
      const unsafe = validateFileName(name);
      const why =
        unsafe ??
        (shared.has(entry.relativeOffsetOfLocalHeader)
          ? "its bytes are those of another file too"
          : undefined);
      if (why !== undefined) yield { name, unsafe: why };
      else if (!entry.canDecodeFileData())
        yield {
          name,
          damaged: entry.isEncrypted() ? "encrypted" : `compression method ${entry.compressionMethod}`,
        };
      else if (entry.uncompressedSize > mostBytes)
        yield { name, tooLong: `${entry.uncompressedSize} bytes; at most ${mostBytes} are read` };
      else if (entry.uncompressedSize > MOST_RATIO * entry.compressedSize)
        yield { name, unsafe: `${entry.uncompressedSize} bytes from ${entry.compressedSize}` };
      else yield await packedFile(zip, entry, name);
    }
  } finally {
    zip.close();
  }
}

/** The file of stored bytes. Throws ZipInvalid if they are not what the zip says. */
export function unpackFile({ bytes, crc, deflated, size }: PackedFile): Uint8Array {
  let file: Uint8Array = bytes;
  if (deflated)
    try {
      file = inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) });
    } catch (error) {
      throw new ZipInvalid(`cannot be inflated to ${size} bytes: ${(error as Error).message}`, {
        cause: error,
      });
    }
  if (file.length !== size) throw new ZipInvalid(`has ${file.length} bytes and should have ${size}`);
  if (crc32(file) !== crc) throw new ZipInvalid("does not have its checksum (CRC-32)");
  return file;
}

async function packedFile(zip: ZipFile, entry: Entry, name: string): Promise<ZippedFile> {
  try {
    const stream = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    const bytes = Uint8Array.from(await buffer(stream));
    const deflated = entry.compressionMethod !== 0;
    return { name, packed: { bytes, deflated, size: entry.uncompressedSize, crc: entry.crc32 } };
  } catch (error) {
    return { name, damaged: (error as Error).message };
  }
}

/** The places of files whose stored bytes overlap those of another file. */
async function overlaps(path: string): Promise<ReadonlySet<number>> {
  const zip = await open(path);
  const places: (readonly [start: number, end: number])[] = [];
  try {
    for await (const { compressedSize, fileNameLength, relativeOffsetOfLocalHeader: start } of entriesOf(zip))
      places.push([start, start + LOCAL_HEADER + fileNameLength + compressedSize]);
  } finally {
    zip.close();
  }
  places.sort(([a], [b]) => a - b);
  const shared = new Set<number>();
  let furthest = places[0];
  for (const place of places.slice(1)) {
    if (place[0] < furthest![1]) shared.add(place[0]).add(furthest![0]);
    if (place[1] > furthest![1]) furthest = place;
  }
  return shared;
}

/** Bytes of the header before a file, without its name. */
const LOCAL_HEADER = 30;

async function open(path: string): Promise<ZipFile> {
  // Loaded only if a zip is read.
  const { openPromise } = (await import("yauzl")).default;
  try {
    return await openPromise(path, {
      autoClose: false,
      lazyEntries: true,
      decodeStrings: false,
      validateEntrySizes: false,
    });
  } catch (error) {
    throw invalid(error);
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry, void, undefined> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw invalid(error);
  }
}

async function nameOf({ extraFields, fileNameRaw, generalPurposeBitFlag }: Entry): Promise<string> {
  const { getFileNameLowLevel } = (await import("yauzl")).default;
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

function invalid(error: unknown): unknown {
  // The system's own errors have a code.
  if (!(error instanceof Error) || "code" in error) return error;
  return new ZipInvalid(error.message, { cause: error });
}
