import type { GameCollection } from "../run/items.ts";

/** A game to be put into a collection. */
export interface CollectedGame {
  /** Its actions, chance outcomes included. */
  readonly moves: ArrayLike<number>;
  /** By seat: its return, NaN where it is not known. */
  readonly returns: ArrayLike<number>;
  /** The index of its part in `collectionParts`. */
  readonly part: number;
  /** The index of its group. */
  readonly group: number;
  /** The text of its start, where it does not begin as the rules say. */
  readonly start?: string;
}

/** The collection of some games of a game with `players` seats, in their order. */
export function collectionOf(
  source: string,
  players: number,
  groups: readonly string[],
  games: readonly CollectedGame[],
): GameCollection {
  const positions = games.reduce((sum, { moves }) => sum + moves.length, 0);
  const collection: GameCollection = {
    source,
    games: games.length,
    positions,
    moves: new Uint16Array(new SharedArrayBuffer(2 * positions)),
    offsets: new Uint32Array(new SharedArrayBuffer(4 * (games.length + 1))),
    returns: new Float32Array(new SharedArrayBuffer(4 * games.length * players)),
    parts: new Uint8Array(new SharedArrayBuffer(games.length)),
    groupOf: new Uint8Array(new SharedArrayBuffer(games.length)),
    groups,
    starts: new Map(games.flatMap(({ start }, game) => (start === undefined ? [] : [[game, start]]))),
  };
  let position = 0;
  for (const [game, { moves, returns, part, group }] of games.entries()) {
    collection.moves.set(moves, position);
    position += moves.length;
    collection.offsets[game + 1] = position;
    collection.returns.set(returns, game * players);
    collection.parts[game] = part;
    collection.groupOf[game] = group;
  }
  return collection;
}
