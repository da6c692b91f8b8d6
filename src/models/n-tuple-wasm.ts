import { REWARD, lineTables, SLID, TOWARDS_END, CELL } from "../games/2048-lines.ts";
import { WasmCode, type WasmFunction, wasmModule, type WasmType } from "../compute/wasm-module.ts";
import { canRun, instantiate, PAGE, type SharedMemory, sharedMemory } from "../compute/webassembly.ts";
import type { NTupleKernel } from "./n-tuple-kernel.ts";
import { lineForms, type TupleLookup } from "./n-tuple-lookup.ts";
import { LEAST } from "./step-rule.ts";

const CODES = 1 << 20;
/** Bytes of a line's entry among the moves: the line slid towards cell 0, towards its end, the reward, nothing. */
const MOVE = 16;
/** Bytes of a line's entry among the forms: what it puts into the four lines that cross it, its form, its mirrored form. */
const FORM = 32;

/** Where things lie in the memory of a network, in bytes. */
interface Places {
  readonly coherence: number;
  readonly moves: number;
  readonly forms: number;
  readonly pages: number;
}

function placesOf({ size }: TupleLookup): Places {
  const coherence = 4 * size;
  const moves = 12 * size;
  const forms = moves + MOVE * CODES;
  return { coherence, moves, forms, pages: Math.ceil((forms + FORM * CODES) / PAGE) };
}

/**
 * A memory for the tables of a 4x4 network, zeroed weights first, then coherence, then what its kernel looks lines up in;
 * undefined where the platform has no WebAssembly with vectors, or not so much memory.
 */
export function wasmTables(lookup: TupleLookup): SharedMemory | undefined {
  const places = placesOf(lookup);
  if (places.pages > 0x10000 || !canRun(moduleBytes(lookup, places))) return undefined;
  const memory = sharedMemory(places.pages);
  if (memory !== undefined) fillLines(lookup, places, memory);
  return memory;
}

function fillLines(lookup: TupleLookup, { moves, forms }: Places, { buffer }: SharedMemory): void {
  const entries = lineTables(4);
  const intoMoves = new Int32Array(buffer, moves, (MOVE / 4) * CODES);
  const intoForms = new Int32Array(buffer, forms, (FORM / 4) * CODES);
  const lines = lineForms(lookup.plan);
  for (let code = 1; code < CODES; code++) {
    // No line has this code: an exponent above the greatest.
    if (SLID[entries + code] === 0) continue;
    intoMoves[4 * code] = SLID[entries + code]!;
    intoMoves[4 * code + 1] = SLID[entries + TOWARDS_END + code]!;
    intoMoves[4 * code + 2] = REWARD[entries + code]!;
    for (let j = 0; j < 4; j++) intoForms[8 * code + j] = (code >> j) & CELL;
    intoForms[8 * code + 4] = lines[2 * code]!;
    intoForms[8 * code + 5] = lines[2 * code + 1]!;
  }
}

/**
 * The kernel in WebAssembly, on a memory by `wasmTables`; only for boards of 4x4 cells.
 *
 * Its functions keep nothing but the tables, so that threads can share a memory: boards are passed as eight numbers.
 * Indices are made four at a time, one for each way of reading the lines in their order or the opposite one; sums and
 * steps go two lanes at a time, in double precision, in the order that `StepRule` and `TupleLookup` describe.
 */
export function wasmKernel(lookup: TupleLookup, memory: SharedMemory): NTupleKernel {
  const { value, best, chosen, tc, td } = instantiate(
    moduleBytes(lookup, placesOf(lookup)),
    memory,
  ) as Record<"value" | "best" | "chosen" | "tc" | "td", (...numbers: number[]) => number>;
  return {
    value: (lines, at) =>
      value(
        lines[at]!,
        lines[at + 1]!,
        lines[at + 2]!,
        lines[at + 3]!,
        lines[at + 4]!,
        lines[at + 5]!,
        lines[at + 6]!,
        lines[at + 7]!,
      ),
    best: (lines) =>
      best(lines[0]!, lines[1]!, lines[2]!, lines[3]!, lines[4]!, lines[5]!, lines[6]!, lines[7]!),
    chosen: () => chosen(),
    stepper({ use, rate }) {
      const step = use === "tc" ? tc : td;
      return (lines, at, target) =>
        step(
          lines[at]!,
          lines[at + 1]!,
          lines[at + 2]!,
          lines[at + 3]!,
          lines[at + 4]!,
          lines[at + 5]!,
          lines[at + 6]!,
          lines[at + 7]!,
          target,
          rate,
        );
    },
  };
}

