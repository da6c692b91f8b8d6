import { tilesOf } from "./board.ts";
import type { BoardSize, State2048 } from "./board.ts";
import type { Drawing } from "../game.ts";

const CELL_SIZE = 64;
const GAP = 6;

/** Boards of 2048 as text, a line a row with `.` for an empty cell, and as SVG; both with the score. */
export function drawing2048(size: BoardSize): Drawing<State2048> {
  return {
    text(state) {
      const tiles = tilesOf(state, size);
      const width = Math.max(4, String(Math.max(...tiles)).length) + 1;
      const lines = [`score ${state.score}`];
      for (let r = 0; r < size.rows; r++)
        lines.push(
          tiles
            .slice(r * size.columns, (r + 1) * size.columns)
            .map((tile) => (tile === 0 ? "." : String(tile)).padStart(width))
            .join(""),
        );
      return lines.join("\n");
    },
    svg(state) {
      const tiles = tilesOf(state, size);
      const step = CELL_SIZE + GAP;
      const width = size.columns * step + GAP;
      const height = size.rows * step + GAP + 24;
      const cells = tiles.map((tile, cell) => {
        const row = Math.floor(cell / size.columns);
        const x = GAP + (cell - row * size.columns) * step;
        const y = GAP + row * step + 24;
        const square = `<rect x="${x}" y="${y}" width="${CELL_SIZE}" height="${CELL_SIZE}" rx="4" fill="${colour(tile)}"/>`;
        if (tile === 0) return square;
        const fontSize = Math.min(28, Math.floor(96 / String(tile).length));
        const ink = tile <= 4 ? "#5b5247" : "#ffffff";
        return `${square}<text x="${x + CELL_SIZE / 2}" y="${y + CELL_SIZE / 2}" font-size="${fontSize}" fill="${ink}" text-anchor="middle" dominant-baseline="central">${tile}</text>`;
      });
      return (
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">` +
        `<rect width="${width}" height="${height}" fill="#a99f93"/>` +
        `<text x="${GAP}" y="20" font-size="16" fill="#ffffff">score ${state.score}</text>` +
        `${cells.join("")}</svg>`
      );
    },
  };
}

/** From a pale ground through ochre and red to violet: each doubling is one step of hue. */
function colour(tile: number): string {
  if (tile === 0) return "#beb5a9";
  const exponent = Math.log2(tile);
  if (exponent <= 2) return exponent === 1 ? "#ece4da" : "#ebdcc0";
  return `hsl(${(405 - 14 * exponent) % 360} 70% ${Math.max(30, 66 - 2 * exponent)}%)`;
}
