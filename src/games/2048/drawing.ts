import type { GridBoard, Side } from "../../figures/boards/board.ts";
import { completeDrawing } from "../complete-drawing.ts";
import { tilesOf } from "./board.ts";
import type { BoardSize, State2048 } from "./board.ts";
import type { Drawing } from "../game.ts";

/** By decision: where tiles slide. */
const SIDES: readonly Side[] = ["up", "right", "down", "left"];

/** Boards of 2048 as text, a line a row with `.` for an empty cell and the score above; and as tiles. */
export function drawing2048(size: BoardSize): Drawing<State2048> {
  const board = (state: State2048): GridBoard => ({
    kind: "grid",
    columns: size.columns,
    rows: size.rows,
    ground: "tiles",
    pieces: tilesOf(state, size).flatMap((value, cell) =>
      value === 0 ? [] : [{ seat: 0, shape: "tile" as const, cells: [cell], value }],
    ),
    seats: [{ score: state.score.toLocaleString("en-US") }],
  });
  return completeDrawing({
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
    board,
    place: (_, action) => ({ side: SIDES[action]! }),
  });
}
