import { WasmCode, type WasmFunction, type WasmType } from "../../compute/wasm/module.ts";
import type { TupleLookup } from "./tuple-lookup.ts";
import { ENTRY, type Places, STAGE_BITS } from "./wasm-memory.ts";

/** The parameters of a function that takes a board: its eight lines. */
export const LINES: readonly WasmType[] = ["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"];
/** The locals of a function's first eight parameters. */
export const PASSED_LINES: readonly number[] = [...LINES.keys()];

/** The numbers of the first functions of modules for stages with promotion: see `wasm-stages.ts`. */
export const PROMOTED = 0;
/** See `PROMOTED`. */
const SUM_PROMOTED = 1;
/** See `PROMOTED`. */
export const PROMOTE = 2;

/** A function under construction: its code, and locals numbered in the order of their creation. */
export class Builder {
  readonly code = new WasmCode();
  readonly lookup: TupleLookup;
  readonly places: Places;
  readonly #locals: WasmType[] = [];
  readonly #parameters: readonly WasmType[];

  /** With several stages: the local with the offset of the weights of the board's stage, in bytes. */
  readonly stage: number | undefined;

  constructor(lookup: TupleLookup, places: Places, parameters: readonly WasmType[]) {
    this.lookup = lookup;
    this.places = places;
    this.#parameters = parameters;
    this.stage = lookup.stages.count > 1 ? this.local("i32") : undefined;
  }

  /** A new local that takes the value on the stack. */
  take(type: WasmType): number {
    const local = this.local(type);
    this.code.at("local.set", local);
    return local;
  }

  local(type: WasmType): number {
    return this.#parameters.length + this.#locals.push(type) - 1;
  }

  locals(type: WasmType, count: number): number[] {
    return Array.from({ length: count }, () => this.local(type));
  }

