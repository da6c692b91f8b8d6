import type { Drawing } from "../game.ts";
import type { ConnectFourBoard } from "./board.ts";
import { bitOf } from "./nets.ts";
import { type ConnectFourState, stoneAt } from "./state.ts";

/** Side of a cell. */
const STEP = 48;
/** Below the board: the numbers of the columns, and who is to move. */
const NOTES = 44;

/** By seat: its name, and the colour of its stones. */
const SEATS = [
  { name: "Yellow", letter: "x", fill: "#f2c230" },
  { name: "Red", letter: "o", fill: "#cc3b2f" },
] as const;

/** Boards of Connect Four: as text with `x` and `o` above the numbers of columns; as SVG with yellow and red stones. */
export function connectFourDrawing(board: ConnectFourBoard): Drawing<ConnectFourState> {
  const { columns, rows } = board;
  const numbers = Array.from({ length: columns }, (_, column) => String(column + 1));
  const status = ({ toMove, winner }: ConnectFourState) => {
    if (winner >= 0) return `${SEATS[winner]!.name} (${SEATS[winner]!.letter}) has four in a row`;
    return toMove < 0 ? "draw" : `${SEATS[toMove]!.name} (${SEATS[toMove]!.letter}) to move`;
  };
  return {
    seats: SEATS.map(({ name }) => name),
    text(state) {
      const letter = (cell: number) => SEATS[stoneAt(state, bitOf(board, cell))]?.letter ?? ".";
      const lines = Array.from({ length: rows }, (_, row) =>
        numbers.map((_each, column) => letter(row * columns + column)).join(" "),
      );
      return [...lines, numbers.join(" "), status(state)].join("\n");
    },
    svg(state) {
      const width = Math.max(columns * STEP, 240);
      const left = (width - columns * STEP) / 2;
      const height = rows * STEP + NOTES;
      const cells = Array.from({ length: rows * columns }, (_, cell) => {
        const x = STEP * (cell % columns) + STEP / 2;
        const y = STEP * Math.floor(cell / columns) + STEP / 2;
        const fill = SEATS[stoneAt(state, bitOf(board, cell))]?.fill ?? "#ffffff";
        return `<circle cx="${x}" cy="${y}" r="${STEP / 2 - 5}" fill="${fill}"/>`;
      });
      const labels = numbers.map(
        (number, column) => `<text x="${STEP * column + STEP / 2}" y="${rows * STEP + 16}">${number}</text>`,
      );
      return (
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" text-anchor="middle">` +
        `<rect width="${width}" height="${height}" fill="#ffffff"/><g transform="translate(${left})">` +
        `<rect width="${columns * STEP}" height="${rows * STEP}" rx="6" fill="#2b5ea7"/>${cells.join("")}${labels.join("")}</g>` +
        `<text x="${width / 2}" y="${rows * STEP + 36}">${status(state)}</text></svg>`
      );
    },
  };
}
