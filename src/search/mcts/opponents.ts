import type { Game } from "../../games/game.ts";

/**
 * How a Monte Carlo tree search models the opponents: the moves at a node of its tree, and the goal of each mover. The
 * root player is the seat to move at the root.
 */
export interface Opponents<S> {
  /** Whether opponents minimise the root player's payoff. Otherwise they maximise their own. */
  readonly hostile: boolean;
  /** Whether nodes represent plies of the game, so that the tree of one move can be kept for the next. */
  readonly follows: boolean;
  /** The greatest number of moves that a node can have. */
  readonly mostMoves: number;
  /**
   * Writes the keys (seat times number of actions plus action) of the moves at a decision node. May pass the turn of
   * `state` to another seat.
   */
  moves(state: S, mover: number, root: number, keys: Int32Array): number;
  /** Plays one of those moves. */
  play(state: S, key: number, root: number): void;
}

/**
 * The utility of a seat from the sums of payoffs of `times` simulations, which begin at index `at`, one per seat. If
 * the opponents are hostile, that of an opponent is `times` less the root player's.
 */
export function utilityOf(
  hostile: boolean,
  payoffs: Float64Array,
  at: number,
  seat: number,
  root: number,
  times: number,
): number {
  return hostile && seat !== root ? times - payoffs[at + root]! : payoffs[at + seat]!;
}

/** Every seat moves in turn and maximises its own payoff: the tree of max-n (Luckhardt and Irani 1986). */
export const eachForItself = <S>(game: Game<S>): Opponents<S> => inTurn(game, false);

/**
 * Every seat moves in turn, and all play against the root player: the tree of paranoid search (Sturtevant and Korf
 * 2000).
 */
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
 * The turns of all opponents form one layer: one of them moves against the root player, and the others are skipped.
 * This is the tree of best-reply search (Schadd and Winands 2011).
 *
 * The moves of a layer are those of every opponent, in turn order from the root player on. After one of them the root
 * player moves; if it has no move, the next layer is again one of the opponents. Two players simply take turns. Throws
 * RangeError for a game of more players that cannot pass the turn.
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