const modules = new Map<string, Uint8Array<ArrayBuffer>>();

function moduleBytes(lookup: TupleLookup, places: Places): Uint8Array<ArrayBuffer> {
  const key = JSON.stringify(lookup.plan);
  let bytes = modules.get(key);
  if (bytes === undefined) {
    bytes = wasmModule(places.pages, [
      valueFunction(lookup, places),
      bestFunction(places),
      {
        name: "chosen",
        parameters: [],
        result: "i32",
        locals: [],
        body: new WasmCode().at("global.get", 0).bytes,
      },
      coherentStep(lookup, places),
      fixedStep(lookup, places),
    ]);
    modules.set(key, bytes);
  }
  return bytes;
}

/** Numbers of functions in the module, of its global, and of the first lines among the parameters. */
const VALUE = 0;
const CHOSEN = 0;
const LINES: readonly WasmType[] = ["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"];

/** A function under construction: its code, and locals numbered as they are asked for. */
class Builder {
  readonly code = new WasmCode();
  readonly #locals: WasmType[] = [];
  readonly #parameters: readonly WasmType[];

  constructor(parameters: readonly WasmType[]) {
    this.#parameters = parameters;
  }

  /** A new local that takes what is on the stack. */
  take(type: WasmType): number {
    const local = this.local(type);
    this.code.at("local.set", local);
    return local;
  }

  local(type: WasmType): number {
    return this.#parameters.length + this.#locals.push(type) - 1;
  }

