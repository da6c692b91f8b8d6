import type { WasmFunction } from "../../compute/wasm/module.ts";
import { PAGE } from "../../compute/wasm/webassembly.ts";
import type { TupleLookup } from "./tuple-lookup.ts";
import { addressLocals, Builder, emptyCells, findAddresses, placeTile } from "./wasm-board.ts";
import type { Places } from "./wasm-memory.ts";
import type { EmitStep } from "./wasm-step.ts";
import { bestLocals, findBest } from "./wasm-value.ts";

/**
 * Most decisions in a game: each adds 2 or more to the sum of the tiles, which never exceeds 2^17 + 2^16 + ... + 4.
 */
export const MOST_DECISIONS = 1 << 17;

/** The number of the memory that belongs to one thread. */
const OWN = 1;
/** Addresses in that memory, in bytes. */
export const GAME_MEMORY = {
  /** Four words: the state of the random numbers. */
  random: 0,
  /** Eight line codes: the board before play, and after it. */
  board: 16,
  /** The sum of the rewards of the game. */
  score: 48,
  /** The best afterstate so far: eight lines and, 32 bytes on, the reward. */
  afterstate: 64,
  /** From here on arrays by decision; first the lines of the afterstates, with room for one more. */
  path: 512,
  rewards: 512 + 32 * (MOST_DECISIONS + 1),
  values: 512 + 40 * (MOST_DECISIONS + 1),
  /** The direction, and the outcome of chance after it. */
  actions: 512 + 48 * (MOST_DECISIONS + 1),
} as const;
/** Size of that memory, in pages. */
export const GAME_PAGES: number = Math.ceil((GAME_MEMORY.actions + 8 * (MOST_DECISIONS + 1)) / PAGE);

/**
 * `play`: plays greedily from the board in `GAME_MEMORY.board`, where the player moves, to the end. The parameter is the
 * number of the first decision; the result is the number after the last.
 */
export function playFunction(lookup: TupleLookup, places: Places): WasmFunction {
  const builder = new Builder(lookup, places, ["i32"]);
  const { code } = builder;
  const decision = 0;
  const lines = builder.locals("i32", 8);
  const random = builder.locals("i32", 4);
  const score = builder.local("f64");
  const locals = bestLocals(builder);
  const reward = builder.local("f64");
  const outcome = builder.local("i32");
  for (let i = 0; i < 4; i++)
    code
      .i32(0)
      .access("i32.load", GAME_MEMORY.random + 4 * i, OWN)
      .at("local.set", random[i]!);
  for (let i = 0; i < 8; i++)
    code
      .i32(0)
      .access("i32.load", GAME_MEMORY.board + 4 * i, OWN)
      .i32(places.entryBits)
      .op("i32.shl")
      .at("local.set", lines[i]!);
  code.block().loop();
  findBest(builder, lines, locals, (after, slideReward) => {
    for (const [i, line] of after.entries())
      code
        .i32(0)
        .at("local.get", line)
        .access("i32.store", GAME_MEMORY.afterstate + 4 * i, OWN);
    code
      .i32(0)
      .at("local.get", slideReward)
      .access("f64.store", GAME_MEMORY.afterstate + 32, OWN);
  });
  code.at("local.get", locals.best).f64(-Infinity).op("f64.eq").at("br_if", 1);
  const byDecision = (bits: number) => code.at("local.get", decision).i32(bits).op("i32.shl");
  byDecision(3).at("local.get", locals.best).access("f64.store", GAME_MEMORY.values, OWN);
  code
    .i32(0)
    .access("f64.load", GAME_MEMORY.afterstate + 32, OWN)
    .at("local.set", reward);
  byDecision(3).at("local.get", reward).access("f64.store", GAME_MEMORY.rewards, OWN);
  code.at("local.get", score).at("local.get", reward).op("f64.add").at("local.set", score);
  for (const [i, line] of lines.entries()) {
    code.i32(0).access("i32.load", GAME_MEMORY.afterstate + 4 * i, OWN);
    code.at("local.set", line);
    byDecision(5)
      .at("local.get", line)
      .access("i32.store", GAME_MEMORY.path + 4 * i, OWN);
  }
  drawTile(builder, lines, random, outcome);
  byDecision(3).at("local.get", locals.chosen).access("i32.store", GAME_MEMORY.actions, OWN);
  byDecision(3)
    .at("local.get", outcome)
    .access("i32.store", GAME_MEMORY.actions + 4, OWN);
  placeTile(builder, lines, outcome, lines);
  code.at("local.get", decision).i32(1).op("i32.add").at("local.tee", decision);
  code.i32(MOST_DECISIONS).op("i32.lt_u").at("br_if", 0).op("end").op("end");
  for (const [i, word] of random.entries())
    code
      .i32(0)
      .at("local.get", word)
      .access("i32.store", GAME_MEMORY.random + 4 * i, OWN);
  for (const [i, line] of lines.entries())
    code
      .i32(0)
      .at("local.get", line)
      .i32(places.entryBits)
      .op("i32.shr_u")
      .access("i32.store", GAME_MEMORY.board + 4 * i, OWN);
  code.i32(0).at("local.get", score).access("f64.store", GAME_MEMORY.score, OWN);
  code.at("local.get", decision);
  return builder.function("play", "i32");
}

