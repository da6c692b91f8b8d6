import type { WasmFunction } from "../../compute/wasm/module.ts";
import type { TupleLookup } from "./tuple-lookup.ts";
import {
  addressLocals,
  Builder,
  emptyCells,
  findAddresses,
  findEntries,
  LINES,
  PASSED_LINES,
  placeTile,
  sumWeights,
} from "./wasm-board.ts";
import { ENTRY, type Places } from "./wasm-memory.ts";

/** `value`: the sum of a board's weights. */
export function valueFunction(lookup: TupleLookup, places: Places): WasmFunction {
  const builder = new Builder(lookup, places, LINES);
  findEntries(builder);
  const addresses = addressLocals(builder);
  findAddresses(builder, PASSED_LINES, addresses);
  sumWeights(builder, builder.local("v128"), addresses);
  return builder.function("value", "f64");
}

/** The locals in which `findBest` leaves its results. */
export interface BestMove {
  /** The greatest reward + value, -Infinity if no move is legal. */
  readonly best: number;
  /** The first direction that reaches it. */
  readonly chosen: number;
}

/** Emits the code that handles the best afterstate so far: locals with its eight lines, and with the reward. */
export type NoteAfterstate = (lines: readonly number[], reward: number) => void;

/** Locals for `findBest`, made once in a function. */
export interface BestLocals extends BestMove {
  readonly slid: readonly number[];
  readonly crossing: number;
  readonly crossed: readonly number[];
  readonly reward: number;
  readonly addresses: readonly number[];
  readonly sum: number;
  readonly value: number;
}

/** New locals for the best of several afterstates. */
export function bestLocals(builder: Builder): BestLocals {
  return {
    best: builder.local("f64"),
    chosen: builder.local("i32"),
    slid: builder.locals("i32", 4),
    crossing: builder.local("v128"),
    crossed: builder.locals("i32", 4),
    reward: builder.local("f64"),
    addresses: addressLocals(builder),
    sum: builder.local("v128"),
    value: builder.local("f64"),
  };
}

/**
 * Finds the best move on the board in these eight locals.
 *
 * Loading the weights of all four slides before summing, or touching them early, was tried and was not faster: the loads that
 * miss the caches already keep the processor busy.
 */
export function findBest(
  builder: Builder,
  lines: readonly number[],
  locals: BestLocals,
  note?: NoteAfterstate,
): void {
  const { code, places } = builder;
  const { best, chosen, slid, crossing, crossed, reward, addresses, value } = locals;
  code.f64(-Infinity).at("local.set", best);
  for (let direction = 0; direction < 4; direction++) {
    const along = direction % 2 === 0 ? 4 : 0;
    const towards = direction === 1 || direction === 2 ? ENTRY.slidToEnd : ENTRY.slid;
    for (let j = 0; j < 4; j++) {
      code.at("local.get", lines[along + j]!).access("i32.load", places.lines + towards);
      code
        .at("local.tee", slid[j]!)
        .at("local.get", lines[along + j]!)
        .op("i32.xor");
      if (j > 0) code.op("i32.or");
    }
    code.if();
    for (let j = 0; j < 4; j++) {
      code.at("local.get", lines[along + j]!).access("i32.load", places.lines + ENTRY.reward);
      if (j > 0) code.op("i32.add");
    }
    code.op("f64.convert_i32_s").at("local.set", reward);
    for (let j = 0; j < 4; j++) {
      code.at("local.get", slid[j]!).access("v128.load", places.lines + ENTRY.crossing);
      if (j > 0) code.i32(j).op("i32x4.shl").op("v128.or");
    }
    code.at("local.set", crossing);
    for (let j = 0; j < 4; j++)
      code.at("local.get", crossing).inLane("i32x4.extract_lane", j).at("local.set", crossed[j]!);
    const after = along === 0 ? [...slid, ...crossed] : [...crossed, ...slid];
    findAddresses(builder, after, addresses);
    code.at("local.get", reward);
    sumWeights(builder, locals.sum, addresses);
    code.op("f64.add").at("local.tee", value).at("local.get", best).op("f64.gt").if();
    code.at("local.get", value).at("local.set", best);
    code.i32(direction).at("local.set", chosen);
    note?.(after, reward);
    code.op("end").op("end");
  }
}

/**
 * `throughChance`: the value of the afterstate with these lines through one ply of chance, the mean of the best move over
 * the tiles that may come, in the order of their outcomes.
 */
export function throughChanceFunction(lookup: TupleLookup, places: Places): WasmFunction {
  const builder = new Builder(lookup, places, LINES);
  const { code } = builder;
  findEntries(builder);
  const locals = bestLocals(builder);
  const lines = builder.locals("i32", 8);
  const [empty, outcome] = [builder.local("i32"), builder.local("i32")];
  const [outcomes, mean] = [builder.local("f64"), builder.local("f64")];
  emptyCells(builder, PASSED_LINES);
  code.at("local.tee", empty);
  code.op("i32.popcnt").i32(1).op("i32.shl").op("f64.convert_i32_s").at("local.set", outcomes);
  code.loop();
  code.at("local.get", empty).at("local.get", outcome).i32(1).op("i32.shr_u").op("i32.shr_u");
  code.i32(1).op("i32.and").if();
  placeTile(builder, PASSED_LINES, outcome, lines);
  findBest(builder, lines, locals);
  code.at("local.get", mean);
  code.f64(0.2).f64(1.8).at("local.get", outcome).i32(1).op("i32.and").op("select");
  code.at("local.get", outcomes).op("f64.div");
  // Without a legal move the game is over: no further reward.
  code.f64(0).at("local.get", locals.best);
  code.at("local.get", locals.best).f64(-Infinity).op("f64.eq").op("select");
  code.op("f64.mul").op("f64.add").at("local.set", mean).op("end");
  code.at("local.get", outcome).i32(1).op("i32.add").at("local.tee", outcome);
  code.i32(32).op("i32.lt_u").at("br_if", 0).op("end");
  code.at("local.get", mean);
  return builder.function("throughChance", "f64");
}

/** The global in which `best` leaves the direction. */
const CHOSEN = 0;

/** `best`: the greatest reward + value over the four slides; leaves the first direction that has it in the global. */
export function bestFunction(lookup: TupleLookup, places: Places): WasmFunction {
  const builder = new Builder(lookup, places, LINES);
  findEntries(builder);
  const locals = bestLocals(builder);
  findBest(builder, PASSED_LINES, locals);
  builder.code.at("local.get", locals.chosen).at("global.set", CHOSEN).at("local.get", locals.best);
  return builder.function("best", "f64");
}
