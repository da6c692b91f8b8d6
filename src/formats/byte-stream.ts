import { FileCorrupt } from "./files/file-corrupt.ts";

/**
 * Appends numbers, text and bytes to a buffer that grows.
 *
 * Integers are unsigned LEB128 (as in Protocol Buffers and DWARF): seven bits a byte, low ones first, the high bit
 * set on all but the last. Fixed-width numbers are little-endian.
 */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** An integer in [0, 2^53). */
  varint(value: number): void {
    this.#reserve(8);
    this.#length = putVarint(this.#bytes, this.#length, value);
  }

  /** The number of integers, then each integer as a varint. */
  varints(values: ArrayLike<number>): void {
    this.varint(values.length);
    this.#reserve(8 * values.length);
    // In locals: a game has thousands of actions, nearly all of one byte.
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (value >>> 0 === value && value < 0x80) bytes[at++] = value;
      else at = putVarint(bytes, at, value);
    }
    this.#length = at;
  }

  /**
   * Bytes per number (4 or 8), the number of numbers, then each of them in the byte order of the machine: little-endian on
   * all supported ones.
   */
  floats(values: Float32Array | Float64Array): void {
    this.varint(values.BYTES_PER_ELEMENT);
    this.varint(values.length);
    this.raw(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** The length in bytes, then UTF-8. */
  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** The bytes without their number, which the reader must know. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A copy of all that was written. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

function putVarint(bytes: Uint8Array, at: number, value: number): number {
  if (!(Number.isSafeInteger(value) && value >= 0))
    throw new RangeError(`${value} is no integer in [0, 2^53)`);
  while (value >= 0x80) {
    bytes[at++] = (value % 0x80) | 0x80;
    value = Math.floor(value / 0x80);
  }
  bytes[at++] = value;
  return at;
}

/** Reads the bytes of a `ByteWriter`. Bytes that do not fit are a `FileCorrupt` of `path`. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #path: string;
  #at = 0;

  constructor(bytes: Uint8Array, path: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#path = path;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#take(1)]!;
      value += (byte & 0x7f) * scale;
      if (!Number.isSafeInteger(value)) this.fail("holds an integer of more than 53 bits");
      if (byte < 0x80) {
        // One encoding a number, so that equal records are equal bytes.
        if (byte === 0 && scale > 1) this.fail("holds an integer longer than it need be");
        return value;
      }
    }
  }

  /** What `varints` wrote, each below 2^31. */
  varints(): Int32Array {
    const values = new Int32Array(this.count(1));
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < values.length; i++) {
      const byte = bytes[at];
      if (byte !== undefined && byte < 0x80) {
        values[i] = byte;
        at++;
        continue;
      }
      this.#at = at;
      const value = this.varint();
      if (value > 0x7fffffff) this.fail(`holds ${value} where integers below 2^31 belong`);
      values[i] = value;
      at = this.#at;
    }
    this.#at = at;
    return values;
  }

  /** A varint that counts items of at least `bytesEach` bytes that follow: the bytes left bound it. */
  count(bytesEach: number): number {
    const count = this.varint();
    if (count * bytesEach > this.#bytes.length - this.#at)
      this.fail(`promises ${count} items and ends before them`);
    return count;
  }

  /** What `floats` wrote. */
  floats(): Float32Array | Float64Array {
    const width = this.varint();
    if (width !== 4 && width !== 8) this.fail(`holds numbers of ${width} bytes`);
    // A copy is aligned.
    const bytes = this.raw(width * this.count(width));
    return width === 4 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  }

  float64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  text(): string {
    const bytes = this.raw(this.count(1));
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return this.fail("holds text that is not UTF-8");
    }
  }

  /** A copy of the next `count` bytes. */
  raw(count: number): Uint8Array<ArrayBuffer> {
    const start = this.#take(count);
    return new Uint8Array(this.#bytes.subarray(start, start + count));
  }

  /** Whether everything has been read. */
  get ended(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Throws if bytes are left. */
  end(): void {
    const left = this.#bytes.length - this.#at;
    if (left > 0) this.fail(`has ${left} bytes too many`);
  }

  fail(what: string): never {
    throw new FileCorrupt(this.#path, what);
  }

  #take(count: number): number {
    const start = this.#at;
    if (count > this.#bytes.length - start) this.fail("ends too early");
    this.#at = start + count;
    return start;
  }
}
