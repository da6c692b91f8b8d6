/**
 * Writes WebAssembly modules, byte by byte (WebAssembly core specification 3.0, chapter 5): as much of the format as
 * kernels over imported memories need.
 */

/** Types of parameters, results and locals. */
export type WasmType = "i32" | "i64" | "f64" | "v128";

/** A memory that a module imports as `tables.NAME`. Shared memories come first, since access to the first is fastest. */
export interface WasmMemory {
  readonly name: string;
  /** Its fixed size, in pages of 64 KiB. */
  readonly pages: number;
  /** Whether threads share it. */
  readonly shared: boolean;
}

/** One function of a module. */
export interface WasmFunction {
  /** The name under which the instance exports it. */
  readonly name: string;
  readonly parameters: readonly WasmType[];
  readonly result: WasmType;
  /** The locals after the parameters. */
  readonly locals: readonly WasmType[];
  /** Instructions without the final `end`, as `WasmCode` collects them. */
  readonly body: readonly number[];
}

const types: Readonly<Record<WasmType, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b };

/** Opcodes by their names in the text format; from 0xfd00 on: 0xfd and the number of a vector instruction. */
const opcodes = {
  else: 0x05,
  end: 0x0b,
  select: 0x1b,
  drop: 0x1a,
  "i32.eqz": 0x45,
  "i32.eq": 0x46,
  "i32.lt_s": 0x48,
  "i32.lt_u": 0x49,
  "i32.ge_s": 0x4e,
  "i32.ge_u": 0x4f,
  "i32.popcnt": 0x69,
  "i32.sub": 0x6b,
  "i32.mul": 0x6c,
  "i32.rem_u": 0x70,
  "i32.shr_u": 0x76,
  "i32.rotl": 0x77,
  "i32.wrap_i64": 0xa7,
  "i64.mul": 0x7e,
  "i64.shr_u": 0x88,
  "i64.extend_i32_u": 0xad,
  "i32.and": 0x71,
  "i32.or": 0x72,
  "i32.xor": 0x73,
  "i32.add": 0x6a,
  "i32.shl": 0x74,
  "f32.add": 0x92,
  "f64.abs": 0x99,
  "f64.add": 0xa0,
  "f64.sub": 0xa1,
  "f64.mul": 0xa2,
  "f64.div": 0xa3,
  "f64.promote_f32": 0xbb,
  "f32.demote_f64": 0xb6,
  "f64.eq": 0x61,
  "f64.gt": 0x64,
  "f64.convert_i32_s": 0xb7,
  "i32x4.splat": 0xfd11,
  "f32x4.splat": 0xfd13,
  "f32x4.eq": 0xfd41,
  "v128.any_true": 0xfd53,
  "i32x4.add": 0xfdae,
  "v128.and": 0xfd4e,
  "v128.or": 0xfd50,
  "i32x4.shl": 0xfdab,
  "f32x4.abs": 0xfde0,
  "f32x4.add": 0xfde4,
  "f32x4.mul": 0xfde6,
  "f32x4.div": 0xfde7,
} as const;

/** Loads and stores: their opcodes, as above, and the logarithm of their width in bytes. */
const accesses = {
  "i32.load": [0x28, 2],
  "i32.load8_u": [0x2d, 0],
  "f32.load": [0x2a, 2],
  "f32.store": [0x38, 2],
  "f64.load": [0x2b, 3],
  "i32.store": [0x36, 2],
  "f64.store": [0x39, 3],
  "v128.load": [0xfd00, 4],
  "v128.store": [0xfd0b, 4],
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
  "f32x4.extract_lane": 0xfd1f,
  "f32x4.replace_lane": 0xfd20,
} as const;
const variables = {
  "local.get": 0x20,
  "local.set": 0x21,
  "local.tee": 0x22,
  "global.get": 0x23,
  "global.set": 0x24,
  call: 0x10,
  br: 0x0c,
  br_if: 0x0d,
} as const;

/** The type of blocks without a result. */
const NOTHING = 0x40;

/** Collects the instructions of one function body, by their names in the text format. */
export class WasmCode {
  readonly bytes: number[] = [];

  /** An instruction without immediates. */
  op(name: keyof typeof opcodes): this {
    return this.#opcode(opcodes[name]);
  }

  /** An instruction on a local, a global, a function or an enclosing block (0 the innermost), by its number. */
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

  i64(value: number): this {
    this.bytes.push(0x42);
    signed(value, this.bytes);
    return this;
  }

  /**
   * Loads from the address on the stack plus `offset` bytes, in the memory of this number; or stores there the value above
   * the address on the stack.
   */
  access(name: keyof typeof accesses, offset: number, memory = 0): this {
    const [opcode, align] = accesses[name];
    if (memory === 0) return this.#opcode(opcode).#unsigned(align).#unsigned(offset);
    return this.#opcode(opcode).#unsigned(align + 0x40).#unsigned(memory).#unsigned(offset);
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

  /** Begins a conditional block, with a result of this type if one is given; ends with `end`. */
  if(result?: WasmType): this {
    return this.#raw([0x04, result === undefined ? NOTHING : types[result]]);
  }

  /** Begins a block without a result, which a branch to it leaves; ends with `end`. */
  block(): this {
    return this.#raw([0x02, NOTHING]);
  }

  /** Begins a block without a result, which a branch to it starts again; ends with `end`. */
  loop(): this {
    return this.#raw([0x03, NOTHING]);
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
 * The bytes of a module that imports these memories, has one mutable i32 as global 0, and exports these functions, numbered
 * in this order.
 */
export function wasmModule(
  memories: readonly WasmMemory[],
  functions: readonly WasmFunction[],
): Uint8Array<ArrayBuffer> {
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
  section(
    bytes,
    2,
    memories.map(({ name, pages, shared }) => [
      ...text("tables"),
      ...text(name),
      0x02,
      shared ? 0x03 : 0x01,
      ...number(pages),
      ...number(pages),
    ]),
  );
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
