import { numbersAsNotation } from "./numbers-as-notation.ts";
import { type Game, OVER } from "../../../src/games/game.ts";

/** A position of strips: who holds each cell (seat + 1, 0 nobody, 255 a wall), and which lengths each seat has laid. */
export interface StripsState {
  readonly cells: Uint8Array;
  /** By seat: bit l - 1 for a strip of length l. */
  readonly laid: Uint8Array;
  /** By seat: the length laid last. */
  readonly last: Uint8Array;
  toMove: number;
}

/**
 * A line of cells for any number of players, in the manner of Blokus: each seat lays strips of the lengths 1 .. `lengths`,
 * each once, on free cells, never beside a strip of its own. A seat that cannot is out for good and passed over.
 *
 * Short strips are numbered first, so that the order of moves (long ones first) is not that of the numbers.
 */
export function strips(shape: {
  readonly players: number;
  readonly cells: number;
  readonly lengths: number;
  readonly walls?: readonly number[];
}): Game<StripsState> {
  const { players, cells, lengths, walls = [] } = shape;
  const all = (lengths * (lengths + 1)) / 2;
  const lengthOf = (action: number) => Math.floor(action / cells) + 1;
  const fits = (state: StripsState, seat: number, action: number) => {
    const length = lengthOf(action);
    const at = action % cells;
    if (state.laid[seat]! & (1 << (length - 1)) || at + length > cells) return false;
    for (let i = at; i < at + length; i++) if (state.cells[i] !== 0) return false;
    return state.cells[at - 1] !== seat + 1 && state.cells[at + length] !== seat + 1;
  };
  const moves = (state: StripsState, seat: number) =>
    Array.from({ length: cells * lengths }, (_, action) => action).filter((action) =>
      fits(state, seat, action),
    );
  const placed = (state: StripsState, seat: number) =>
    state.cells.reduce((sum, cell) => sum + Number(cell === seat + 1), 0);
  const score = (state: StripsState, seat: number) => {
    const left = all - placed(state, seat);
    return left > 0 ? -left : state.last[seat] === 1 ? 8 : 5;
  };
  const score_ = (state: StripsState, out: Float64Array) => {
    for (let seat = 0; seat < players; seat++) out[seat] = score(state, seat);
  };
  /** The longest strips that are left to a seat, together. */
  const longest = (state: StripsState, seat: number, count: number) => {
    let sum = 0;
    for (let length = lengths; length > 0 && count > 0; length--)
      if (!(state.laid[seat]! & (1 << (length - 1)))) {
        sum += length;
        count--;
      }
    return sum;
  };
  /** What the best move of a seat adds; -1 where it has none. */
  const gain = (state: StripsState, seat: number, bonus: boolean) =>
    Math.max(
      -1,
      ...moves(state, seat)
        .map(lengthOf)
        .map((length) => (bonus && left(state, seat) === 1 ? length + (length === 1 ? 8 : 5) : length)),
    );
  const left = (state: StripsState, seat: number) =>
    Array.from({ length: lengths }, (_, i) => i).filter((i) => !(state.laid[seat]! & (1 << i))).length;
  return {
    name: "strips",
    players,
    actions: cells * lengths,
    maxLegal: cells * lengths,
    returnBounds: [-all, 8],
    initial() {
      const state = {
        cells: new Uint8Array(cells),
        laid: new Uint8Array(players),
        last: new Uint8Array(players),
        toMove: 0,
      };
      for (const wall of walls) state.cells[wall] = 255;
      return state;
    },
    toMove: (state) => state.toMove,
    legal(state, out) {
      if (state.toMove === OVER) return 0;
      const legal = moves(state, state.toMove);
      out.set(legal);
      return legal.length;
    },
    play(state, action) {
      const seat = state.toMove;
      const length = lengthOf(action);
      const at = action % cells;
      state.cells.fill(seat + 1, at, at + length);
      state.laid[seat]! |= 1 << (length - 1);
      state.last[seat] = length;
      state.toMove = OVER;
      for (let step = 1; step <= players && state.toMove === OVER; step++)
        if (moves(state, (seat + step) % players).length > 0) state.toMove = (seat + step) % players;
    },
    copy(from, into) {
      into.cells.set(from.cells);
      into.laid.set(from.laid);
      into.last.set(from.last);
      into.toMove = from.toMove;
    },
    returns: score_,
    search: {
      preference: lengthOf,
      passTo(state, seat) {
        if (moves(state, seat).length === 0) return false;
        state.toMove = seat;
        return true;
      },
    },
    depthFirst: {
      staticEvaluations: {
        placed(state, out) {
          for (let seat = 0; seat < players; seat++) out[seat] = placed(state, seat);
        },
        score: score_,
      },
      growth: {
        placed: longest,
        score: (state, seat, count) =>
          longest(state, seat, count) + (count > 0 && count >= left(state, seat) ? 8 : 0),
      },
      gains: {
        placed: (state, seat) => gain(state, seat, false),
        score: (state, seat) => gain(state, seat, true),
      },
      moveBounds(state, plies, out) {
        // Strips of others cover `lengths` cells at most; each cell that a strip of 1 fits on is a move.
        const stays = (seat: number) =>
          moves(state, seat).filter((action) => lengthOf(action) === 1).length > lengths * (plies - 1);
        for (let seat = 0; seat < players; seat++) {
          const waiting = new Set(
            Array.from({ length: players }, (_, other) => other).filter(
              (other) => other !== seat && (other === state.toMove || stays(other)),
            ),
          );
          out[seat] = 0;
          for (let ply = 0, mover = state.toMove; ply < plies; mover = (mover + 1) % players)
            if (mover === seat) {
              out[seat]!++;
              ply++;
            } else if (waiting.delete(mover)) ply++;
        }
      },
      isLegal: (state, action) => fits(state, state.toMove, action),
      hash(state, out) {
        let a = state.toMove + 7;
        let b = 1;
        for (const part of [state.cells, state.laid, state.last])
          for (const byte of part) {
            a = Math.imul(a ^ byte, 0x01000193) ^ (a >>> 15);
            b = Math.imul(b + byte, 0x85ebca6b) ^ (b >>> 13);
          }
        out[0] = a;
        out[1] = b;
      },
    },
    notation: numbersAsNotation,
    drawing: {
      text: (state) => Array.from(state.cells, (cell) => (cell === 255 ? "#" : cell)).join(""),
      svg: () => "",
    },
  };
}