/** Draws a tile for an afterstate as `newTile` does, with the same random numbers as `Random.below`. */
function drawTile(
  builder: Builder,
  lines: readonly number[],
  [s0, s1, s2, s3]: readonly number[],
  outcome: number,
): void {
  const { code, places } = builder;
  const [empty, bound, number, t2, t3, inLow, which, inHigh] = builder.locals("i32", 8) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const product = builder.local("i64");
  emptyCells(builder, lines);
  code.at("local.tee", empty);
  code.op("i32.popcnt").i32(10).op("i32.mul").at("local.set", bound);
  code.loop();
  // xoshiro128**, as in `Random.uint32`.
  code.at("local.get", s1!).i32(5).op("i32.mul").i32(7).op("i32.rotl").i32(9).op("i32.mul");
  code.at("local.set", number);
  code.at("local.get", s2!).at("local.get", s0!).op("i32.xor").at("local.set", t2);
  code.at("local.get", s3!).at("local.get", s1!).op("i32.xor").at("local.set", t3);
  code.at("local.get", t2).at("local.get", s1!).i32(9).op("i32.shl").op("i32.xor").at("local.set", s2!);
  code.at("local.get", s1!).at("local.get", t2).op("i32.xor").at("local.set", s1!);
  code.at("local.get", s0!).at("local.get", t3).op("i32.xor").at("local.set", s0!);
  code.at("local.get", t3).i32(11).op("i32.rotl").at("local.set", s3!);
  // The high word of number x bound; drawn again if the low word is below 2^32 mod bound.
  code.at("local.get", number).op("i64.extend_i32_u").at("local.get", bound).op("i64.extend_i32_u");
  code.op("i64.mul").at("local.tee", product).op("i32.wrap_i64").at("local.tee", number);
  code.at("local.get", bound).op("i32.lt_u").if();
  code.at("local.get", number);
  code.i32(0).at("local.get", bound).op("i32.sub").at("local.get", bound).op("i32.rem_u");
  code.op("i32.lt_u").at("br_if", 1).op("end").op("end");
  code.at("local.get", product).i64(32).op("i64.shr_u").op("i32.wrap_i64").at("local.tee", number);
  code.i32(205).op("i32.mul").i32(11).op("i32.shr_u").at("local.set", which);
  code.at("local.get", empty).i32(0xff).op("i32.and").op("i32.popcnt").at("local.set", inLow);
  code.at("local.get", which).at("local.get", inLow).op("i32.ge_u").at("local.set", inHigh);
  // 8 x (the byte that holds the cell) + the number of the cell within it.
  code.at("local.get", empty).i32(8).op("i32.shr_u");
  code.at("local.get", empty).i32(0xff).op("i32.and");
  code.at("local.get", inHigh).op("select").i32(3).op("i32.shl");
  code.at("local.get", which);
  code.at("local.get", inLow).i32(0).at("local.get", inHigh).op("select").op("i32.sub");
  code.op("i32.add").access("i32.load8_u", places.bits);
  code.at("local.get", inHigh).i32(3).op("i32.shl").op("i32.add").i32(1).op("i32.shl");
  code.at("local.get", number).at("local.get", which).i32(10).op("i32.mul").op("i32.eq");
  code.op("i32.or").at("local.set", outcome);
}

/**
 * A function that learns from decisions of the game in memory, from the last to the first: (first, end, target of the
 * last, lambda, rate). It returns the value of the first decision's afterstate after its step.
 */
export function learnFunction(
  lookup: TupleLookup,
  places: Places,
  name: string,
  step: EmitStep,
): WasmFunction {
  const builder = new Builder(lookup, places, ["i32", "i32", "f64", "f64", "f64"]);
  const { code } = builder;
  const [first, decision, target, lambda, rate] = [0, 1, 2, 3, 4] as const;
  const lines = builder.locals("i32", 8);
  const addresses = addressLocals(builder);
  const stepped = builder.local("f64");
  code.block().loop();
  code.at("local.get", decision).i32(1).op("i32.sub").at("local.tee", decision);
  code.at("local.get", first).op("i32.lt_s").at("br_if", 1);
  for (const [i, line] of lines.entries())
    code
      .at("local.get", decision)
      .i32(5)
      .op("i32.shl")
      .access("i32.load", GAME_MEMORY.path + 4 * i, OWN)
      .at("local.set", line);
  findAddresses(builder, lines, addresses);
  step(builder, addresses, target, rate);
  code.at("local.set", stepped);
  code.at("local.get", decision).i32(3).op("i32.shl").access("f64.load", GAME_MEMORY.rewards, OWN);
  code.f64(1).at("local.get", lambda).op("f64.sub").at("local.get", stepped).op("f64.mul").op("f64.add");
  code.at("local.get", lambda).at("local.get", target).op("f64.mul").op("f64.add").at("local.set", target);
  code.at("br", 0).op("end").op("end");
  code.at("local.get", stepped);
  return builder.function(name, "f64");
}
