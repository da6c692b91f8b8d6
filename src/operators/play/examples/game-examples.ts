import { BitReader, BitWriter, bestGolombOrder } from "../../../formats/bit-stream.ts";
import { ByteReader, ByteWriter } from "../../../formats/byte-stream.ts";
import { CHANCE, type Game, type Solve } from "../../../games/game.ts";
import type { EpisodeDecision } from "../../../search/episode.ts";
import { type Schedule, scheduled } from "../../../schedule.ts";
import {
  type ExampleReader,
  newPolicyTarget,
  type PolicyTarget,
  type WantedOfExamples,
} from "./example-reader.ts";
import { surpriseWeights, type WithSurprise } from "./surprise-weights.ts";

/** Settings of the examples of a game that is stored whole. */
export interface GameExampleOptions {
  /**
   * The weight w in the value target w z + (1 - w) q, by plies of the game: z is the return of the game, q the value that the
   * search found.
   */
  readonly resultWeight: Schedule;
  /** Whether decisions whose policy is not a target are examples for the value alone, or are left out. */
  readonly quick: "values" | "drop";
  /** Where values are exact: see `encodeGameExamples`. */
  readonly values?: { readonly solver: { readonly fromPly: number } };
  /** The share of the weights of the examples that follows their surprise; absent: all weigh 1. */
  readonly surprise?: number;
}

/** The parts of an episode that examples are made from. */
export interface DecidedGame {
  readonly actions: ArrayLike<number>;
  readonly decisions: readonly (Pick<
    EpisodeDecision,
    "ply" | "values" | "actions" | "visits" | "policy" | "learn"
  > &
    WithSurprise)[];
}

/** Probabilities of a policy that are not shares of visits are stored as multiples of 1 / PARTS. */
const PARTS = 0xffff;

const LEARN = 1;
const VALUES = 2;
const WEIGHT = 4;

/**
 * Encodes a game with one example per decision, in few bytes. Positions, planes, legal moves and the end of the game are
 * computed when an example is drawn, by playing the actions.
 *
 * The format: varints as `ByteWriter` writes them, floats little-endian. First the actions, then the number of decisions.
 * A decision has the number of plies since the previous decision (0 for the next ply), a byte of flags, the values as one
 * float32 per seat (flag 2; without the flag they are the values of the previous decision), its weight as a float32 (flag 4;
 * without the flag it is 1), and the policy (flag 1). The policy has the number of its entries, a byte with two orders of exponential Golomb codes (that of gaps, and 16 times that
 * of weights), the length of the bits in bytes, and the bits. An entry has a gap, the number of legal actions since the
 * previous entry, and its weight less 1. Weights are visits, or else multiples of 1 / 65535.
 *
 * The values are targets (`valueTarget`): with R_t the score of each seat at the decision and R_T its final return, the target is
 * w (R_T - R_t) + (1 - w) q. In a game whose returns come only at the end, the target for w = 1 is the final return.
 * `game` gives the returns: the game as the agent played it. If the options say so, the target is what `solve` finds in place
 * of R_T, less R_t.
 */
export function encodeGameExamples<S>(
  game: Game<S>,
  { actions, decisions }: DecidedGame,
  { resultWeight, quick, surprise = 0, values: exact }: GameExampleOptions,
  solve?: Solve<S>,
): Uint8Array<ArrayBuffer> {
  const solvedFrom = solve === undefined ? Infinity : (exact?.solver.fromPly ?? Infinity);
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  const scratch = new Float64Array(game.players);
  const kept = decisions.filter(({ learn }) => learn || quick === "values");
  const scores: number[][] = [];
  /** By decision: the final returns under perfect play, if they are the target. */
  const solved: (readonly number[] | undefined)[] = [];
  const policies: (Uint8Array | undefined)[] = [];
  for (let ply = 0; ply < actions.length; ply++) {
    const decision = kept[scores.length];
    if (decision?.ply === ply) {
      game.returns(state, scratch);
      scores.push([...scratch]);
      if (ply >= solvedFrom) solve!(state, scratch);
      solved.push(ply >= solvedFrom ? [...scratch] : undefined);
      policies.push(
        decision.learn ? encodePolicy(decision, legal.subarray(0, game.legal(state, legal))) : undefined,
      );
    }
    game.play(state, actions[ply]!);
  }
  game.returns(state, scratch);
  const weights = Float32Array.from(surpriseWeights(kept, surprise));
  const out = new ByteWriter();
  out.varints(actions);
  out.varint(kept.length);
  let ply = -1;
  let before: Float32Array | undefined;
  for (const [number, decision] of kept.entries()) {
    const values = Float32Array.from(scratch, (final, seat) => {
      const score = scores[number]![seat]!;
      const perfect = solved[number]?.[seat];
      return perfect === undefined
        ? valueTarget(resultWeight, decision.ply, final - score, decision.values[seat]!)
        : perfect - score;
    });
    const changed = before === undefined || values.some((value, seat) => !Object.is(value, before![seat]));
    const policy = policies[number];
    out.varint(decision.ply - ply - 1);
    const weighted = weights[number] !== 1;
    out.varint((policy === undefined ? 0 : LEARN) | (changed ? VALUES : 0) | (weighted ? WEIGHT : 0));
    if (changed) out.raw(new Uint8Array(values.buffer));
    if (weighted) out.raw(new Uint8Array(weights.slice(number, number + 1).buffer));
    if (policy !== undefined) out.raw(policy);
    ply = decision.ply;
    before = values;
  }
  return out.bytes();
}

