import { createHash, type Hash } from "node:crypto";
import { statSync } from "node:fs";
import type { Dataset, File } from "h5wasm/node";

/**
 * HDF5 files of one-dimensional and two-dimensional arrays that grow row by row. h5wasm, the HDF5 library as WebAssembly,
 * is loaded when the first file is opened.
 */

/** Numbers of an array in memory, by their type, which is named as in NumPy. */
interface Hdf5Numbers {
  readonly uint8: Uint8Array;
  readonly uint16: Uint16Array;
  readonly uint32: Uint32Array;
  readonly float32: Float32Array;
}

type Hdf5Type = keyof Hdf5Numbers;

/** By type: its code in h5wasm, bytes of a number, and an array on a buffer. */
const TYPES: {
  readonly [T in Hdf5Type]: {
    readonly code: string;
    readonly bytes: number;
    readonly on: (buffer: ArrayBufferLike) => Hdf5Numbers[T];
  };
} = {
  uint8: { code: "<B", bytes: 1, on: (buffer) => new Uint8Array(buffer) },
  uint16: { code: "<H", bytes: 2, on: (buffer) => new Uint16Array(buffer) },
  uint32: { code: "<I", bytes: 4, on: (buffer) => new Uint32Array(buffer) },
  float32: { code: "<f", bytes: 4, on: (buffer) => new Float32Array(buffer) },
};

/** Numbers of a chunk, which is compressed as a whole. */
const CHUNK = 1 << 16;

/** How many times longer than the file an array may be: more than deflate compresses. */
const MOST_RATIO = 1100;

/**
 * The attribute of an array with the SHA-256 of its numbers, little-endian and row by row; of an array of texts with that of their
 * JSON; and of the file with that of the JSON of its other attributes. Earlier versions wrote only the first one.
 */
const CHECKSUM = "sha256";

function sumOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** The checksum of attributes: pairs of name and value as text, by name. */
function sumOfAttributes(attributes: Iterable<readonly [name: string, value: unknown]>): string {
  const pairs = [...attributes].map(([name, value]) => [name, String(value)] as const);
  return sumOf(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function library(): Promise<typeof import("h5wasm/node")> {
  const loaded = await import("h5wasm/node");
  // Without it, the library writes errors to standard error and continues.
  (await loaded.default.ready).activate_throwing_error_handler();
  return loaded;
}

/** An HDF5 file that is being written. Errors of the library, such as a full disk, are thrown as Error. */
export class Hdf5Writer {
  readonly #file: File;
  readonly #arrays: Hdf5Array[] = [];
  readonly #attributes = new Map<string, string | number>();

  private constructor(file: File) {
    this.#file = file;
  }

  /** Makes a file, in place of one that may be there. */
  static async create(path: string): Promise<Hdf5Writer> {
    const { File: Hdf5File } = await library();
    return new Hdf5Writer(new Hdf5File(path, "w"));
  }

  /** Makes an array of rows of `width` numbers; without a width, of numbers. A path with a slash makes a group. */
  array(path: string, type: Hdf5Type, width?: number): Hdf5Array {
    const group = path.split("/").slice(0, -1).join("/");
    if (group !== "" && !this.#file.keys().includes(group)) this.#file.create_group(group);
    const rows = Math.max(1, Math.floor(CHUNK / (width ?? 1)));
    const numbers = width === undefined ? [] : [width];
    const dataset = this.#file.create_dataset({
      name: path,
      data: TYPES[type].on(new ArrayBuffer(0)),
      shape: [0, ...numbers],
      maxshape: [null, ...numbers],
      chunks: [rows, ...numbers],
      compression: 4,
      dtype: TYPES[type].code,
    });
    const array = new Hdf5Array(dataset, type, rows, width);
    this.#arrays.push(array);
    return array;
  }

  /** Writes texts, as UTF-8. */
  texts(path: string, texts: readonly string[]): void {
    const bytes = Math.max(1, ...texts.map((text) => Buffer.byteLength(text)));
    const dataset = this.#file.create_dataset({
      name: path,
      data: [...texts],
      shape: [texts.length],
      dtype: `S${bytes}`,
    });
    dataset.create_attribute(CHECKSUM, sumOf(texts));
  }

  /** Writes an attribute of the file: a text or a whole number. */
  attribute(name: string, value: string | number): void {
    this.#attributes.set(name, value);
    if (typeof value === "number") this.#file.create_attribute(name, value, null, "<Q");
    else this.#file.create_attribute(name, value);
  }

  /** Ends the arrays, writes the checksum of the attributes and closes the file. */
  close(): void {
    for (const array of this.#arrays) array.end();
    this.#file.create_attribute(CHECKSUM, sumOfAttributes(this.#attributes));
    this.#file.close();
  }

  /** Closes the file as it is; it is not to be used. */
  abandon(): void {
    try {
      this.#file.close();
    } catch {
      // The reason for abandoning it is reported already.
    }
  }
}

/** An array that is being written. */
export class Hdf5Array {
  readonly #dataset: Dataset;
  readonly #rows: Hdf5Numbers[Hdf5Type];
  readonly #width: number | undefined;
  readonly #sum: Hash = createHash("sha256");
  /** Numbers in the buffer, and rows in the file. */
  #held = 0;
  #written = 0;

  constructor(dataset: Dataset, type: Hdf5Type, rows: number, width: number | undefined) {
    this.#dataset = dataset;
    this.#width = width;
    this.#rows = TYPES[type].on(new ArrayBuffer(TYPES[type].bytes * rows * (width ?? 1)));
  }

