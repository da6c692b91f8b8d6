import { cellsOfAction } from "./board.ts";
import { type BlokusCells, blokusOwnership } from "./cells.ts";
import { actionOfPly, type BlokusState, seatOfPly } from "./state.ts";
import { OVER } from "../game.ts";
import type { Drawing } from "../game.ts";

/**
 * A colour a seat from the palette of Okabe and Ito (2008), which colour-blind people tell apart, and the letter of its
 * square in text: blue, orange, vermilion, bluish green.
 */
const SEATS = [
  { letter: "B", colour: "#0072b2", name: "blue" },
  { letter: "O", colour: "#e69f00", name: "orange" },
  { letter: "V", colour: "#d55e00", name: "vermilion" },
  { letter: "G", colour: "#009e73", name: "green" },
] as const;

const CELL = 20;
const MARGIN = 24;

/**
 * Boards of Blokus: as text with a letter a seat, `.` for an empty and `+` for an empty start cell; as SVG in colours
 * that colour-blind people tell apart, with a mark of its own for each seat.
 */
export function blokusDrawing(
  cells: BlokusCells,
  scores: (state: BlokusState) => number[],
): Drawing<BlokusState> {
  const { board } = cells;
  const { size, starts } = board;
  const ownership = blokusOwnership(cells);
  const isStart = (x: number, y: number) => starts.some(([sx, sy]) => sx === x && sy === y);
  return {
    text(state) {
      const owners = new Int8Array(cells.count);
      ownership(state, owners);
      const letters = Array.from({ length: size }, (_, x) => String.fromCharCode(97 + x)).join(" ");
      const lines = [`   ${letters}`];
      for (let y = 0; y < size; y++) {
        const row = Array.from({ length: size }, (_, x) => {
          const owner = owners[y * size + x]!;
          return owner >= 0 ? SEATS[owner]!.letter : isStart(x, y) ? "+" : ".";
        });
        const number = String(size - y);
        lines.push(`${number.padStart(2)} ${row.join(" ")} ${number}`);
      }
      lines.push(`   ${letters}`);
      for (const [seat, score] of scores(state).entries()) {
        const { letter, name } = SEATS[seat]!;
        const status = state.toMove === seat ? " to move" : "";
        lines.push(`${letter} ${name}: ${state.placed[seat]} squares, score ${score}${status}`);
      }
      return lines.join("\n");
    },

    svg(state) {
      const width = size * CELL + 2 * MARGIN;
      const height = width + 20 * board.players;
      const parts: string[] = [];
      const left = (x: number) => MARGIN + x * CELL;
      for (let i = 0; i < size; i++) {
        const middle = MARGIN + (i + 0.5) * CELL;
        const [letter, number] = [String.fromCharCode(97 + i), size - i];
        parts.push(
          `<text x="${middle}" y="${MARGIN - 8}">${letter}</text>`,
          `<text x="${MARGIN - 12}" y="${middle + 4}">${number}</text>`,
        );
      }
      for (let i = 0; i <= size; i++)
        parts.push(
          `<path d="M${MARGIN} ${left(i)}H${left(size)}M${left(i)} ${MARGIN}V${left(size)}" stroke="#cccccc"/>`,
        );
      for (const [x, y] of starts)
        parts.push(`<circle cx="${left(x) + CELL / 2}" cy="${left(y) + CELL / 2}" r="3" fill="#999999"/>`);
      for (let ply = 0; ply < state.plies; ply++) {
        const seat = seatOfPly(state, ply);
        const piece = cellsOfAction(board, actionOfPly(state, ply));
        const squares = piece.map(([x, y]) => `M${left(x)} ${left(y)}h${CELL}v${CELL}h-${CELL}z`).join("");
        const edge = outline(piece)
          .map(([x, y, dx, dy]) => `M${left(x)} ${left(y)}l${dx * CELL} ${dy * CELL}`)
          .join("");
        const marks = piece.map(([x, y]) => markOf(seat, left(x) + CELL / 2, left(y) + CELL / 2)).join("");
        // The last piece stands out.
        const width = ply === state.plies - 1 ? 4.5 : 2;
        parts.push(
          `<path d="${squares}" fill="${SEATS[seat]!.colour}"/>`,
          `<path d="${marks}" fill="none" stroke="#ffffff" stroke-width="1.5"/>`,
          `<path d="${edge}" stroke="#222222" stroke-width="${width}" stroke-linecap="square"/>`,
        );
      }
      for (const [seat, score] of scores(state).entries()) {
        const { colour, name } = SEATS[seat]!;
        const y = width + 20 * seat;
        const status = state.toMove === seat ? ", to move" : state.toMove === OVER ? ", over" : "";
        parts.push(
          `<rect x="${MARGIN}" y="${y - 12}" width="14" height="14" fill="${colour}"/>`,
          `<path d="${markOf(seat, MARGIN + 7, y - 5)}" fill="none" stroke="#ffffff" stroke-width="1.5"/>`,
          `<text x="${MARGIN + 22}" y="${y}" text-anchor="start">${name}: ${state.placed[seat]} squares, score ${score}${status}</text>`,
        );
      }
      return (
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" text-anchor="middle">` +
        `<rect width="${width}" height="${height}" fill="#ffffff"/>${parts.join("")}</svg>`
      );
    },
  };
}

/** The mark of a seat in the middle of a square, as a path: ring, cross, bar, square. */
function markOf(seat: number, x: number, y: number): string {
  switch (seat) {
    case 0:
      return `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`;
    case 1:
      return `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`;
    case 2:
      return `M${x - 5} ${y}h10`;
    default:
      return `M${x - 4} ${y - 4}h8v8h-8z`;
  }
}

/** The edges of a piece that no other square of it shares: from [x,y] by [dx,dy]. */
function outline(
  cells: readonly (readonly [x: number, y: number])[],
): (readonly [x: number, y: number, dx: number, dy: number])[] {
  const has = (x: number, y: number) => cells.some(([cx, cy]) => cx === x && cy === y);
  return cells.flatMap(([x, y]) => [
    ...(has(x, y - 1) ? [] : [[x, y, 1, 0] as const]),
    ...(has(x, y + 1) ? [] : [[x, y + 1, 1, 0] as const]),
    ...(has(x - 1, y) ? [] : [[x, y, 0, 1] as const]),
    ...(has(x + 1, y) ? [] : [[x + 1, y, 0, 1] as const]),
  ]);
}
