import {
  addressOf,
  type Builder,
  type FourLookups,
  loadFour,
  lookupsAt,
  PROMOTE,
  sumFours,
} from "./wasm-board.ts";
import { LEAST } from "./step-rule.ts";

/** Steps the board with these addresses towards a target, and leaves the new sum of its weights on the stack. */
export type EmitStep = (builder: Builder, addresses: readonly number[], target: number, rate: number) => void;

/** The state at the beginning of a step. */
interface Begun {
  /** The weights, four in a local. */
  readonly fours: readonly number[];
  /** The local with their sum, and the local with an equal share of the error. */
  readonly sum: number;
  readonly share: number;
}

/** Promotes weights, loads all of them, and computes their error. */
function beginStep(
  builder: Builder,
  addresses: readonly number[],
  found: readonly FourLookups[],
  target: number,
): Begun {
  const { code, lookup, stage } = builder;
  if (stage !== undefined && lookup.stages.promotes) {
    code.at("local.get", stage).if();
    for (const address of addresses) code.at("local.get", address);
    code.at("call", PROMOTE).op("drop").op("end");
  }
  const fours = found.map((four) => {
    loadFour(code, four);
    return builder.take("v128");
  });
  sumLocals(builder, fours);
  const sum = builder.take("f64");
  code.at("local.get", target).at("local.get", sum).op("f64.sub").f64(lookup.lookups).op("f64.div");
  return { fours, sum, share: builder.take("f64") };
}

function sumLocals(builder: Builder, fours: readonly number[]): void {
  sumFours(
    builder,
    builder.local("v128"),
    fours.map((four) => () => builder.code.at("local.get", four)),
  );
}

function storeFours(builder: Builder, found: readonly FourLookups[], fours: readonly number[]): void {
  const { code, lookup } = builder;
  const { promotes } = lookup.stages;
  const touched = builder.local("v128");
  for (const [i, weights] of fours.entries()) {
    const four = found[i]!;
    // A weight that became 0 must not look untouched: it gets the least positive float32, whose bits are those of 1.
    if (promotes) {
      code.at("local.get", weights).i32(0).op("i32x4.splat").op("f32x4.eq").i32(1).op("i32x4.splat");
      code.op("v128.and").at("local.get", weights).op("v128.or").at("local.set", touched);
    }
    for (const which of [0, 1, 2, 3]) {
      addressOf(code, four, which);
      code.at("local.get", promotes ? touched : weights).lane("v128.store32_lane", 4 * four.base, which);
    }
  }
}

/** The step by a fixed rate: see `FixedRate`. */
export const emitFixedStep: EmitStep = (builder, addresses, target, rate) => {
  const { code, lookup } = builder;
  const found = lookupsAt(builder, addresses);
  const { fours, sum, share } = beginStep(builder, addresses, found, target);
  code.at("local.get", rate).at("local.get", share).op("f64.mul").op("f32.demote_f64").op("f32x4.splat");
  const change = builder.take("v128");
  const moved = fours.map((four) => {
    code.at("local.get", four).at("local.get", change).op("f32x4.add");
    return builder.take("v128");
  });
  storeFours(builder, found, moved);
  code.at("local.get", sum).f64(lookup.lookups);
  code.at("local.get", change).inLane("f32x4.extract_lane", 0).op("f64.promote_f32");
  code.op("f64.mul").op("f64.add");
};

/** The bytes of two vectors' even and odd lanes. */
const EVEN = [0, 8, 16, 24].flatMap((byte) => [byte, byte + 1, byte + 2, byte + 3]);
const ODD = EVEN.map((byte) => byte + 4);

/** The step by temporal coherence: see `TemporalCoherence`. */
export const emitCoherentStep: EmitStep = (builder, addresses, target, rate) => {
  const { code, places } = builder;
  const found = lookupsAt(builder, addresses);
  const doubled = new Map(
    addresses.map((address) => {
      code.at("local.get", address).i32(1).op("i32x4.shl");
      return [address, builder.take("v128")] as const;
    }),
  );
  // The state of two weights in each vector, by address: E and A of the first, E and A of the second.
  const twos = found.flatMap(({ locals, lane, base }) =>
    locals.map((local) => ({
      address: (which: number) =>
        code.at("local.get", doubled.get(local)!).inLane("i32x4.extract_lane", lane + which),
      offset: places.coherence + 8 * base,
    })),
  );
  const kept = twos.map(({ address, offset }) => {
    address(1);
    address(0).access("v128.load64_zero", offset).lane("v128.load64_lane", offset, 1);
    return builder.take("v128");
  });
  const { fours, share } = beginStep(builder, addresses, found, target);
  const magnitude = () => code.at("local.get", share).op("f64.abs").op("f32.demote_f64");
  code.at("local.get", share).op("f32.demote_f64").op("f32x4.splat");
  for (const lane of [1, 3]) magnitude().inLane("f32x4.replace_lane", lane);
  const shares = builder.take("v128");
  code.at("local.get", rate).at("local.get", share).op("f64.mul").op("f32.demote_f64").op("f32x4.splat");
  const full = builder.take("v128");
  code.f64(LEAST).op("f32.demote_f64").op("f32x4.splat");
  const least = builder.take("v128");
  const moved = fours.map((four, i) => {
    const both = () => code.at("local.get", kept[2 * i]!).at("local.get", kept[2 * i + 1]!);
    code.at("local.get", four).at("local.get", full);
    both().shuffle(EVEN).op("f32x4.abs").at("local.get", least).op("f32x4.add");
    both().shuffle(ODD).at("local.get", least).op("f32x4.add");
    code.op("f32x4.div").op("f32x4.mul").op("f32x4.add");
    return builder.take("v128");
  });
  for (const [i, { address, offset }] of twos.entries()) {
    code.at("local.get", kept[i]!).at("local.get", shares).op("f32x4.add");
    const grown = builder.take("v128");
    for (const which of [0, 1])
      address(which).at("local.get", grown).lane("v128.store64_lane", offset, which);
  }
  storeFours(builder, found, moved);
  sumLocals(builder, moved);
};