  /** Appends whole rows. */
  append(numbers: Hdf5Numbers[Hdf5Type] | readonly number[]): void {
    for (let from = 0; from < numbers.length;) {
      const count = Math.min(numbers.length - from, this.#rows.length - this.#held);
      this.#rows.set(numbers.slice(from, from + count), this.#held);
      this.#held += count;
      from += count;
      if (this.#held === this.#rows.length) this.#flush();
    }
  }

  /** Writes what is held, and the checksum. */
  end(): void {
    if (this.#held > 0) this.#flush();
    this.#dataset.create_attribute(CHECKSUM, this.#sum.digest("hex"));
  }

  #flush(): void {
    const width = this.#width ?? 1;
    const numbers = this.#rows.subarray(0, this.#held);
    const rows = this.#held / width;
    const columns = this.#width === undefined ? [] : [width];
    this.#sum.update(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
    this.#dataset.resize([this.#written + rows, ...columns]);
    const place = [this.#written, this.#written + rows] as [number, number];
    this.#dataset.write_slice([place, ...columns.map((count) => [0, count] as [number, number])], numbers);
    this.#written += rows;
    this.#held = 0;
  }
}

/** An HDF5 file that is read. What the file lacks, and what the library cannot read, is thrown as Error. */
export class Hdf5Reader {
  readonly #file: File;
  /** Bytes of the file. */
  readonly #size: number;
  readonly #step: () => void;

  private constructor(file: File, size: number, step: () => void) {
    this.#file = file;
    this.#size = size;
    this.#step = step;
  }

  /** Opens a file that exists, and compares the checksum of its attributes. `step` is called after each part that is read. */
  static async open(path: string, step: () => void = () => undefined): Promise<Hdf5Reader> {
    const { File: Hdf5File } = await library();
    const file = new Hdf5File(path, "r");
    try {
      const { [CHECKSUM]: sum, ...others } = file.attrs;
      const attributes = Object.entries(others).map(([name, { value }]) => [name, value] as const);
      if (sum !== undefined && sum.value !== sumOfAttributes(attributes))
        throw new Error("its attributes do not have their checksum (SHA-256)");
    } catch (error) {
      file.close();
      throw error;
    }
    step();
    return new Hdf5Reader(file, statSync(path).size, step);
  }

  /** The value of an attribute of the file. */
  attribute(name: string): unknown {
    const found = this.#file.attrs[name];
    if (found === undefined) throw new Error(`the attribute ${name} is missing`);
    return found.value;
  }

  /** The number of rows of an array. */
  rows(path: string): number {
    return this.#dataset(path).shape![0]!;
  }

  /** The texts of an array of texts; compares their checksum. */
  texts(path: string): string[] {
    const dataset = this.#dataset(path);
    const texts = dataset.shape![0] === 0 ? [] : (dataset.value as string[]);
    const sum = dataset.attrs[CHECKSUM]?.value;
    if (sum !== undefined && sum !== sumOf(texts))
      throw new Error(`${path} does not have its checksum (SHA-256)`);
    return texts;
  }

  /**
   * Reads an array into shared memory, row by row, and compares its checksum. Throws if the file has another type or
   * another number of columns.
   */
  read<T extends Hdf5Type>(path: string, type: T, width?: number): Hdf5Numbers[T] {
    const { bytes, code, on } = TYPES[type];
    const dataset = this.#dataset(path);
    const shape = dataset.shape ?? [];
    if (dataset.dtype !== code || shape.length !== (width === undefined ? 1 : 2) || shape[1] !== width)
      throw new Error(`${path} is no array of ${type}${width === undefined ? "" : ` with ${width} columns`}`);
    const numbers = shape[0]! * (width ?? 1);
    if (bytes * numbers > MOST_RATIO * this.#size)
      throw new Error(
        `${path} would have ${shape[0]} rows, more than a file of ${this.#size} bytes can hold`,
      );
    const all = on(new SharedArrayBuffer(bytes * numbers));
    this.#goThrough(path, dataset, (read, from) => all.set(read, from));
    return all;
  }

  /** Reads an array and compares its checksum, in little memory. */
  verify(path: string): void {
    this.#goThrough(path, this.#dataset(path), () => undefined);
  }

  close(): void {
    this.#file.close();
  }

  /** Reads an array part by part, and compares its checksum; `take` gets the index of the part's first number in the array. */
  #goThrough(
    path: string,
    dataset: Dataset,
    take: (read: Hdf5Numbers[Hdf5Type], from: number) => void,
  ): void {
    const [rows = 0, ...columns] = dataset.shape ?? [];
    const width = columns[0] ?? 1;
    const sum = createHash("sha256");
    const most = Math.max(1, Math.floor((16 * CHUNK) / width));
    for (let from = 0; from < rows; from += most) {
      const to = Math.min(rows, from + most);
      const part = dataset.slice([[from, to], ...columns.map((count) => [0, count] as [number, number])]);
      const read = part as Hdf5Numbers[Hdf5Type];
      sum.update(new Uint8Array(read.buffer, read.byteOffset, read.byteLength));
      take(read, from * width);
      this.#step();
    }
    if (dataset.attrs[CHECKSUM]?.value !== sum.digest("hex"))
      throw new Error(`${path} does not have its checksum (SHA-256)`);
  }

  #dataset(path: string): Dataset {
    const found = this.#file.get(path);
    if (found === null || !("shape" in found)) throw new Error(`the array ${path} is missing`);
    return found;
  }
}
