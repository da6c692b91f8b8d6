import { WasmCode, type WasmFunction, type WasmType } from "../compute/wasm-module.ts";
import type { TupleLookup } from "./n-tuple-lookup.ts";
import type { Places } from "./n-tuple-wasm-memory.ts";

/** The number of `value` in the module, and of its global. */
const VALUE = 0;
const CHOSEN = 0;
/** The parameters that a board is passed in: its eight lines. */
export const LINES: readonly WasmType[] = ["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"];

/** A function under construction: its code, and locals numbered as they are asked for. */
export class Builder {
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
export function addresses(builder: Builder, { plan }: TupleLookup, { forms }: Places): number[] {
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
export function loadPair(code: WasmCode, address: number, lane: number): void {
  code.at("local.get", address).inLane("i32x4.extract_lane", lane + 1);
  code.at("local.get", address).inLane("i32x4.extract_lane", lane);
  code.load("v128.load32_zero", 0).lane("v128.load32_lane", 0, 1).op("f64x2.promote_low_f32x4");
}

/** Leaves (s0 + s1) + (s2 + s3) of pairs of doubles, the sums of every fourth. */
export function sumPairs(builder: Builder, pairs: readonly (() => void)[]): void {
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

/** `value`: the sum of a board's weights. */
export function valueFunction(lookup: TupleLookup, places: Places): WasmFunction {
  const builder = new Builder(LINES);
  const found = addresses(builder, lookup, places);
  sumPairs(
    builder,
    found.flatMap((address) => [0, 2].map((lane) => () => loadPair(builder.code, address, lane))),
  );
  return builder.function("value", "f64");
}

/** `best`: the greatest reward + value over the four slides; leaves the first direction that has it in the global. */
export function bestFunction({ moves, forms }: Places): WasmFunction {
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
