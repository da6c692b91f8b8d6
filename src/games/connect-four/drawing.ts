import type { GridBoard } from "../../figures/boards/board.ts";
import { completeDrawing } from "../complete-drawing.ts";
import { rowsOfOneSeat } from "../rows-of-one-seat.ts";
import type { Drawing } from "../game.ts";
import type { ConnectFourBoard } from "./board.ts";
import { bitOf } from "./nets.ts";
import { type ConnectFourState, stoneAt } from "./state.ts";

/** By seat: its name, and the letter of its stones. */
const SEATS = [
  { name: "Yellow", letter: "x" },
  { name: "Red", letter: "o" },
] as const;

/** Boards of Connect Four: as text with `x` and `o` above the numbers of columns; as yellow and red stones in a rack. */
export function connectFourDrawing(board: ConnectFourBoard): Drawing<ConnectFourState> {
  const { columns, rows } = board;
  const numbers = Array.from({ length: columns }, (_, column) => String(column + 1));
  const status = ({ toMove, winner }: ConnectFourState) => {
    if (winner >= 0) return `${SEATS[winner]!.name} (${SEATS[winner]!.letter}) has four in a row`;
    return toMove < 0 ? "draw" : `${SEATS[toMove]!.name} (${SEATS[toMove]!.letter}) to move`;
  };
  const wonRows = (state: ConnectFourState) =>
    state.winner < 0 ? [] : rowsOfOneSeat(columns, rows, 4, (cell) => stoneAt(state, bitOf(board, cell)));
  const position = (state: ConnectFourState): GridBoard => ({
    kind: "grid",
    columns,
    rows,
    ground: "holes",
    columnNames: numbers,
    pieces: Array.from({ length: rows * columns }, (_, cell) => cell).flatMap((cell) => {
      const seat = stoneAt(state, bitOf(board, cell));
      return seat < 0 ? [] : [{ seat, shape: "stone" as const, cells: [cell] }];
    }),
    seats: SEATS.map((_, seat) => (state.winner === seat ? { note: "four in a row" } : {})),
    ...(state.winner < 0 ? {} : { won: wonRows(state) }),
  });
  return completeDrawing({
    seats: SEATS.map(({ name }) => name),
    text(state) {
      const letter = (cell: number) => SEATS[stoneAt(state, bitOf(board, cell))]?.letter ?? ".";
      const lines = Array.from({ length: rows }, (_, row) =>
        numbers.map((_each, column) => letter(row * columns + column)).join(" "),
      );
      return [...lines, numbers.join(" "), status(state)].join("\n");
    },
    board: position,
    place(state, column) {
      const cells = Array.from({ length: rows }, (_, row) => row * columns + column);
      const landing = cells.findLast((cell) => stoneAt(state, bitOf(board, cell)) < 0);
      return { cells: landing === undefined ? [] : [landing], reach: cells };
    },
    refusal: (_, cell) => `Column ${(cell % columns) + 1} is full.`,
  });
}