  function(name: string, result: WasmType): WasmFunction {
    return { name, parameters: this.#parameters, result, locals: this.#locals, body: this.code.bytes };
  }
}

/**
 * Makes the byte addresses of all weights of the board in parameters 0 to 7: a local of four lanes for each tuple and
 * each side of the diagonal, the lanes in the order of `TupleLookup.indices`.
 */
function addresses(builder: Builder, { plan }: TupleLookup, { forms }: Places): number[] {
  const { code } = builder;
  for (let line = 0; line < 8; line++) code.at("local.get", line).i32(5).op("i32.shl").at("local.set", line);
  const vectors = LINES.map((_, line) => {
    const opposite = (line & 4) + 3 - (line & 3);
    code
      .at("local.get", opposite)
      .at("local.get", line)
      .load("v128.load64_zero", forms + 16);
    code.lane("v128.load64_lane", forms + 16, 1);
    return builder.take("v128");
  });
  return plan.tuples.flatMap(({ base, parts }) =>
    [0, 4].map((side) => {
      for (const [i, { line, mask, shift }] of parts.entries()) {
        code
          .at("local.get", vectors[line + side]!)
          .i32(mask)
          .op("i32x4.splat")
          .op("v128.and");
        if (shift !== 0) code.i32(Math.abs(shift)).op(shift > 0 ? "i32x4.shl" : "i32x4.shr_u");
        if (i > 0) code.op("v128.or");
      }
      if (base !== 0) code.i32(base).op("i32x4.splat").op("v128.or");
      code.i32(2).op("i32x4.shl");
      return builder.take("v128");
    }),
  );
}

/** Loads the weights at two lanes of an address vector as two doubles. */
function loadPair(code: WasmCode, address: number, lane: number): void {
  code.at("local.get", address).inLane("i32x4.extract_lane", lane + 1);
  code.at("local.get", address).inLane("i32x4.extract_lane", lane);
  code.load("v128.load32_zero", 0).lane("v128.load32_lane", 0, 1).op("f64x2.promote_low_f32x4");
}

/** Leaves (s0 + s1) + (s2 + s3) of pairs of doubles, the sums of every fourth. */
function sumPairs(builder: Builder, pairs: readonly (() => void)[]): void {
  const { code } = builder;
  const sums = [builder.local("v128"), builder.local("v128")];
  for (const [i, push] of pairs.entries()) {
    const sum = sums[i % 2]!;
    if (i >= 2) code.at("local.get", sum);
    push();
    if (i >= 2) code.op("f64x2.add");
    code.at("local.set", sum);
  }
  for (const sum of sums) {
    code.at("local.get", sum).inLane("f64x2.extract_lane", 0);
    code.at("local.get", sum).inLane("f64x2.extract_lane", 1).op("f64.add");
  }
  code.op("f64.add");
}

function valueFunction(lookup: TupleLookup, places: Places): WasmFunction {
  const builder = new Builder(LINES);
  const found = addresses(builder, lookup, places);
  sumPairs(
    builder,
    found.flatMap((address) => [0, 2].map((lane) => () => loadPair(builder.code, address, lane))),
  );
  return builder.function("value", "f64");
}

function bestFunction({ moves, forms }: Places): WasmFunction {
  const builder = new Builder(LINES);
  const { code } = builder;
  const best = builder.local("f64");
  const value = builder.local("f64");
  const slid = [0, 1, 2, 3].map(() => builder.local("i32"));
  const crossing = builder.local("v128");
  code.f64(-Infinity).at("local.set", best);
  for (let direction = 0; direction < 4; direction++) {
    const along = direction % 2 === 0 ? 4 : 0;
    const towards = direction === 1 || direction === 2 ? 4 : 0;
    for (let j = 0; j < 4; j++) {
      code
        .at("local.get", along + j)
        .i32(4)
        .op("i32.shl")
        .load("i32.load", moves + towards);
      code
        .at("local.tee", slid[j]!)
        .at("local.get", along + j)
        .op("i32.xor");
      if (j > 0) code.op("i32.or");
    }
    code.if("f64");
    for (let j = 0; j < 4; j++) {
      code
        .at("local.get", along + j)
        .i32(4)
        .op("i32.shl")
        .load("i32.load", moves + 8);
      if (j > 0) code.op("i32.add");
    }
    code.op("f64.convert_i32_s");
    for (let j = 0; j < 4; j++) {
      code.at("local.get", slid[j]!).i32(5).op("i32.shl").load("v128.load", forms);
      if (j > 0) code.i32(j).op("i32x4.shl").op("v128.or");
    }
    code.at("local.set", crossing);
    const pushSlid = () => slid.forEach((local) => code.at("local.get", local));
    if (along === 0) pushSlid();
    for (let j = 0; j < 4; j++) code.at("local.get", crossing).inLane("i32x4.extract_lane", j);
    if (along === 4) pushSlid();
    code.at("call", VALUE).op("f64.add");
    code.op("else").f64(-Infinity).op("end").at("local.set", value);
    code.i32(direction).at("global.get", CHOSEN);
    code.at("local.get", value).at("local.get", best).op("f64.gt").op("select").at("global.set", CHOSEN);
    code.at("local.get", value).at("local.get", best);
    code.at("local.get", value).at("local.get", best).op("f64.gt").op("select").at("local.set", best);
  }
  code.at("local.get", best);
  return builder.function("best", "f64");
}

const TARGET = LINES.length;
const RATE = TARGET + 1;
const STEP: readonly WasmType[] = [...LINES, "f64", "f64"];

/** Begins a step: loads all weights as pairs of doubles, and leaves target - sum on the stack. */
function beginStep(builder: Builder, found: readonly number[]): number[] {
  const { code } = builder;
  const pairs = found.flatMap((address) =>
    [0, 2].map((lane) => {
      loadPair(code, address, lane);
      return builder.take("v128");
    }),
  );
  code.at("local.get", TARGET);
  sumPairs(
    builder,
    pairs.map((pair) => () => code.at("local.get", pair)),
  );
  code.op("f64.sub");
  return pairs;
}

/** Stores pairs of doubles as weights. */
function storePairs(builder: Builder, found: readonly number[], pairs: readonly number[]): void {
  const { code } = builder;
  const single = builder.local("v128");
  for (const [i, pair] of pairs.entries()) {
    code.at("local.get", pair).op("f32x4.demote_f64x2_zero").at("local.set", single);
    for (const lane of [0, 1]) {
      code.at("local.get", found[i >> 1]!).inLane("i32x4.extract_lane", 2 * (i % 2) + lane);
      code.at("local.get", single).lane("v128.store32_lane", 0, lane);
    }
  }
}

function fixedStep(lookup: TupleLookup, places: Places): WasmFunction {
  const builder = new Builder(STEP);
  const { code } = builder;
  const found = addresses(builder, lookup, places);
  const pairs = beginStep(builder, found);
  const error = builder.take("f64");
  code.at("local.get", RATE).at("local.get", error).op("f64.mul").f64(lookup.lookups).op("f64.div");
  const change = builder.take("f64");
  const moved = pairs.map((pair) => {
    code.at("local.get", pair).at("local.get", change).op("f64x2.splat").op("f64x2.add");
    return builder.take("v128");
  });
  storePairs(builder, found, moved);
  sumPairs(
    builder,
    pairs.map((pair) => () => code.at("local.get", pair)),
  );
  code.f64(lookup.lookups).at("local.get", change).op("f64.mul").op("f64.add");
  return builder.function("td", "f64");
}

/** The bytes of two vectors' low and high doubles. */
const LOW = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const HIGH = LOW.map((byte) => byte + 8);

function coherentStep(lookup: TupleLookup, places: Places): WasmFunction {
  const builder = new Builder(STEP);
  const { code } = builder;
  const found = addresses(builder, lookup, places);
  const doubled = found.map((address) => {
    code.at("local.get", address).i32(1).op("i32x4.shl");
    return builder.take("v128");
  });
  // E and A of each weight, side by side.
  const kept = doubled.flatMap((address) =>
    [0, 1, 2, 3].map((lane) => {
      code.at("local.get", address).inLane("i32x4.extract_lane", lane);
      code.load("v128.load64_zero", places.coherence).op("f64x2.promote_low_f32x4");
      return builder.take("v128");
    }),
  );
  const pairs = beginStep(builder, found);
  code.f64(lookup.lookups).op("f64.div");
  const share = builder.take("f64");
  code.at("local.get", share).op("f64x2.splat");
  code.at("local.get", share).op("f64.abs").inLane("f64x2.replace_lane", 1);
  const shares = builder.take("v128");
  code.at("local.get", RATE).at("local.get", share).op("f64.mul").op("f64x2.splat");
  const full = builder.take("v128");
  const least = () => code.f64(LEAST).op("f64x2.splat").op("f64x2.add");
  const moved = pairs.map((pair, i) => {
    const both = () => code.at("local.get", kept[2 * i]!).at("local.get", kept[2 * i + 1]!);
    code.at("local.get", pair).at("local.get", full);
    both().shuffle(LOW).op("f64x2.abs");
    least();
    both().shuffle(HIGH);
    least();
    code.op("f64x2.div").op("f64x2.mul").op("f64x2.add");
    return builder.take("v128");
  });
  for (const [i, pair] of kept.entries()) {
    code.at("local.get", doubled[i >> 2]!).inLane("i32x4.extract_lane", i % 4);
    code.at("local.get", pair).at("local.get", shares).op("f64x2.add").op("f32x4.demote_f64x2_zero");
    code.lane("v128.store64_lane", places.coherence, 0);
  }
  storePairs(builder, found, moved);
  sumPairs(
    builder,
    moved.map((pair) => () => code.at("local.get", pair)),
  );
  return builder.function("tc", "f64");
}
