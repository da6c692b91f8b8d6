import { boardSvg } from "../figures/boards/draw-board.ts";
import type { Drawing } from "./game.ts";

/** A drawing with its SVG: its own, or that of the board, or in a game without boards the lines of text. */
export function completeDrawing<S>(drawing: Omit<Drawing<S>, "svg"> & Partial<Drawing<S>>): Drawing<S> {
  return {
    svg: (state) =>
      drawing.board === undefined ? svgOfText(drawing.text(state)) : boardSvg(drawing.board(state)),
    ...drawing,
  };
}

/** Lines of text as a picture, in letters of one width. */
function svgOfText(text: string): string {
  const lines = text.split("\n");
  const width = 10 * Math.max(1, ...lines.map((line) => line.length)) + 20;
  const height = 20 * lines.length + 20;
  const spans = lines.map(
    (line, i) => `<text x="10" y="${20 * i + 25}" xml:space="preserve">${escaped(line)}</text>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<g font-family="monospace" font-size="16" fill="currentColor">${spans.join("")}</g></svg>`
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
