import { BORDER, pieceOfOrientation, sizeOfPiece } from "./board.ts";
import { type BlokusCells, MOST_SQUARES } from "./cells.ts";
import { bitCount } from "../bits.ts";
import { BlokusMoveSet } from "./legal.ts";
import { blokusPieces } from "./pieces.ts";
import { actionOfPly, type BlokusState, seatOfPly } from "./state.ts";
import type { Planes } from "../game.ts";

/** Number of states that `history` shows: the current one and those before it. */
const STATES = 8;

/**
 * The input of BlokusZero (section 4.1, table 1): the squares of each seat in this position and in the 7 before it, and
 * the share of the pieces of all seats that have been laid. 33 channels with four players, 17 with two.
 *
 * Channel players * k + t: the squares, k plies ago, of the seat t places after the seat to move now, in turn order
 * (seats without a move count). Empty if the game is not so long. The last channel: pieces laid / 84 (in
 * Duo 42) in every cell. See docs/blokuszero.md for how the table is read.
 */
export function historyPlanes(cells: BlokusCells): Planes<BlokusState> {
  const { board, count } = cells;
  const { players, size } = board;
  const channels = players * STATES + 1;
  const whole = players * board.pieces;
  return {
    shape: [size, size, channels],
    encoding: [
      { as: "bits", channels: channels - 1 },
      { as: "uniform", channels: 1 },
    ],
    write: (state, out, offset) => {
      out.fill(0, offset, offset + channels);
      out[offset + channels - 1] = state.plies / whole;
      repeatCell(out, offset, channels, count);
      paintPieces(cells, state, out, offset, channels, STATES);
    },
  };
}

/**
 * A compact input for small nets: 5 channels for each seat, in turn order from the seat to move, and one more. 21
 * channels with four players, 11 with two.
 *
 * Channels t: the squares of the seat t places after the seat to move; players + t: the free corners at which it may
 * lay a piece; 2 players + t: the cells that it may cover. Both are empty for a seat that has been found without a move.
 * The same in every cell: 3 players + t: its squares in hand / 89; 4 players + t: its pieces of five squares in hand
 * / 12; the last: pieces laid by all / 84 (in Duo 42). With fewer pieces: parts of those that a seat begins with, and of
 * the pieces of most squares.
 */
export function compactPlanes(cells: BlokusCells): Planes<BlokusState> {
  const { hand, largest, players, size } = cells.board;
  const channels = 5 * players + 1;
  const large = blokusPieces.reduce(
    (bits, piece, index) => (piece.size === largest ? bits | (1 << index) : bits),
    0,
  );
  const largePieces = bitCount(large & hand);
  return {
    shape: [size, size, channels],
    encoding: [
      { as: "bits", channels: 3 * players },
      { as: "uniform", channels: 2 * players + 1 },
    ],
    write: (state, out, offset) => {
      paintConstants(cells, state, out, offset, channels, 3 * players, (seat, place) => {
        out[offset + 4 * players + place] = bitCount(state.left[seat]! & large) / largePieces;
      });
      paintPieces(cells, state, out, offset, channels, 1);
      paintRoom(cells, state, out, offset + players, channels);
    },
  };
}

/**
 * The board as in `compact`, and the moves that each seat could make now. The rest of the game depends on these moves,
 * above all late in a game. 7 channels for each seat, and one more: 29 with four players, 15 with two.
 *
 * Channels t, players + t, 2 players + t: as in `compact`; 3 players + t: the squares of the largest piece that the seat
 * could cover this cell with if it were to move / 5. The same in every cell: 4 players + t: its squares in hand / 89;
 * 5 players + t: those of pieces that it could lay now / 89; 6 players + t: log2 (1 + its legal moves) / 10; the last:
 * pieces laid by all / 84 (in Duo 42).
 */
