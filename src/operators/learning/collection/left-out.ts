/** Why a file or a game is left out of a collection. */
export type LeftOutReason =
  | "not a file of games"
  | "cannot be read"
  | "too long"
  | "damaged zip"
  | "unsafe zip"
  | "damaged collection"
  | "not SGF"
  | "broken SGF"
  | "another game"
  | "another board"
  | "not one game"
  | "illegal move"
  | "too few moves"
  | "set-up position"
  | "handicap"
  | "option"
  | "rating"
  | "result"
  | "broken off"
  | "disputed"
  | "duplicate";

/** A file or a game that is left out. */
export interface LeftOut {
  /** The file, and the line or the number of the game in it: `games/a.sgf:1`. */
  readonly where: string;
  readonly reason: LeftOutReason;
  /** What is there, in words. */
  readonly why: string;
}

/** Counts what is left out by reason, and keeps the first of each. */
export class LeftOutTally {
  readonly #counts = new Map<LeftOutReason, number>();
  readonly #examples = new Map<LeftOutReason, LeftOut[]>();

  /** Counts one more; `count` counts some that are alike. */
  add(each: LeftOut, count = 1): void {
    this.#counts.set(each.reason, (this.#counts.get(each.reason) ?? 0) + count);
    const examples = this.#examples.get(each.reason) ?? [];
    if (examples.length < EXAMPLES) this.#examples.set(each.reason, [...examples, each]);
  }

  /** By reason, the most frequent first. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
  }

  /** The first ones that were left out for a reason. */
  examples(reason: string): readonly LeftOut[] {
    return this.#examples.get(reason as LeftOutReason) ?? [];
  }
}

const EXAMPLES = 3;