  function(name: string, result: WasmType): WasmFunction {
    return { name, parameters: this.#parameters, result, locals: this.#locals, body: this.code.bytes };
  }
}

/** Replaces the line codes in parameters 0 to 7 by the addresses of their entries. */
export function findEntries({ code, places }: Builder): void {
  for (const line of PASSED_LINES)
    code.at("local.get", line).i32(places.entryBits).op("i32.shl").at("local.set", line);
}

/** Leaves the empty cells of the board in these locals on the stack, as in `State2048.empty`. */
export function emptyCells({ code, places, lookup }: Builder, lines: readonly number[]): void {
  for (let row = 0; row < 4; row++) {
    code.at("local.get", lines[row]!).access("i32.load", places.lines + ENTRY.occupied);
    if (lookup.stages.count > 1) code.i32(0xf).op("i32.and");
    if (row > 0)
      code
        .i32(4 * row)
        .op("i32.shl")
        .op("i32.or");
  }
  code.i32(0xffff).op("i32.xor");
}

/** Puts the tile of an outcome of chance on the board in the locals `lines`, into the locals `into`. */
export function placeTile(
  { code, places }: Builder,
  lines: readonly number[],
  outcome: number,
  into: readonly number[],
): void {
  for (const [i, line] of lines.entries()) {
    code.at("local.get", outcome).i32(5).op("i32.shl");
    code.access("i32.load", places.tiles + 4 * i);
    code.at("local.get", line).op("i32.or").at("local.set", into[i]!);
  }
}

/** Sets a local to the offset of the tables of a board's stage. */
function findStage({ code, places, lookup }: Builder, lines: readonly number[], stage: number): void {
  for (let row = 0; row < 4; row++) {
    code.at("local.get", lines[row]!).access("i32.load", places.lines + ENTRY.occupied);
    if (row > 0) code.op("i32.or");
  }
  code.i32(STAGE_BITS).op("i32.shr_u").op("i32.popcnt");
  code
    .i32(4 * lookup.stages.size)
    .op("i32.mul")
    .at("local.set", stage);
}

/**
 * Four lookups, of a tuple and its mirrored image, each upright and flipped: byte addresses of weights, relative to a base,
 * in two lanes of two locals.
 */
export interface FourLookups {
  readonly locals: readonly [upright: number, flipped: number];
  readonly lane: number;
  readonly base: number;
}

/** Locals for the addresses of all weights of a board. */
export function addressLocals(builder: Builder): number[] {
  return builder.locals("v128", 4 * builder.places.roles.pairs.length);
}

/** Computes the addresses of all weights of the board in these eight locals, and the offset of its stage. */
export function findAddresses(builder: Builder, lines: readonly number[], into: readonly number[]): void {
  const { code, places, stage } = builder;
  if (stage !== undefined) findStage(builder, lines, stage);
  for (const [i, pair] of places.roles.pairs.entries())
    for (const side of [0, 1])
      for (const flipped of [0, 1]) {
        for (const [part, { line, role }] of pair.lines.entries()) {
          code.at("local.get", lines[4 * side + (flipped ? 3 - line : line)]!);
          code.access("v128.load", places.lines + ENTRY.roles + 16 * role);
          if (part > 0) code.op("v128.or");
        }
        if (stage !== undefined) code.at("local.get", stage).op("i32x4.splat").op("i32x4.add");
        code.at("local.set", into[4 * i + 2 * side + flipped]!);
      }
}

/** The lookups at these addresses, in the order of `TupleLookup.indices`. */
export function lookupsAt({ lookup, places }: Builder, addresses: readonly number[]): FourLookups[] {
  return lookup.plan.tuples.flatMap(({ base }, tuple) => {
    const pair = places.roles.pairs.findIndex(({ tuples }) => tuples.includes(tuple));
    const lane = 2 * places.roles.pairs[pair]!.tuples.indexOf(tuple);
    return [4 * pair, 4 * pair + 2].map((at) => ({
      locals: [addresses[at]!, addresses[at + 1]!] as const,
      lane,
      base,
    }));
  });
}

/** Leaves the address of one of four lookups, relative to the base of its tuple. */
export function addressOf(code: WasmCode, { locals, lane }: FourLookups, which: number): void {
  code.at("local.get", locals[which >> 1]!).inLane("i32x4.extract_lane", lane + (which & 1));
}

/** Leaves the weights of four lookups. */
export function loadFour(code: WasmCode, four: FourLookups): void {
  for (const which of [3, 2, 1, 0]) addressOf(code, four, which);
  const offset = 4 * four.base;
  code.access("v128.load32_zero", offset);
  for (const lane of [1, 2, 3]) code.lane("v128.load32_lane", offset, lane);
}

/** Leaves (s0 + s1) + (s2 + s3) of the lanes of `sum`, as a double. */
export function sumFours({ code }: Builder, sum: number, fours: readonly (() => void)[]): void {
  for (const [i, push] of fours.entries()) {
    if (i > 0) code.at("local.get", sum);
    push();
    if (i > 0) code.op("f32x4.add");
    code.at("local.set", sum);
  }
  for (const half of [0, 2]) {
    code.at("local.get", sum).inLane("f32x4.extract_lane", half);
    code
      .at("local.get", sum)
      .inLane("f32x4.extract_lane", half + 1)
      .op("f32.add");
  }
  code.op("f32.add").op("f64.promote_f32");
}

/** Leaves the sum of the weights at these addresses; untouched weights count as in `Stages.promoted`. */
export function sumWeights(builder: Builder, lanes: number, addresses: readonly number[]): void {
  const { code, stage, lookup } = builder;
  const found = lookupsAt(builder, addresses);
  if (stage === undefined || !lookup.stages.promotes) {
    sumFours(
      builder,
      lanes,
      found.map((four) => () => loadFour(code, four)),
    );
    return;
  }
  const [weights, untouched] = [builder.local("v128"), builder.local("v128")];
  code.i32(0).op("i32x4.splat").at("local.set", untouched);
  sumFours(
    builder,
    lanes,
    found.map((four) => () => {
      loadFour(code, four);
      code.at("local.tee", weights).i32(0).op("i32x4.splat").op("f32x4.eq");
      code.at("local.get", untouched).op("v128.or").at("local.set", untouched).at("local.get", weights);
    }),
  );
  const sum = builder.take("f64");
  code.at("local.get", stage).if();
  code.at("local.get", untouched).op("v128.any_true").if();
  for (const address of addresses) code.at("local.get", address);
  code.at("call", SUM_PROMOTED).at("local.set", sum).op("end").op("end").at("local.get", sum);
}
