import type { GameCollection } from "../../run/items.ts";
import type { KeptGames } from "./kept-games.ts";

/** A game to be put into a collection. */
export interface CollectedGame {
  /** Its actions, chance outcomes included. */
  readonly moves: ArrayLike<number>;
  /** By seat: its return, NaN if it is not known. */
  readonly returns: ArrayLike<number>;
  /** The index of its part in `collectionParts`. */
  readonly part: number;
  /** The index of its group. */
  readonly group: number;
  /** The text of its start, if it does not begin as the rules say. */
  readonly start?: string;
}

/** The collection of some games of a game with `players` seats, in their order. */
export function collectionOf(
  source: string,
  players: number,
  groups: readonly string[],
  games: readonly CollectedGame[],
): GameCollection {
  const batches = games.map(({ group, moves, part, returns, start }) => ({
    moves: Uint16Array.from(moves),
    lengths: Uint32Array.of(moves.length),
    returns: Float32Array.from(returns),
    parts: Uint8Array.of(part),
    groupOf: Uint8Array.of(group),
    starts: new Map(start === undefined ? [] : [[0, start]]),
  }));
  return joinGames(source, players, groups, batches);
}

/** The collection of all games of some batches, in their order. */
export function joinGames(
  source: string,
  players: number,
  groups: readonly string[],
  batches: readonly Omit<KeptGames, "texts">[],
): GameCollection {
  const total = (count: (batch: Omit<KeptGames, "texts">) => number): number =>
    batches.reduce((sum, batch) => sum + count(batch), 0);
  const games = total(({ lengths }) => lengths.length);
  const positions = total(({ moves }) => moves.length);
  const starts = new Map<number, string>();
  const collection: GameCollection = {
    source,
    games,
    positions,
    moves: new Uint16Array(new SharedArrayBuffer(2 * positions)),
    offsets: new Uint32Array(new SharedArrayBuffer(4 * (games + 1))),
    returns: new Float32Array(new SharedArrayBuffer(4 * games * players)),
    parts: new Uint8Array(new SharedArrayBuffer(games)),
    groupOf: new Uint8Array(new SharedArrayBuffer(games)),
    groups,
    starts,
  };
  let game = 0;
  let position = 0;
  for (const batch of batches) {
    collection.moves.set(batch.moves, position);
    collection.returns.set(batch.returns, game * players);
    collection.parts.set(batch.parts, game);
    collection.groupOf.set(batch.groupOf, game);
    for (const [number, start] of batch.starts) starts.set(game + number, start);
    for (const length of batch.lengths) collection.offsets[++game] = position += length;
  }
  return collection;
}
