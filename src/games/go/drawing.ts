import { OVER } from "../game.ts";
import type { Drawing } from "../game.ts";
import { BLACK, EMPTY, type GoBoard, PASS_CELL } from "./board.ts";
import { columnLetters } from "./notation/coordinates.ts";
import { starPoints } from "./handicap.ts";
import { goScore } from "./score.ts";
import { type GoState, lastMove } from "./state.ts";

/** By seat: its name, and the letter of its stones. */
const SEATS = [
  { name: "Black", letter: "X" },
  { name: "White", letter: "O" },
] as const;

/** Between two lines of the board. */
const STEP = 24;
/** From the edge of the wood to the first line: a stone and the coordinates. */
const MARGIN = 36;
/** The width that the lines below the board need. */
const NOTES = 300;

/**
 * Boards of Go: as text like GNU Go's, with `X` and `O`, `+` on star points, and the last move in parentheses; as SVG on
 * wood, with a ring on the last move. Both tell the stones captured, the area as it stands, and the seat to move.
 */
export function goDrawing(board: GoBoard): Drawing<GoState> {
  const { size, points, cellOf } = board;
  const stars = new Set(starPoints(size));
  const letters = columnLetters(size);
  const areas = new Float64Array(2);

  /** A line for each seat: the stones that it has captured, its area, whether it is to move or has just passed. */
  const notes = (state: GoState): string[] => {
    goScore(state, board, areas);
    return SEATS.map(({ name, letter }, seat) => {
      const passed = lastMove(state, 1) === PASS_CELL && (state.first + state.plies) % 2 !== seat;
      const status = state.toMove === seat ? ", to move" : passed ? ", passed" : "";
      const over = state.toMove === OVER ? ", over" : "";
      return `${name} (${letter}) has captured ${state.prisoners[1 - seat]}, area ${areas[seat]}${status}${over}`;
    });
  };

  return {
    seats: SEATS.map(({ name }) => name),
    text(state) {
      const last = lastMove(state, 1);
      const header = `   ${letters.join(" ")}`;
      const lines = [header];
      for (let row = 0; row < size; row++) {
        let line = String(size - row).padStart(2);
        for (let column = 0; column < size; column++) {
          const point = row * size + column;
          const cell = cellOf[point]!;
          const colour = state.colour[cell]!;
          const before = column > 0 && cellOf[point - 1] === last ? ")" : " ";
          line += cell === last ? "(" : before;
          line += colour !== EMPTY ? SEATS[colour - 1]!.letter : stars.has(point) ? "+" : ".";
        }
        line += last === cellOf[row * size + size - 1] ? ")" : " ";
        lines.push(`${line}${size - row}`);
      }
      return [...lines, header, ...notes(state)].join("\n");
    },

    svg(state) {
      const side = (size - 1) * STEP + 2 * MARGIN;
      const width = Math.max(side, NOTES);
      const height = side + 44;
      const x = (point: number) => MARGIN + (point % size) * STEP;
      const y = (point: number) => MARGIN + Math.floor(point / size) * STEP;
      const coordinates = letters.flatMap((letter, i) => {
        const at = MARGIN + i * STEP;
        return [10, side - 10].flatMap((edge) => [
          `<text x="${at}" y="${edge + 4}">${letter}</text>`,
          `<text x="${edge}" y="${at + 4}">${size - i}</text>`,
        ]);
      });
      const end = MARGIN + (size - 1) * STEP;
      const lines = letters.map((_, i) => {
        const at = MARGIN + i * STEP;
        return `M${MARGIN} ${at}H${end}M${at} ${MARGIN}V${end}`;
      });
      const dots = [...stars].map((point) => `<circle cx="${x(point)}" cy="${y(point)}" r="3"/>`);
      const last = lastMove(state, 1);
      const stones: string[] = [];
      for (let point = 0; point < points; point++) {
        const cell = cellOf[point]!;
        const colour = state.colour[cell]!;
        const at = `cx="${x(point)}" cy="${y(point)}"`;
        if (colour !== EMPTY)
          stones.push(
            `<circle ${at} r="11.5" fill="${colour === BLACK ? "#111111" : "#fafafa"}" stroke="#111111"/>`,
          );
        // After a suicide the last move has no stone.
        if (cell === last)
          stones.push(
            `<circle ${at} r="5" fill="none" stroke="${colour === BLACK ? "#ffffff" : "#111111"}" stroke-width="2"/>`,
          );
      }
      const texts = notes(state).map(
        (note, seat) => `<text x="10" y="${side + 18 + 18 * seat}" text-anchor="start">${note}</text>`,
      );
      return (
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" text-anchor="middle">` +
        `<rect width="${width}" height="${height}" fill="#ffffff"/><g transform="translate(${(width - side) / 2})">` +
        `<rect width="${side}" height="${side}" fill="#e0b468"/><g fill="#4a3510">${coordinates.join("")}</g>` +
        `<path d="${lines.join("")}" stroke="#4a3510" stroke-linecap="square"/>` +
        `<g fill="#4a3510">${dots.join("")}</g>${stones.join("")}</g>${texts.join("")}</svg>`
      );
    },
  };
}
