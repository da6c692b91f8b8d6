import { type NetAbilities, OVER, type Planes } from "../game.ts";
import type { OthelloBoard } from "./board.ts";
import { discCount } from "./evaluations.ts";
import { discAt, isMove, type OthelloState, settleOthello } from "./state.ts";

const MOVES = 2;
const ONES = 3;
const CHANNELS = 4;

/** The value of byte 0 if White is to move. */
const WHITE_MOVES = 1;

/**
 * What nets need to know of Othello: planes, a logit for each square and one for the pass, the discs as ownership, their
 * difference as score, states in few bytes.
 */
export function othelloNets(board: OthelloBoard): NetAbilities<OthelloState> {
  const { squares, bitOf } = board;
  return {
    planes: { compact: compactPlanes(board) },
    // The pass, which lies on no square, is the action after the last square.
    actionPlanes: { planes: 1, offBoard: 1, index: (action) => action },
    ownership(state, out) {
      for (let action = 0; action < squares; action++) out[action] = discAt(state, bitOf[action]!);
    },
    score: {
      bounds: [0 - squares, squares],
      write(state, out) {
        const margin = discCount(state, 0) - discCount(state, 1);
        out[0] = margin;
        out[1] = 0 - margin;
      },
    },
    packing: {
      bytes: 1 + squares / 4,
      // Byte 0 is 1 if White moves. Then two bits a square, lower bits first: 0 empty, 1 Black, 2 White.
      pack(state, out, offset) {
        out.fill(0, offset, offset + 1 + squares / 4);
        if (state.toMove === 1) out[offset] = WHITE_MOVES;
        for (let action = 0; action < squares; action++)
          out[offset + 1 + (action >> 2)]! |= (discAt(state, bitOf[action]!) + 1) << (2 * (action & 3));
      },
      unpack(from, offset, into) {
        into.low0 = into.high0 = into.low1 = into.high1 = 0;
        for (let action = 0; action < squares; action++) {
          const disc = (from[offset + 1 + (action >> 2)]! >> (2 * (action & 3))) & 3;
          if (disc > 0) addDisc(into, bitOf[action]!, disc - 1);
        }
        settleOthello(into, board, from[offset] === WHITE_MOVES ? 1 : 0);
      },
    },
  };
}

/** Places a disc of a seat on an empty square, given by its bit, and turns nothing over. */
export function addDisc(state: OthelloState, bit: number, seat: number): void {
  const mask = 1 << (bit & 31);
  if (seat === 0 && bit < 32) state.low0 |= mask;
  else if (seat === 0) state.high0 |= mask;
  else if (bit < 32) state.low1 |= mask;
  else state.high1 |= mask;
}

/**
 * Four channels, from the side of the seat to move; when the game is over, of Black.
 *
 * | channel | what |
 * |---|---|
 * | 0, 1 | discs of the mover, discs of the other seat |
 * | 2 | the squares on which the mover can place a disc |
 * | 3 | ones: they distinguish the squares from what lies outside the board |
 */
function compactPlanes({ bitOf, size, squares }: OthelloBoard): Planes<OthelloState> {
  return {
    shape: [size, size, CHANNELS],
    encoding: [
      { as: "bits", channels: ONES },
      { as: "uniform", channels: CHANNELS - ONES },
    ],
    write(state, out, offset) {
      const mover = state.toMove === OVER ? 0 : state.toMove;
      for (let action = 0; action < squares; action++) {
        const bit = bitOf[action]!;
        const at = offset + CHANNELS * action;
        const disc = discAt(state, bit);
        out[at] = disc === mover ? 1 : 0;
        out[at + 1] = disc === 1 - mover ? 1 : 0;
        out[at + MOVES] = isMove(state, bit) ? 1 : 0;
        out[at + ONES] = 1;
      }
    },
  };
}