/** The value target w z + (1 - w) q of a seat at a ply, counted from 0: z is its return from there on, q what the search expected. */
export function valueTarget(resultWeight: Schedule, ply: number, result: number, found: number): number {
  const weight = scheduled(resultWeight, ply + 1);
  // For w = 1, q may be infinite or not a number.
  return weight === 1 ? result : weight * result + (1 - weight) * found;
}

/** Encodes a policy, by indices into the legal actions. */
function encodePolicy(decision: DecidedGame["decisions"][number], legal: Int32Array): Uint8Array {
  const weights = wholeWeights(decision);
  const gaps: number[] = [];
  const above: number[] = [];
  let place = 0;
  let next = 0;
  for (const [i, weight] of weights.entries()) {
    if (weight === 0) continue;
    while (place < legal.length && legal[place] !== decision.actions[i]) place++;
    if (place === legal.length)
      throw new Error(`action ${decision.actions[i]} is not legal, or out of order`);
    gaps.push(place - next);
    above.push(weight - 1);
    next = place + 1;
  }
  const gapOrder = bestGolombOrder(gaps);
  const weightOrder = bestGolombOrder(above);
  const bits = new BitWriter();
  for (const [i, gap] of gaps.entries()) {
    bits.golomb(gap, gapOrder);
    bits.golomb(above[i]!, weightOrder);
  }
  const packed = bits.bytes();
  const out = new ByteWriter();
  out.varint(gaps.length);
  out.raw(Uint8Array.of(gapOrder | (weightOrder << 4)));
  out.varint(packed.length);
  out.raw(packed);
  return out.bytes();
}

/** The weights of a policy as integers: the visits, if the policy has their shares, else multiples of 1 / 65535. */
function wholeWeights({ visits, policy }: DecidedGame["decisions"][number]): Float64Array {
  let total = 0;
  for (const count of visits) total += count;
  const counted =
    total > 0 && policy.every((share, i) => Number.isInteger(visits[i]!) && share === visits[i]! / total);
  return counted ? visits : policy.map((share) => Math.round(PARTS * share));
}

/** The number of examples in bytes from `encodeGameExamples`. */
export function gameExamplesIn(bytes: Uint8Array): number {
  const from = new ByteReader(bytes, "examples of a game");
  from.varints();
  return from.varint();
}

/** A policy as it is stored: the number of its entries, and their codes. */
export interface KeptPolicy {
  readonly count: number;
  readonly orders: number;
  readonly bits: Uint8Array;
}

/** One decision as it is stored. */
export interface KeptDecision {
  readonly ply: number;
  /** How much its errors count in the loss. */
  readonly weight: number;
  /** Absent if the policy is not a target. */
  readonly policy?: KeptPolicy;
}

/** Reads the decision after the one at ply `before`. Writes its values, by seat, to `values`, which hold those of that one. */
export function readDecision(from: ByteReader, before: number, values: Float32Array): KeptDecision {
  const ply = before + 1 + from.varint();
  const flags = from.varint();
  if ((flags & VALUES) !== 0) values.set(new Float32Array(from.raw(4 * values.length).buffer));
  const weight = (flags & WEIGHT) === 0 ? 1 : new Float32Array(from.raw(4).buffer)[0]!;
  if ((flags & LEARN) === 0) return { ply, weight };
  const count = from.varint();
  const orders = from.raw(1)[0]!;
  return { ply, weight, policy: { count, orders, bits: from.raw(from.varint()) } };
}

