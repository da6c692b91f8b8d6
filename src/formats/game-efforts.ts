import { ByteReader, ByteWriter } from "./byte-stream.ts";

/** What the decisions of one seat of a game cost. */
export interface SeatEffort {
  /** Decisions of its player, without those of an opening. */
  readonly decisions: number;
  /** Number of positions that its player had evaluated by a net. */
  readonly evaluations: number;
  /** Processor seconds of these decisions; NaN where they are not known. */
  readonly seconds: number;
}

/** What the decisions of one game cost: a companion of its record, which has no times because they differ when it is played again. */
export interface GameEffort {
  /** The game's number in its stage. */
  readonly game: number;
  readonly seats: readonly SeatEffort[];
}

/**
 * The bytes of an effort, for `RecordLogWriter`. In order, with varints as `byte-stream.ts` has them: game; number of seats;
 * of each seat its decisions and evaluations as varints, and its seconds as float64.
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
  from.end();
  return { game, seats };
}
