import { ByteReader, ByteWriter } from "./byte-stream.ts";

/** Decisions that a time limit has ended. */
export interface LimitedDecisions {
  /** The clock that counted the limits: the processor time of the thread, or the wall clock. */
  readonly clock: "processor" | "wall";
  /** Number of these decisions. */
  readonly decisions: number;
  /** The sum of their limits, in seconds. */
  readonly allowed: number;
  /** The processor seconds that they got; NaN if they are not known. */
  readonly seconds: number;
}

/** What the decisions of one seat of a game cost. */
export interface SeatEffort {
  /** Decisions of its player, without those of an opening. */
  readonly decisions: number;
  /** Number of positions that its player had evaluated by a net. */
  readonly evaluations: number;
  /** Processor seconds of these decisions; NaN if they are not known. */
  readonly seconds: number;
  /**
   * The part of `seconds` that evaluators took in other threads, NaN if it is not known; absent if its player waits for no
   * evaluator, and in efforts of earlier versions.
   */
  readonly evaluatorSeconds?: number;
  /** Its decisions that a time limit has ended; absent if there are none. */
  readonly limited?: LimitedDecisions;
}

const CLOCKS = ["processor", "wall"] as const;

/** What the decisions of one game cost: a companion of its record, which has no times because they differ when it is played again. */
export interface GameEffort {
  /** The game's number in its stage. */
  readonly game: number;
  readonly seats: readonly SeatEffort[];
}

/**
 * The bytes of an effort, for `RecordLogWriter`. In order, with varints as `byte-stream.ts` has them: game; number of seats;
 * of each seat its decisions and evaluations as varints, and its seconds as float64. Then, if a time limit has ended decisions or
 * a player has waited for evaluators, of each seat: the number of the limits' clock (0: none, 1: processor, 2: wall) as a varint,
 * and unless it is 0 the decisions as a varint, and the allowed seconds and those that they got as float64. Then, if a player has
 * waited for evaluators, of each seat: whether it has (1) or not (0) as a varint, and if so the evaluators' seconds as float64.
 */
export function encodeGameEffort({ game, seats }: GameEffort): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  out.varint(game);
  out.varint(seats.length);
  for (const { decisions, evaluations, seconds } of seats) {
    out.varint(decisions);
    out.varint(evaluations);
    out.float64(seconds);
  }
  const waits = seats.some(({ evaluatorSeconds }) => evaluatorSeconds !== undefined);
  if (waits || seats.some(({ limited }) => limited !== undefined))
    for (const { limited } of seats) {
      out.varint(limited === undefined ? 0 : 1 + CLOCKS.indexOf(limited.clock));
      if (limited === undefined) continue;
      out.varint(limited.decisions);
      out.float64(limited.allowed);
      out.float64(limited.seconds);
    }
  if (waits)
    for (const { evaluatorSeconds } of seats) {
      out.varint(evaluatorSeconds === undefined ? 0 : 1);
      if (evaluatorSeconds !== undefined) out.float64(evaluatorSeconds);
    }
  return out.bytes();
}

/**
 * The efforts in the records of a log, by game. A game that was lost in a kill and played again is there twice, the last time
 * rightly. `path` names the file in errors. Throws `FileCorrupt`.
 */
export function effortsByGame(records: Iterable<Uint8Array>, path: string): Map<number, GameEffort> {
  const efforts = new Map<number, GameEffort>();
  for (const bytes of records) {
    const effort = decodeGameEffort(bytes, path);
    efforts.set(effort.game, effort);
  }
  return efforts;
}

/** Reads an effort; `path` names the file in errors. Throws `FileCorrupt`. */
export function decodeGameEffort(bytes: Uint8Array, path: string): GameEffort {
  const from = new ByteReader(bytes, path);
  const game = from.varint();
  const seats = Array.from({ length: from.count(10) }, () => ({
    decisions: from.varint(),
    evaluations: from.varint(),
    seconds: from.float64(),
  }));
  if (from.ended) return { game, seats };
  const limited = seats.map((seat) => ({ ...seat, ...limitedFrom(from) }));
  if (from.ended) return { game, seats: limited };
  const waiting = limited.map((seat) => ({ ...seat, ...evaluatorsFrom(from) }));
  from.end();
  return { game, seats: waiting };
}

function evaluatorsFrom(from: ByteReader): { evaluatorSeconds?: number } {
  const waits = from.varint();
  if (waits > 1) from.fail("has a player that neither waits for evaluators nor does not");
  return waits === 0 ? {} : { evaluatorSeconds: from.float64() };
}

function limitedFrom(from: ByteReader): { limited?: LimitedDecisions } {
  const number = from.varint();
  if (number === 0) return {};
  const clock = CLOCKS[number - 1] ?? from.fail("names an unknown clock");
  const decisions = from.varint();
  return { limited: { clock, decisions, allowed: from.float64(), seconds: from.float64() } };
}