export function mobilityPlanes(cells: BlokusCells, most: number): Planes<BlokusState> {
  const { board, offsets, squares } = cells;
  const { players, size, placements } = board;
  const channels = 7 * players + 1;
  const moves = new BlokusMoveSet(board);
  const legal = Array.from({ length: players }, () => new Int32Array(most));
  const counts = new Int32Array(players);
  return {
    shape: [size, size, channels],
    encoding: [
      { as: "bits", channels: 3 * players },
      { as: "bytes", channels: players, divisor: MOST_SQUARES },
      { as: "uniform", channels: 3 * players + 1 },
    ],
    write: (state, out, offset) => {
      paintConstants(cells, state, out, offset, channels, 4 * players, (seat, place) => {
        const count = moves.list(state, seat, legal[place]!);
        counts[place] = count;
        let pieces = 0;
        for (let i = 0; i < count; i++)
          pieces |= 1 << pieceOfOrientation[placements[legal[place]![i]!]! >> 16]!;
        let covered = 0;
        for (; pieces !== 0; pieces &= pieces - 1) covered += sizeOfPiece[31 - Math.clz32(pieces & -pieces)]!;
        out[offset + 5 * players + place] = covered / board.squares;
        out[offset + 6 * players + place] = Math.log2(1 + count) / 10;
      });
      paintPieces(cells, state, out, offset, channels, 1);
      paintRoom(cells, state, out, offset + players, channels);
      for (let place = 0; place < players; place++) {
        const own = legal[place]!;
        const channel = offset + 3 * players + place;
        // The largest pieces have the lowest numbers, and are painted last.
        for (let i = counts[place]! - 1; i >= 0; i--) {
          const placement = placements[own[i]!]!;
          const orientation = placement >> 16;
          const corner = cells.corner(placement);
          const first = MOST_SQUARES * orientation;
          const end = first + squares[orientation]!;
          for (let square = first; square < end; square++)
            out[channel + (corner + offsets[square]!) * channels] = squares[orientation]! / MOST_SQUARES;
        }
      }
    },
  };
}

/**
 * Clears all planes, and writes the channels that are the same in every cell: at `inHand` + t the squares in hand / 89;
 * in the last channel the share of all pieces that have been laid; and the channels that `more` writes into the first
 * cell for each seat.
 */
function paintConstants(
  { board, count }: BlokusCells,
  state: BlokusState,
  out: Float32Array,
  offset: number,
  channels: number,
  inHand: number,
  more: (seat: number, place: number) => void,
): void {
  const { players } = board;
  out.fill(0, offset, offset + channels);
  let seat = Math.max(0, state.toMove);
  for (let place = 0; place < players; place++) {
    out[offset + inHand + place] = (board.squares - state.placed[seat]!) / board.squares;
    more(seat, place);
    seat += state.step;
    if (seat >= players) seat -= players;
  }
  out[offset + channels - 1] = state.plies / (players * board.pieces);
  repeatCell(out, offset, channels, count);
}

/** At `offset` + t the free corners of a seat, `players` channels on the cells that it may cover. */
function paintRoom(
  { board }: BlokusCells,
  { corners, forbidden, out: without, step, toMove }: BlokusState,
  out: Float32Array,
  offset: number,
  channels: number,
): void {
  const { players, size } = board;
  let seat = Math.max(0, toMove);
  for (let place = 0; place < players; place++) {
    if (((without >> seat) & 1) === 0)
      for (let y = 0; y < size; y++) {
        const row = (y + BORDER) * players + seat;
        const free = ~forbidden[row]!;
        const at = offset + (y * size - BORDER) * channels + place;
        paintRow(free, out, at + players, channels);
        paintRow(free & corners[row]!, out, at, channels);
      }
    seat += step;
    if (seat >= players) seat -= players;
  }
}

/** Copies the channels of the first cell to all others. */
function repeatCell(out: Float32Array, offset: number, channels: number, cells: number): void {
  const end = offset + channels * cells;
  for (let length = channels; offset + length < end; length *= 2)
    out.copyWithin(offset + length, offset, Math.min(offset + length, end - length));
}

/** Puts 1 into the channel of each bit of a row, bit 0 at `at`. */
function paintRow(row: number, out: Float32Array, at: number, channels: number): void {
  for (let bits = row; bits !== 0; bits &= bits - 1) out[at + (31 - Math.clz32(bits & -bits)) * channels] = 1;
}

/** Puts 1 where the squares of a seat are, in its channel for each of the last `states` states that it shows. */
function paintPieces(
  cells: BlokusCells,
  state: BlokusState,
  out: Float32Array,
  offset: number,
  channels: number,
  states: number,
): void {
  const { board, offsets, squares } = cells;
  const { players, placements } = board;
  const { plies } = state;
  const mover = Math.max(0, state.toMove);
  for (let ply = 0; ply < plies; ply++) {
    const placement = placements[actionOfPly(state, ply)]!;
    const orientation = placement >> 16;
    const ahead = seatOfPly(state, ply) - mover + players;
    // `step` is 1 or players - 1, its own inverse modulo the players.
    const place = (ahead * state.step) % players;
    const last = place + players * Math.min(states - 1, plies - 1 - ply);
    const corner = cells.corner(placement);
    const first = MOST_SQUARES * orientation;
    for (let square = first; square < first + squares[orientation]!; square++) {
      const at = offset + (corner + offsets[square]!) * channels;
      for (let channel = place; channel <= last; channel += players) out[at + channel] = 1;
    }
  }
}
