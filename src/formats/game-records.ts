import { ByteReader, ByteWriter } from "./byte-stream.ts";
import { FileCorrupt } from "./files/file-corrupt.ts";

/**
 * One finished game as it is stored, with enough data to play it again and to check every draw, move and value.
 *
 * This floor knows no game: actions are non-negative integers in the game's numbering, chance outcomes included.
 */
export interface GameRecord {
  /** The game's number in its stage. */
  readonly game: number;
  /** The version of the learner that it was played with. */
  readonly generation: number;
  /** The name of each seat's agent. */
  readonly seats: readonly string[];
  /** Every ply in order, chance included. */
  readonly actions: ArrayLike<number>;
  /** The values of the decisions, in order; the caller knows how many each decision has. The kind of array is the precision. */
  readonly values: Float32Array | Float64Array;
  /** Final return of each seat. */
  readonly returns: readonly number[];
  /** Further figures of the finished game. */
  readonly facts: Readonly<Record<string, number>>;
  /** The seat whose player could not continue, and the reason: the game was aborted, its returns are not final. */
  readonly failure?: { readonly seat: number; readonly message: string };
  /** The seat whose player objects to the result of the finished game, and its objection. Never beside a failure. */
  readonly dispute?: { readonly seat: number; readonly message: string };
  /** The seat whose player gave the game up; its returns are final. Never beside a failure or a dispute. */
  readonly resigned?: number;
}

/** A record as it is read: actions come as an Int32Array. */
export interface StoredGame extends GameRecord {
  readonly actions: Int32Array;
}

/**
 * The bytes of a record, for `RecordLogWriter`. Equal records give equal bytes.
 *
 * In order, with unsigned LEB128 varints, texts as length and UTF-8, floats little-endian: game; generation; number of
 * seats and their names; number of actions and each action; bytes a value (4 or 8), number of values and each value;
 * number of returns and each as float64; number of facts and, in order of their names, name and float64; for a game
 * that was aborted the seat that failed and the reason as text; for a disputed game the seat that objects, its
 * objection as text and a byte 1; for a game that was given up the seat that resigned, an empty text and a byte 2; for
 * any other nothing.
 */
export function encodeGameRecord(record: GameRecord): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  out.varint(record.game);
  out.varint(record.generation);
  out.varint(record.seats.length);
  for (const agent of record.seats) out.text(agent);
  out.varints(record.actions);
  out.floats(record.values);
  out.varint(record.returns.length);
  for (const value of record.returns) out.float64(value);
  const names = Object.keys(record.facts).sort();
  out.varint(names.length);
  for (const name of names) {
    out.text(name);
    out.float64(record.facts[name]!);
  }
  if (record.failure !== undefined) {
    out.varint(record.failure.seat);
    out.text(record.failure.message);
  } else if (record.dispute !== undefined) {
    out.varint(record.dispute.seat);
    out.text(record.dispute.message);
    out.varint(1);
  } else if (record.resigned !== undefined) {
    out.varint(record.resigned);
    out.text("");
    out.varint(2);
  }
  return out.bytes();
}

/** Reads a record; `path` names the file in errors. Throws `FileCorrupt`. */
export function decodeGameRecord(bytes: Uint8Array, path: string): StoredGame {
  const from = new ByteReader(bytes, path);
  const game = from.varint();
  const generation = from.varint();
  const seats = Array.from({ length: from.count(1) }, () => from.text());
  const actions = from.varints();
  const values = from.floats();
  const returns = Array.from({ length: from.count(8) }, () => from.float64());
  const facts: Record<string, number> = Object.create(null);
  for (let left = from.count(9); left > 0; left--) facts[from.text()] = from.float64();
  const ending = from.ended ? undefined : { seat: from.varint(), message: from.text() };
  const mark = from.ended ? undefined : from.varint();
  if (mark !== undefined && mark !== 1 && mark !== 2)
    throw new FileCorrupt(path, "has a game with an unknown mark");
  from.end();
  return {
    game,
    generation,
    seats,
    actions,
    values,
    returns,
    facts,
    ...(ending === undefined ? {} : ended(mark, ending)),
  };
}

/** How a game ended before its final position or in a dispute, by its mark. */
function ended(
  mark: number | undefined,
  ending: { readonly seat: number; readonly message: string },
): Pick<GameRecord, "failure" | "dispute" | "resigned"> {
  if (mark === 2) return { resigned: ending.seat };
  return mark === 1 ? { dispute: ending } : { failure: ending };
}
