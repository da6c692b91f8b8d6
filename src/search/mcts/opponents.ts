import type { Game } from "../../games/game.ts";

/**
 * How a search by playouts sees the other players: what can be moved at a node of its tree, and what each mover wants.
 * The root player is the seat to move at the root.
 */
export interface Opponents<S> {
  /** Whether others want the root player to get little, rather than much for themselves. */
  readonly hostile: boolean;
  /** Whether nodes stand for the plies of the game, so that the tree of one move serves for the next. */
  readonly follows: boolean;
  /** The most moves that a node can have. */
  readonly mostMoves: number;
  /** Writes the keys (seat times actions plus action) of the moves at a decision node; may turn `state` to another seat. */
  moves(state: S, mover: number, root: number, keys: Int32Array): number;
  /** Makes one of those moves. */
  play(state: S, key: number, root: number): void;
}

/** Each in turn, for itself: the tree of max-n (Luckhardt and Irani 1986). */
export const eachForItself = <S>(game: Game<S>): Opponents<S> => inTurn(game, false);

/** Each in turn, all others against the root player: the tree of paranoid search (Sturtevant and Korf 2000). */
export const allAgainstOne = <S>(game: Game<S>): Opponents<S> => inTurn(game, true);

function inTurn<S>(game: Game<S>, hostile: boolean): Opponents<S> {
  const { actions } = game;
  return {
    hostile,
    follows: true,
    mostMoves: game.maxLegal,
    moves(state, mover, _root, keys) {
      const count = game.legal(state, keys);
      const base = mover * actions;
      if (base > 0) for (let i = 0; i < count; i++) keys[i]! += base;
      return count;
    },
    play(state, key) {
      game.play(state, key % actions);
    },
  };
}

/**
 * All others' turns as one layer, where one of them moves against the root player and the rest are passed over: the
 * tree of best-reply search (Schadd and Winands 2011).
 *
 * The layer's moves are those of every other seat, in turn order from the root player on. After one of them it is the
 * root player's turn; while that one has no move, the layer's again. Two players simply take turns. Throws RangeError
 * for games of more players in which the turn cannot be passed.
 */
export function oneForAll<S>(game: Game<S>): Opponents<S> {
  const { players, actions, maxLegal } = game;
  const passTo = game.search?.passTo;
  if (players <= 2) return allAgainstOne(game);
  if (passTo === undefined)
    throw new RangeError(`${game.name} cannot pass the turn to a seat, which best-reply search needs`);
  const listed = new Int32Array(maxLegal);
  const list = (state: S, seat: number, keys: Int32Array, from: number): number => {
    const count = game.legal(state, listed);
    for (let i = 0; i < count; i++) keys[from + i] = seat * actions + listed[i]!;
    return from + count;
  };
  return {
    hostile: true,
    follows: false,
    mostMoves: (players - 1) * maxLegal,
    moves(state, mover, root, keys) {
      if (mover === root) return list(state, root, keys, 0);
      let length = 0;
      for (let turn = 1; turn < players; turn++) {
        const seat = (root + turn) % players;
        if (passTo(state, seat)) length = list(state, seat, keys, length);
      }
      return length;
    },
    play(state, key, root) {
      const seat = Math.floor(key / actions);
      if (game.toMove(state) !== seat) passTo(state, seat);
      game.play(state, key % actions);
      if (seat !== root && game.toMove(state) >= 0) passTo(state, root);
    },
  };
}
