import { type Drawing, OVER } from "../game.ts";
import type { OthelloBoard } from "./board.ts";
import { discCount } from "./evaluations.ts";
import { OTHELLO_COLUMNS } from "./notation.ts";
import { discAt, isMove, type OthelloState } from "./state.ts";

/** Side of a square. */
const STEP = 40;
/** From the edge of the image to the board: the coordinates. */
const MARGIN = 24;

/** By seat: its name, the letter and the colour of its discs. */
const SEATS = [
  { name: "Black", letter: "X", fill: "#111111" },
  { name: "White", letter: "O", fill: "#fafafa" },
] as const;

/** Boards of Othello: as text with `X` and `O`, and `*` where the mover can place a disc; as SVG with small dots there. */
export function othelloDrawing(board: OthelloBoard): Drawing<OthelloState> {
  const { bitOf, size, squares } = board;
  const letters = OTHELLO_COLUMNS.slice(0, size).split("");
  const notes = (state: OthelloState) =>
    SEATS.map(({ name, letter }, seat) => {
      const status = state.toMove === OVER ? ", over" : state.toMove === seat ? ", to move" : "";
      return `${name} (${letter}) ${discCount(state, seat)}${status}`;
    });
  return {
    seats: SEATS.map(({ name }) => name),
    text(state) {
      const header = `  ${letters.join(" ")}`;
      const sign = (bit: number) => SEATS[discAt(state, bit)]?.letter ?? (isMove(state, bit) ? "*" : ".");
      const rows = letters.map((_, row) =>
        [row + 1, ...letters.map((_each, column) => sign(bitOf[row * size + column]!)), row + 1].join(" "),
      );
      return [header, ...rows, header, ...notes(state)].join("\n");
    },
    svg(state) {
      const side = size * STEP;
      const width = side + 2 * MARGIN;
      const height = width + 40;
      const at = (line: number) => MARGIN + line * STEP;
      const lines = Array.from(
        { length: size + 1 },
        (_, line) => `M${MARGIN} ${at(line)}h${side}M${at(line)} ${MARGIN}v${side}`,
      );
      const labels = letters.flatMap((letter, i) => [
        `<text x="${at(i) + STEP / 2}" y="16">${letter}</text>`,
        `<text x="12" y="${at(i) + STEP / 2 + 4}">${i + 1}</text>`,
      ]);
      const discs = Array.from({ length: squares }, (_, action) => {
        const bit = bitOf[action]!;
        const place = `cx="${at(action % size) + STEP / 2}" cy="${at(Math.floor(action / size)) + STEP / 2}"`;
        const seat = SEATS[discAt(state, bit)];
        if (seat !== undefined)
          return `<circle ${place} r="${STEP / 2 - 4}" fill="${seat.fill}" stroke="#111111"/>`;
        return isMove(state, bit) ? `<circle ${place} r="3" fill="#0b3d22"/>` : "";
      });
      const texts = notes(state).map(
        (note, seat) =>
          `<text x="${MARGIN}" y="${width + 10 + 18 * seat}" text-anchor="start">${note}</text>`,
      );
      return (
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" text-anchor="middle">` +
        `<rect width="${width}" height="${height}" fill="#ffffff"/><rect x="${MARGIN}" y="${MARGIN}" width="${side}" height="${side}" fill="#2f8f5b"/>` +
        `<path d="${lines.join("")}" stroke="#0b3d22"/>${discs.join("")}${labels.join("")}${texts.join("")}</svg>`
      );
    },
  };
}
