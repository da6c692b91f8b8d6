/**
 * Writes WebAssembly modules, byte by byte (WebAssembly core specification 2.0, chapter 5): as much of the format as
 * kernels over one imported shared memory need.
 */

/** Types of parameters, results and locals. */
export type WasmType = "i32" | "f64" | "v128";

/** One function of a module. */
export interface WasmFunction {
  /** The name under which the instance exports it. */
  readonly name: string;
  readonly parameters: readonly WasmType[];
  readonly result: WasmType;
  /** The locals behind the parameters. */
  readonly locals: readonly WasmType[];
  /** Instructions without the final `end`, as `WasmCode` collects them. */
  readonly body: readonly number[];
}

const types: Readonly<Record<WasmType, number>> = { i32: 0x7f, f64: 0x7c, v128: 0x7b };

/** Opcodes by their names in the text format; those from 0xfd00 on are 0xfd and a number of the vector instructions. */
const opcodes = {
  else: 0x05,
  end: 0x0b,
  select: 0x1b,
  "i32.and": 0x71,
  "i32.or": 0x72,
  "i32.xor": 0x73,
  "i32.add": 0x6a,
  "i32.shl": 0x74,
  "f64.abs": 0x99,
  "f64.add": 0xa0,
  "f64.sub": 0xa1,
  "f64.mul": 0xa2,
  "f64.div": 0xa3,
  "f64.gt": 0x64,
  "f64.convert_i32_s": 0xb7,
  "i32x4.splat": 0xfd11,
  "f64x2.splat": 0xfd14,
  "v128.and": 0xfd4e,
  "v128.or": 0xfd50,
  "f32x4.demote_f64x2_zero": 0xfd5e,
  "f64x2.promote_low_f32x4": 0xfd5f,
  "i32x4.shl": 0xfdab,
  "i32x4.shr_u": 0xfdad,
  "f64x2.abs": 0xfdec,
  "f64x2.add": 0xfdf0,
  "f64x2.mul": 0xfdf2,
  "f64x2.div": 0xfdf3,
} as const;

/** Loads and stores: their opcodes, as above, and the logarithm of the width of what they move, in bytes. */
const accesses = {
  "i32.load": [0x28, 2],
  "v128.load": [0xfd00, 4],
  "v128.load32_zero": [0xfd5c, 2],
  "v128.load64_zero": [0xfd5d, 3],
} as const;
const laneAccesses = {
  "v128.load32_lane": [0xfd56, 2],
  "v128.load64_lane": [0xfd57, 3],
  "v128.store32_lane": [0xfd5a, 2],
  "v128.store64_lane": [0xfd5b, 3],
} as const;
const lanes = {
  "i32x4.extract_lane": 0xfd1b,
  "f64x2.extract_lane": 0xfd21,
  "f64x2.replace_lane": 0xfd22,
} as const;
const variables = {
  "local.get": 0x20,
  "local.set": 0x21,
  "local.tee": 0x22,
  "global.get": 0x23,
  "global.set": 0x24,
  call: 0x10,
} as const;

/** Collects the instructions of one function body, by their names in the text format. */
export class WasmCode {
  readonly bytes: number[] = [];

  /** An instruction without immediates. */
  op(name: keyof typeof opcodes): this {
    return this.#opcode(opcodes[name]);
  }

  /** An instruction on a local, a global or a function, by its number. */
  at(name: keyof typeof variables, index: number): this {
    this.bytes.push(variables[name]);
    return this.#unsigned(index);
  }

  i32(value: number): this {
    this.bytes.push(0x41);
    signed(value, this.bytes);
    return this;
  }

  f64(value: number): this {
    this.bytes.push(0x44, ...new Uint8Array(new Float64Array([value]).buffer));
    return this;
  }

  /** Loads from the address on the stack and `offset` bytes on. */
  load(name: keyof typeof accesses, offset: number): this {
    const [opcode, align] = accesses[name];
    return this.#opcode(opcode).#unsigned(align).#unsigned(offset);
  }

  /** Loads or stores one lane of a vector. */
  lane(name: keyof typeof laneAccesses, offset: number, lane: number): this {
    const [opcode, align] = laneAccesses[name];
    return this.#opcode(opcode).#unsigned(align).#unsigned(offset).#raw([lane]);
  }

  /** Takes one lane out of a vector, or puts one in. */
  inLane(name: keyof typeof lanes, lane: number): this {
    return this.#opcode(lanes[name]).#raw([lane]);
  }

  /** Picks sixteen bytes of the two vectors on the stack, numbered 0 to 31. */
  shuffle(bytes: readonly number[]): this {
    return this.#opcode(0xfd0d).#raw(bytes);
  }

  /** Begins a conditional block that leaves a value of this type; ends with `end`. */
  if(result: WasmType): this {
    return this.#raw([0x04, types[result]]);
  }

  #opcode(opcode: number): this {
    if (opcode < 0x100) return this.#raw([opcode]);
    this.bytes.push(0xfd);
    return this.#unsigned(opcode & 0xff);
  }

  #unsigned(value: number): this {
    unsigned(value, this.bytes);
    return this;
  }

  #raw(bytes: Iterable<number>): this {
    this.bytes.push(...bytes);
    return this;
  }
}

/**
 * The bytes of a module that imports one shared memory, `tables.memory` of exactly `pages` pages of 64 KiB, holds one
 * mutable i32, which global 0 is, and exports its functions, numbered as listed.
 */
export function wasmModule(pages: number, functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const bytes = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  section(
    bytes,
    1,
    functions.map(({ parameters, result }) => [
      0x60,
      ...sized(parameters.map((type) => types[type])),
      1,
      types[result],
    ]),
  );
  const limits = [...number(pages), ...number(pages)];
  section(bytes, 2, [[...text("tables"), ...text("memory"), 0x02, 0x03, ...limits]]);
  section(
    bytes,
    3,
    functions.map((_, index) => number(index)),
  );
  section(bytes, 6, [[types.i32, 0x01, 0x41, 0x00, 0x0b]]);
  section(
    bytes,
    7,
    functions.map(({ name }, index) => [...text(name), 0x00, ...number(index)]),
  );
  section(
    bytes,
    10,
    functions.map(({ locals, body }) =>
      sized([...number(locals.length), ...locals.flatMap((type) => [1, types[type]]), ...body, 0x0b]),
    ),
  );
  return Uint8Array.from(bytes);
}

function section(into: number[], id: number, items: readonly (readonly number[])[]): void {
  const content = [...number(items.length), ...items.flat()];
  into.push(id, ...number(content.length));
  for (const byte of content) into.push(byte);
}

function sized(content: readonly number[]): number[] {
  return [...number(content.length), ...content];
}

function text(value: string): number[] {
  return sized([...new TextEncoder().encode(value)]);
}

function number(value: number): number[] {
  const bytes: number[] = [];
  unsigned(value, bytes);
  return bytes;
}

/** LEB128, of integers from 0 to 2^32 - 1. */
function unsigned(value: number, into: number[]): void {
  let rest = value >>> 0;
  while (rest >= 0x80) {
    into.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  into.push(rest);
}

/** Signed LEB128, of 32-bit integers. */
function signed(value: number, into: number[]): void {
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) {
      into.push(low);
      return;
    }
    into.push(low | 0x80);
  }
}
