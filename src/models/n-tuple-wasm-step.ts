import type { WasmFunction, WasmType } from "../compute/wasm-module.ts";
import type { TupleLookup } from "./n-tuple-lookup.ts";
import type { Places } from "./n-tuple-wasm-memory.ts";
import { addresses, Builder, LINES, loadPair, sumPairs } from "./n-tuple-wasm-value.ts";
import { LEAST } from "./step-rule.ts";

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

/** `td`: the step by a fixed rate of a board towards a target. */
export function fixedStep(lookup: TupleLookup, places: Places): WasmFunction {
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

/** `tc`: the step by temporal coherence of a board towards a target. */
export function coherentStep(lookup: TupleLookup, places: Places): WasmFunction {
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
