import { Random } from "../../../random.ts";
import type { GamesBatch } from "./batch.ts";
import type { FilterSettings } from "./collection-settings.ts";
import type { LeftOut } from "./left-out.ts";

/** Games that are taken into a collection. */
export interface KeptGames {
  readonly moves: Uint16Array;
  /** By game: its number of moves. */
  readonly lengths: Uint32Array;
  /** Row-major [games, players]. */
  readonly returns: Float32Array;
  /** By game: its part, by the number in `collectionParts`. */
  readonly parts: Uint8Array;
  /** By game: the index of its group in all groups so far. */
  readonly groupOf: Uint8Array;
  /** By game, counted from the first of these: the text of its start, if it does not begin as the rules say. */
  readonly starts: ReadonlyMap<number, string>;
  /** By game: its text as SGF, if wanted. */
  readonly texts: readonly string[];
}

/** The games have more groups than a collection can hold. */
export class TooManyGroups extends Error {
  override readonly name = "TooManyGroups";
}

const MOST_GROUPS = 256;

/**
 * Goes through batches in their order: leaves out duplicates of earlier games, and gives each game its part and group.
 *
 * The part follows from the game's canonical key and the seed alone, so that it depends neither on the order of files nor
 * on other games, and all images of a game have the same one.
 */
export class GameSorter {
  readonly #filters: FilterSettings;
  readonly #players: number;
  readonly #seen = new Set<bigint>();
  readonly #groups = new Map<string, number>();

  constructor(filters: FilterSettings, players: number) {
    this.#filters = filters;
    this.#players = players;
  }

  /** The groups so far, by index. */
  get groups(): readonly string[] {
    return [...this.#groups.keys()];
  }

  /** The games of a batch that are taken; `leaveOut` receives the others. Throws TooManyGroups. */
  take(batch: GamesBatch, leaveOut: (each: LeftOut) => void): KeptGames {
    const { duplicates } = this.#filters;
    const players = this.#players;
    const kept: number[] = [];
    const ends = new Uint32Array(batch.lengths.length);
    let end = 0;
    for (const [game, length] of batch.lengths.entries()) {
      ends[game] = end += length;
      const key = batch.keys[2 * game + (duplicates === "symmetric" ? 1 : 0)]!;
      if (duplicates !== "keep" && this.#seen.has(key)) {
        const where = `${batch.files[batch.fileOf[game]!]!}:${batch.places[game]!}`;
        leaveOut({ where, reason: "duplicate", why: `${length} moves as in an earlier game` });
      } else {
        kept.push(game);
        if (duplicates !== "keep") this.#seen.add(key);
      }
    }
    const lengths = Uint32Array.from(kept, (game) => batch.lengths[game]!);
    const moves = new Uint16Array(lengths.reduce((sum, length) => sum + length, 0));
    const returns = new Float32Array(kept.length * players);
    const starts = new Map<number, string>();
    let at = 0;
    for (const [index, game] of kept.entries()) {
      const length = lengths[index]!;
      moves.set(batch.moves.subarray(ends[game]! - length, ends[game]), at);
      at += length;
      returns.set(batch.returns.subarray(game * players, (game + 1) * players), index * players);
      const start = batch.starts.get(game);
      if (start !== undefined) starts.set(index, start);
    }
    return {
      moves,
      lengths,
      returns,
      parts: Uint8Array.from(kept, (game) => this.#partOf(batch.keys[2 * game + 1]!)),
      groupOf: Uint8Array.from(kept, (game) => this.#groupOf(batch.groups[batch.groupOf[game]!]!)),
      starts,
      texts: batch.texts.length === 0 ? [] : kept.map((game) => batch.texts[game]!),
    };
  }

  #partOf(key: bigint): number {
    const { seed, test, validation } = this.#filters;
    const draw = Random.named("part", seed, key.toString(16)).float();
    return draw < test ? 2 : draw < test + validation ? 1 : 0;
  }

  #groupOf(name: string): number {
    let group = this.#groups.get(name);
    if (group !== undefined) return group;
    group = this.#groups.size;
    if (group === MOST_GROUPS)
      throw new TooManyGroups(
        `the games have more than ${MOST_GROUPS} groups, such as "${name}"; choose another \`group\`: source, or none`,
      );
    this.#groups.set(name, group);
    return group;
  }
}
