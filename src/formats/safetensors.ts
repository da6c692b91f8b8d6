import { writeAtomically } from "./files/atomic-file.ts";
import { FileCorrupt } from "./files/file-corrupt.ts";
import { readWholeFile } from "./files/whole-file.ts";

/** The numbers of a tensor, row-major; the kind of array is the kind of number. */
export type TensorData = Float64Array | BigInt64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

/** A named array of a checkpoint. */
export interface StoredTensor {
  /** Lengths of the dimensions; empty for a single number. */
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** The content of a safetensors file. */
export interface TensorFile {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** Free text by key, the format's `__metadata__`. */
  readonly metadata: Readonly<Record<string, string>>;
}

const kinds = {
  F64: Float64Array,
  I64: BigInt64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  U8: Uint8Array,
} as const;

type Dtype = keyof typeof kinds;

/** The limit of the reference implementation, against headers made to exhaust memory. */
const LONGEST_HEADER = 100_000_000;

/**
 * The bytes of a safetensors file (huggingface/safetensors, README, "Format"), in pieces to be written one after another.
 *
 * Layout: the header's length N as uint64; N bytes of JSON, padded with spaces to a multiple of 8; the tensors,
 * little-endian, row-major, without gaps. Tensors are in decreasing size of their elements, then by name, so every
 * one is aligned; metadata keys are sorted. Equal contents give equal bytes, whatever the order they are given in.
 * The pieces are views of the given arrays, not copies.
 */
export function encodeSafetensors(file: TensorFile): Uint8Array[] {
  const entries = [...file.tensors].sort(
    ([a, x], [b, y]) => y.data.BYTES_PER_ELEMENT - x.data.BYTES_PER_ELEMENT || (a < b ? -1 : 1),
  );
  const header: [string, unknown][] = [];
  const keys = Object.keys(file.metadata).sort();
  if (keys.length > 0)
    header.push(["__metadata__", Object.fromEntries(keys.map((key) => [key, file.metadata[key]]))]);
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (const [name, { shape, data }] of entries) {
    if (name === "__metadata__") throw new RangeError("no tensor may be called __metadata__");
    if (elements(shape) !== data.length)
      throw new RangeError(`tensor ${name} of shape [${shape.join()}] holds ${data.length} numbers`);
    const start = end;
    end += data.byteLength;
    header.push([name, { dtype: dtypeOf(data), shape, data_offsets: [start, end] }]);
    pieces.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  // Joined by hand: an object would move names that look like integers to the front.
  const text = `{${header.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`;
  const json = new TextEncoder().encode(text);
  const length = Math.ceil(json.length / 8) * 8;
  if (length > LONGEST_HEADER)
    throw new RangeError("the names and shapes are too long for a safetensors header");
  const head = new Uint8Array(8 + length).fill(0x20);
  new DataView(head.buffer).setBigUint64(0, BigInt(length), true);
  head.set(json, 8);
  return [head, ...pieces];
}

/** Writes a safetensors file as `writeAtomically` does. Throws `FileNotWritten`. */
export function writeSafetensors(path: string, file: TensorFile): void {
  writeAtomically(path, encodeSafetensors(file));
}

/** Reads a safetensors file whole. Throws `FileCorrupt`, or the system's error if the file cannot be opened. */
export function readSafetensors(path: string): TensorFile {
  return decodeSafetensors(readWholeFile(path), path);
}

/**
 * Reads the bytes of a safetensors file; `path` names it in errors.
 *
 * Strict: every range must fit its dtype and shape, and the ranges together must cover the data exactly, without gap
 * or overlap. Dtypes other than those of `TensorData` are refused. The tensors are views of `bytes` if its
 * alignment allows, copies elsewhere. Throws `FileCorrupt`.
 */
export function decodeSafetensors(bytes: Uint8Array<ArrayBuffer>, path: string): TensorFile {
  const fail = (what: string): never => {
    throw new FileCorrupt(path, what);
  };
  if (bytes.length < 8) fail(`is no safetensors file: it has ${bytes.length} bytes`);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  if (length > LONGEST_HEADER) fail(`is no safetensors file: its header would be ${length} bytes long`);
  const dataStart = 8 + length;
  if (dataStart > bytes.length)
    fail(`is cut short: ${bytes.length} bytes, the header alone would need ${dataStart}`);
  if (bytes[8] !== 0x7b) fail("is no safetensors file: its header does not begin with {");
  const header = parseHeader(bytes.subarray(8, dataStart), fail);

  const metadata: Record<string, string> = Object.create(null);
  const ranges: { name: string; dtype: Dtype; shape: number[]; start: number; end: number }[] = [];
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") {
      for (const [key, value] of Object.entries(asObject(entry, fail, "has metadata that is no object")))
        metadata[key] = typeof value === "string" ? value : fail(`has metadata ${key} that is no text`);
      continue;
    }
    const {
      dtype,
      shape,
      data_offsets: range,
    } = asObject(entry, fail, `has a tensor ${name} without a description`);
    if (typeof dtype !== "string" || !Object.hasOwn(kinds, dtype))
      fail(
        `has a tensor ${name} of dtype ${JSON.stringify(dtype)}; known are ${Object.keys(kinds).join(", ")}`,
      );
    if (!isSizes(shape)) return fail(`has a tensor ${name} of impossible shape`);
    if (!isSizes(range) || range.length !== 2) return fail(`has a tensor ${name} without a range of data`);
    const [start, end] = range as [number, number];
    const size = elements(shape) * kinds[dtype as Dtype].BYTES_PER_ELEMENT;
    if (end - start !== size)
      fail(`gives tensor ${name} ${end - start} bytes where its dtype and shape need ${size}`);
    ranges.push({ name, dtype: dtype as Dtype, shape, start, end });
  }

  ranges.sort((a, b) => a.start - b.start || a.end - b.end);
  let covered = 0;
  for (const { name, start, end } of ranges) {
    if (start < covered) fail(`has a tensor ${name} that overlaps another`);
    if (start > covered) fail(`has a gap of ${start - covered} bytes before tensor ${name}`);
    covered = end;
  }
  const size = bytes.length - dataStart;
  if (covered > size) fail(`is cut short: ${size} bytes of data, ${covered} expected`);
  if (covered < size) fail(`has ${size - covered} bytes too many`);

  const tensors = new Map<string, StoredTensor>();
  for (const { name, dtype, shape, start, end } of ranges) {
    const Kind = kinds[dtype];
    const from = bytes.byteOffset + dataStart + start;
    const count = (end - start) / Kind.BYTES_PER_ELEMENT;
    const data =
      from % Kind.BYTES_PER_ELEMENT === 0
        ? new Kind(bytes.buffer, from, count)
        : new Kind(bytes.buffer.slice(from, from + end - start));
    tensors.set(name, { shape, data });
  }
  return { tensors, metadata };
}

function parseHeader(bytes: Uint8Array, fail: (what: string) => never): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    );
    return asObject(header, fail, "has a header that is no object");
  } catch (error) {
    if (error instanceof FileCorrupt) throw error;
    return fail(`has a header that is no JSON: ${(error as Error).message}`);
  }
}

function asObject(value: unknown, fail: (what: string) => never, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail(what);
  return value as Record<string, unknown>;
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function elements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

function dtypeOf(data: TensorData): Dtype {
  for (const [dtype, Kind] of Object.entries(kinds)) if (data instanceof Kind) return dtype as Dtype;
  throw new TypeError(`safetensors: ${data.constructor.name} is not among ${Object.keys(kinds).join(", ")}`);
}
