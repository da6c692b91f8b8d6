import type { GridBoard } from "../../figures/boards/board.ts";
import { completeDrawing } from "../complete-drawing.ts";
import { type Drawing, OVER } from "../game.ts";
import type { OthelloBoard } from "./board.ts";
import { discCount } from "./evaluations.ts";
import { OTHELLO_COLUMNS } from "./notation.ts";
import { discAt, isMove, type OthelloState } from "./state.ts";

/** By seat: its name, and the letter of its discs. */
const SEATS = [
  { name: "Black", letter: "X" },
  { name: "White", letter: "O" },
] as const;

/** Boards of Othello: as text with `X` and `O`, and `*` where the mover can place a disc; and as discs on a green board. */
export function othelloDrawing(board: OthelloBoard): Drawing<OthelloState> {
  const { bitOf, size, squares } = board;
  const letters = OTHELLO_COLUMNS.slice(0, size).split("");
  const notes = (state: OthelloState) =>
    SEATS.map(({ name, letter }, seat) => {
      const status = state.toMove === OVER ? ", over" : state.toMove === seat ? ", to move" : "";
      return `${name} (${letter}) ${discCount(state, seat)}${status}`;
    });
  const position = (state: OthelloState): GridBoard => ({
    kind: "grid",
    columns: size,
    rows: size,
    ground: "green",
    columnNames: letters,
    rowNames: letters.map((_, row) => String(row + 1)),
    pieces: Array.from({ length: squares }, (_, square) => square).flatMap((square) => {
      const seat = discAt(state, bitOf[square]!);
      return seat < 0 ? [] : [{ seat, shape: "stone" as const, cells: [square] }];
    }),
    seats: SEATS.map((_, seat) => ({ score: String(discCount(state, seat)) })),
  });
  return completeDrawing({
    seats: SEATS.map(({ name }) => name),
    text(state) {
      const header = `  ${letters.join(" ")}`;
      const sign = (bit: number) => SEATS[discAt(state, bit)]?.letter ?? (isMove(state, bit) ? "*" : ".");
      const rows = letters.map((_, row) =>
        [row + 1, ...letters.map((_each, column) => sign(bitOf[row * size + column]!)), row + 1].join(" "),
      );
      return [header, ...rows, header, ...notes(state)].join("\n");
    },
    board: position,
    place: (_, action) => (action < squares ? { cells: [action] } : undefined),
    refusal: (state, square) =>
      discAt(state, bitOf[square]!) < 0 ? "A disc there would turn no other disc." : undefined,
  });
}
