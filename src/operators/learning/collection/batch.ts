import type { ContentKey } from "./content-key.ts";
import type { LeftOut } from "./left-out.ts";

/** Games that a thread has read, one after another, and what it has left out. Posted between threads. */
export interface GamesBatch {
  readonly moves: Uint16Array<ArrayBuffer>;
  /** By game: its number of moves. */
  readonly lengths: Uint32Array<ArrayBuffer>;
  /** Row-major [games, players]. */
  readonly returns: Float32Array<ArrayBuffer>;
  /** Two for each game: exact and canonical. */
  readonly keys: BigUint64Array<ArrayBuffer>;
  readonly groupOf: Uint32Array<ArrayBuffer>;
  readonly groups: readonly string[];
  readonly starts: ReadonlyMap<number, string>;
  /** By game: its file in `files`, and the line or the number of the game in it. */
  readonly fileOf: Uint32Array<ArrayBuffer>;
  readonly places: Uint32Array<ArrayBuffer>;
  readonly files: readonly string[];
  /** By game: its text as SGF, if wanted. */
  readonly texts: readonly string[];
  /** At most some thousands; `more` counts further ones by reason. */
  readonly leftOut: readonly LeftOut[];
  readonly more: ReadonlyMap<LeftOut["reason"], number>;
  readonly sums: readonly FileSum[];
}

/** The SHA-256 of a file that was read. */
export interface FileSum {
  readonly source: string;
  readonly label: string;
  readonly sha256: string;
}

/** Most files or games left out of a batch that are listed. */
const MOST_LISTED = 10_000;

/** Puts a batch together. */
export class BatchBuilder {
  #moves = new Uint16Array(1 << 14);
  #positions = 0;
  readonly #lengths: number[] = [];
  readonly #returns: number[] = [];
  readonly #keys: bigint[] = [];
  readonly #groupOf: number[] = [];
  readonly #groups = new Map<string, number>();
  readonly #starts = new Map<number, string>();
  readonly #fileOf: number[] = [];
  readonly #places: number[] = [];
  readonly #files = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #leftOut: LeftOut[] = [];
  readonly #more = new Map<LeftOut["reason"], number>();
  readonly #sums: FileSum[] = [];

  /** Adds a game. */
  add(
    game: { readonly moves: ArrayLike<number>; readonly returns: ArrayLike<number>; readonly start?: string },
    about: {
      readonly file: string;
      readonly place: number;
      readonly group: string;
      readonly key: ContentKey;
    },
    text: string | undefined,
  ): void {
    const { moves, returns, start } = game;
    const end = this.#positions + moves.length;
    if (end > this.#moves.length) {
      const longer = new Uint16Array(2 * end);
      longer.set(this.#moves);
      this.#moves = longer;
    }
    this.#moves.set(moves, this.#positions);
    this.#positions = end;
    if (start !== undefined) this.#starts.set(this.#lengths.length, start);
    this.#lengths.push(moves.length);
    for (let seat = 0; seat < returns.length; seat++) this.#returns.push(returns[seat]!);
    this.#keys.push(about.key.exact, about.key.canonical);
    this.#groupOf.push(indexOf(this.#groups, about.group));
    this.#fileOf.push(indexOf(this.#files, about.file));
    this.#places.push(about.place);
    if (text !== undefined) this.#texts.push(text);
  }

  /** Leaves out a file or a game. */
  leaveOut(each: LeftOut): void {
    if (this.#leftOut.length < MOST_LISTED) this.#leftOut.push(each);
    else this.#more.set(each.reason, (this.#more.get(each.reason) ?? 0) + 1);
  }

  /** Notes the SHA-256 of a file that was read. */
  sum(sum: FileSum): void {
    this.#sums.push(sum);
  }

  finish(): GamesBatch {
    return {
      moves: this.#moves.slice(0, this.#positions),
      lengths: Uint32Array.from(this.#lengths),
      returns: Float32Array.from(this.#returns),
      keys: BigUint64Array.from(this.#keys),
      groupOf: Uint32Array.from(this.#groupOf),
      groups: [...this.#groups.keys()],
      starts: this.#starts,
      fileOf: Uint32Array.from(this.#fileOf),
      places: Uint32Array.from(this.#places),
      files: [...this.#files.keys()],
      texts: this.#texts,
      leftOut: this.#leftOut,
      more: this.#more,
      sums: this.#sums,
    };
  }
}

/** The number of a name, which gets the next one if it is new. */
function indexOf(names: Map<string, number>, name: string): number {
  let index = names.get(name);
  if (index === undefined) names.set(name, (index = names.size));
  return index;
}
