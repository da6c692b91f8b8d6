import { OVER } from "../game.ts";
import type { Notation, PositionReading } from "../game.ts";
import { boardOfText, boardText, noPosition } from "../position-text.ts";
import { COLUMN_BITS, type ConnectFourBoard, hasFour } from "./board.ts";
import { bitOf } from "./nets.ts";
import {
  type ConnectFourState,
  newConnectFourState,
  settleConnectFour,
  stoneAt,
  stoneCount,
} from "./state.ts";

/** By seat: the letter of its stones. */
const SEATS = ["x", "o"] as const;

/**
 * A move is the number of its column, from 1 at the left. A position is the board (`boardText`; seat 0 has x, seat 1 o) and
 * the mover, `-` when the game is over: `7/7/7/7/3o3/3x3 x`.
 */
export function connectFourNotation(board: ConnectFourBoard): Notation<ConnectFourState> {
  const { columns, rows } = board;
  const open = (state: ConnectFourState, column: number) =>
    stoneAt(state, COLUMN_BITS * column + rows - 1) < 0;
  const columnOf = (text: string) =>
    /^[1-8]$/.test(text) && Number(text) <= columns ? Number(text) - 1 : -1;
  return {
    format: (_, action) => String(action + 1),
    parse(state, text) {
      const column = columnOf(text);
      return column >= 0 && state.toMove !== OVER && open(state, column) ? column : undefined;
    },
    whyIllegal(state, text) {
      const column = columnOf(text);
      if (column < 0) return `not a column from 1 to ${columns}`;
      if (state.toMove === OVER) return "the game is over";
      return open(state, column) ? undefined : "the column is full";
    },
    position: (state) =>
      `${boardText(rows, columns, (cell) => SEATS[stoneAt(state, bitOf(board, cell))] ?? "")} ${SEATS[state.toMove] ?? "-"}`,
    parsePosition: (text) => parseConnectFour(text, board),
  };
}

function parseConnectFour(text: string, board: ConnectFourBoard): PositionReading<ConnectFourState> {
  const { columns, rows } = board;
  const fields = text.split(" ");
  if (fields.length !== 2)
    return noPosition("ERR_SYNTAX", 'a position has 2 parts, board and mover, as in "7/7/7/7/3o3/3x3 x"');
  const read = boardOfText(fields[0]!, rows, columns, SEATS);
  if ("error" in read) return read;
  const state = newConnectFourState();
  for (const [cell, seat] of read.cells.entries()) {
    if (seat < 0) continue;
    if (cell + columns < read.cells.length && read.cells[cell + columns]! < 0)
      return noPosition(
        "ERR_PIECES",
        `row ${Math.floor(cell / columns) + 1} of the board has a stone in column ${(cell % columns) + 1} above an empty cell`,
      );
    const bit = bitOf(board, cell);
    const mask = 1 << (bit & 31);
    if (seat === 0 && bit < 32) state.low0 |= mask;
    else if (seat === 0) state.high0 |= mask;
    else if (bit < 32) state.low1 |= mask;
    else state.high1 |= mask;
  }
  const count = (seat: number) => read.cells.filter((each) => each === seat).length;
  if (count(0) !== count(1) && count(0) !== count(1) + 1)
    return noPosition(
      "ERR_PIECES",
      `the board has ${count(0)} stones x and ${count(1)} stones o; x has as many as o, or one more`,
    );
  settleConnectFour(state, board);
  if (hasFour(state.low0, state.high0) && hasFour(state.low1, state.high1))
    return noPosition("ERR_PIECES", "both x and o have four in a row; the game ends with the first");
  const last = (stoneCount(state) + 1) & 1;
  if (state.winner === 1 - last)
    return noPosition(
      "ERR_PIECES",
      `${SEATS[1 - last]!} has four in a row, but the last move was of ${SEATS[last]!}`,
    );
  const mover = SEATS[state.toMove] ?? "-";
  return fields[1] === mover
    ? { state }
    : noPosition("ERR_TURN", `the mover is "${fields[1]}"; on this board it is "${mover}"`);
}
