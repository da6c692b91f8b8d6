import {
  type Builder,
  loadPair,
  lookupsAt,
  PROMOTE,
  sumPairs,
  type TwoLookups,
} from "./n-tuple-wasm-board.ts";
import { LEAST } from "./step-rule.ts";

/** Makes the step of the board with these addresses towards a target, and leaves the sum that its weights have then. */
export type EmitStep = (builder: Builder, addresses: readonly number[], target: number, rate: number) => void;

/** Promotes weights, loads all as pairs of doubles, and leaves target - sum. */
function beginStep(
  builder: Builder,
  addresses: readonly number[],
  found: readonly TwoLookups[],
  target: number,
): number[] {
  const { code, stage } = builder;
  if (stage !== undefined) {
    code.at("local.get", stage).if();
    for (const address of addresses) code.at("local.get", address);
    code.at("call", PROMOTE).op("drop").op("end");
  }
  const pairs = found.map((two) => {
    loadPair(code, two);
    return builder.take("v128");
  });
  code.at("local.get", target);
  sumLocals(builder, pairs);
  code.op("f64.sub");
  return pairs;
}

function sumLocals(builder: Builder, pairs: readonly number[]): void {
  sumPairs(
    builder,
    builder.locals("v128", 2),
    pairs.map((pair) => () => builder.code.at("local.get", pair)),
  );
}

/** Stores pairs of doubles as weights. */
function storePairs(builder: Builder, found: readonly TwoLookups[], pairs: readonly number[]): void {
  const { code, stage } = builder;
  const single = builder.local("v128");
  for (const [i, pair] of pairs.entries()) {
    const { local, lane, base } = found[i]!;
    code.at("local.get", pair).op("f32x4.demote_f64x2_zero").at("local.set", single);
    // What has become 0 is kept from being taken for untouched: the least positive float32 has the bits of 1.
    if (stage !== undefined) {
      code.at("local.get", single).i32(0).op("i32x4.splat").op("f32x4.eq").i32(1).op("i32x4.splat");
      code.op("v128.and").at("local.get", single).op("v128.or").at("local.set", single);
    }
    for (const which of [0, 1]) {
      code.at("local.get", local).inLane("i32x4.extract_lane", lane + which);
      code.at("local.get", single).lane("v128.store32_lane", 4 * base, which);
    }
  }
}

/** The step by a fixed rate: see `FixedRate`. */
export const emitFixedStep: EmitStep = (builder, addresses, target, rate) => {
  const { code, lookup } = builder;
  const found = lookupsAt(builder, addresses);
  const pairs = beginStep(builder, addresses, found, target);
  const error = builder.take("f64");
  code.at("local.get", rate).at("local.get", error).op("f64.mul").f64(lookup.lookups).op("f64.div");
  const change = builder.take("f64");
  const moved = pairs.map((pair) => {
    code.at("local.get", pair).at("local.get", change).op("f64x2.splat").op("f64x2.add");
    return builder.take("v128");
  });
  storePairs(builder, found, moved);
  sumLocals(builder, pairs);
  code.f64(lookup.lookups).at("local.get", change).op("f64.mul").op("f64.add");
};

/** The bytes of two vectors' low and high doubles. */
const LOW = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const HIGH = LOW.map((byte) => byte + 8);

/** The step by temporal coherence: see `TemporalCoherence`. */
export const emitCoherentStep: EmitStep = (builder, addresses, target, rate) => {
  const { code, lookup, places } = builder;
  const found = lookupsAt(builder, addresses);
  const doubled = new Map(
    addresses.map((address) => {
      code.at("local.get", address).i32(1).op("i32x4.shl");
      return [address, builder.take("v128")] as const;
    }),
  );
  // E and A of each weight, side by side.
  const kept = found.flatMap(({ local, lane, base }) =>
    [0, 1].map((which) => {
      code.at("local.get", doubled.get(local)!).inLane("i32x4.extract_lane", lane + which);
      code.access("v128.load64_zero", places.coherence + 8 * base).op("f64x2.promote_low_f32x4");
      return builder.take("v128");
    }),
  );
  const pairs = beginStep(builder, addresses, found, target);
  code.f64(lookup.lookups).op("f64.div");
  const share = builder.take("f64");
  code.at("local.get", share).op("f64x2.splat");
  code.at("local.get", share).op("f64.abs").inLane("f64x2.replace_lane", 1);
  const shares = builder.take("v128");
  code.at("local.get", rate).at("local.get", share).op("f64.mul").op("f64x2.splat");
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
    const { local, lane, base } = found[i >> 1]!;
    code.at("local.get", doubled.get(local)!).inLane("i32x4.extract_lane", lane + (i & 1));
    code.at("local.get", pair).at("local.get", shares).op("f64x2.add").op("f32x4.demote_f64x2_zero");
    code.lane("v128.store64_lane", places.coherence + 8 * base, 0);
  }
  storePairs(builder, found, moved);
  sumLocals(builder, moved);
};