/**
 * Whether a stored policy is one over so many legal actions: every entry is one of them, with a weight, and nothing is left but zeros up to
 * a whole byte.
 */
export function isPolicyOver({ bits, count, orders }: KeptPolicy, legal: number): boolean {
  const from = new BitReader(bits);
  let place = -1;
  for (let i = 0; i < count; i++) {
    const gap = from.golomb(orders & 15);
    // Codes of more digits than an integer has come out negative.
    if (gap < 0) return false;
    place += 1 + gap;
    if (place >= legal || from.golomb(orders >> 4) < 0) return false;
  }
  const unused = 8 * bits.length - from.place;
  return count > 0 && unused >= 0 && unused < 8 && from.bits(unused) === 0;
}

/** The examples of a game without their positions: their plies, and their values by seat. */
export function valuesOfGame(
  bytes: Uint8Array,
  players: number,
): {
  readonly actions: Int32Array;
  readonly examples: readonly { readonly ply: number; readonly values: readonly number[] }[];
} {
  const from = new ByteReader(bytes, "examples of a game");
  const actions = from.varints();
  const values = new Float32Array(players);
  let ply = -1;
  const examples = Array.from({ length: from.varint() }, () => {
    ({ ply } = readDecision(from, ply, values));
    return { ply, values: [...values] };
  });
  return { actions, examples };
}

/** Reads examples of games that are stored whole, by playing the actions. */
export class GameExampleReader<S> implements ExampleReader<S> {
  readonly state: S;
  readonly end: S;
  readonly values: Float32Array;
  readonly policy: PolicyTarget;
  readonly reply: PolicyTarget;
  policyWeight = 0;
  weight = 1;
  readonly #game: Game<S>;
  readonly #wanted: WantedOfExamples;
  readonly #start: S;
  readonly #legal: Int32Array;
  /** The values of a decision that is read for its policy alone. */
  readonly #skipped: Float32Array;

  constructor(game: Game<S>, wanted: WantedOfExamples) {
    this.#game = game;
    this.#wanted = wanted;
    this.#skipped = new Float32Array(game.players);
    this.#start = game.initial();
    this.state = game.initial();
    this.end = game.initial();
    this.values = new Float32Array(game.players);
    this.#legal = new Int32Array(game.maxLegal);
    this.policy = newPolicyTarget(game.maxLegal);
    this.reply = newPolicyTarget(game.maxLegal);
  }

  read(bytes: Uint8Array, number: number): void {
    const from = new ByteReader(bytes, "examples of a game");
    const actions = from.varints();
    const decisions = from.varint();
    let decision = readDecision(from, -1, this.values);
    for (let i = 0; i < number; i++) decision = readDecision(from, decision.ply, this.values);
    const { reply, end } = this.#wanted;
    const following =
      reply && number + 1 < decisions ? readDecision(from, decision.ply, this.#skipped) : undefined;

    const game = this.#game;
    game.copy(this.#start, this.state);
    for (let ply = 0; ply < decision.ply; ply++) game.play(this.state, actions[ply]!);
    this.policyWeight = decision.policy === undefined ? 0 : 1;
    this.weight = decision.weight;
    this.#entries(decision, this.state, this.policy);
    this.reply.count = 0;
    if (!reply && !end) return;
    game.copy(this.state, this.end);
    let ply = decision.ply;
    do game.play(this.end, actions[ply++]!);
    while (game.toMove(this.end) === CHANCE && ply < actions.length);
    if (following?.ply === ply) this.#entries(following, this.end, this.reply);
    if (end) for (; ply < actions.length; ply++) game.play(this.end, actions[ply]!);
  }

  /** Reads the policy of a decision at `state` into `target`; no entries if it has none. */
  #entries({ policy }: KeptDecision, state: S, target: PolicyTarget): void {
    target.count = policy?.count ?? 0;
    if (policy === undefined) return;
    const bits = new BitReader(policy.bits);
    this.#game.legal(state, this.#legal);
    let place = -1;
    let total = 0;
    for (let i = 0; i < policy.count; i++) {
      place += 1 + bits.golomb(policy.orders & 15);
      const weight = 1 + bits.golomb(policy.orders >> 4);
      target.actions[i] = this.#legal[place]!;
      target.weights[i] = weight;
      total += weight;
    }
    for (let i = 0; i < policy.count; i++) target.weights[i] = target.weights[i]! / total;
  }
}
