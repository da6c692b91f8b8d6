import type { Drawing } from "../game.ts";
import type { GoBoard } from "./board.ts";
import { goMoveText, stoneLetter } from "./notation.ts";
import { type GoState, lastMove } from "./state.ts";

/** Rows from the top with `X` and `O`, coordinates at the sides, the last move below. */
export function goDrawing(board: GoBoard): Drawing<GoState> {
  const { size, cellOf, pointOf, pass } = board;
  const last = (state: GoState): string => {
    const cell = lastMove(state, 1);
    return cell < 0 ? "" : goMoveText(size, cell === 0 ? pass : pointOf[cell]!);
  };
  return {
    text(state) {
      const columns = `   ${Array.from({ length: size }, (_, column) => goMoveText(size, column)[0]!).join(" ")}`;
      const rows = Array.from({ length: size }, (_, row) => {
        const stones = Array.from({ length: size }, (_, column) =>
          stoneLetter(state.colour[cellOf[row * size + column]!]!),
        );
        return `${String(size - row).padStart(2)} ${stones.join(" ")}`;
      });
      return [columns, ...rows, `ply ${state.plies}, last move ${last(state) || "none"}`].join("\n");
    },
    svg(state) {
      const step = 24;
      const side = (size + 1) * step;
      const end = size * step;
      const lines = Array.from(
        { length: size },
        (_, i) => `M${step} ${(i + 1) * step}H${end}M${(i + 1) * step} ${step}V${end}`,
      ).join("");
      const stones = Array.from({ length: size * size }, (_, point) => {
        const colour = state.colour[cellOf[point]!]!;
        if (colour === 0) return "";
        const x = ((point % size) + 1) * step;
        const y = (Math.floor(point / size) + 1) * step;
        return `<circle cx="${x}" cy="${y}" r="11" fill="${colour === 1 ? "#111111" : "#ffffff"}"/>`;
      });
      return (
        `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">` +
        `<title>ply ${state.plies} ${last(state)}</title><rect width="${side}" height="${side}" fill="#e3b565"/>` +
        `<path d="${lines}" stroke="#333333" fill="none"/><g stroke="#333333">${stones.join("")}</g></svg>`
      );
    },
  };
}
