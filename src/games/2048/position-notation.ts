import { CHANCE, OVER } from "../game.ts";
import type { PositionReading } from "../game.ts";
import { noPosition } from "../position-text.ts";
import { emptyBoard, letPlayerMove, setBoard, tilesOf } from "./board.ts";
import type { BoardSize, State2048 } from "./board.ts";
import { GREATEST_EXPONENT } from "./lines.ts";

/**
 * A position of 2048 as text: the board, who moves, the score. Rows from the top are joined by `/`, the tiles of a row
 * by `,`, `.` is an empty cell. Who moves: `p` the player, `c` chance, `-` nobody, the game being over.
 * `2,.,.,4/.,.,.,./.,.,.,./.,.,.,. p 0`
 */
export function position2048(state: State2048, size: BoardSize): string {
  const tiles = tilesOf(state, size).map((tile) => (tile === 0 ? "." : String(tile)));
  const rows = Array.from({ length: size.rows }, (_, row) =>
    tiles.slice(row * size.columns, (row + 1) * size.columns).join(","),
  );
  const mover = state.toMove === CHANCE ? "c" : state.toMove === OVER ? "-" : "p";
  return `${rows.join("/")} ${mover} ${state.score}`;
}

/** Reads what `position2048` writes: tiles from 2 to 2^18 and any score that is a whole number. */
export function parsePosition2048(text: string, size: BoardSize): PositionReading<State2048> {
  const fields = text.split(" ");
  if (fields.length !== 3)
    return noPosition(
      "ERR_SYNTAX",
      `a position has 3 parts (board, mover, score), not ${fields.length}: "2,.,.,4/.,.,.,./.,.,.,./.,.,.,. p 0"`,
    );
  const [board, mover, score] = fields as [string, string, string];
  const rows = board.split("/").map((row) => row.split(","));
  if (rows.length !== size.rows)
    return noPosition("ERR_SIZE", `the board has ${rows.length} rows between its "/", not ${size.rows}`);
  const exponents = new Uint8Array(size.rows * size.columns);
  for (const [row, tiles] of rows.entries()) {
    if (tiles.length !== size.columns)
      return noPosition("ERR_SIZE", `row ${row + 1} has ${tiles.length} cells, not ${size.columns}`);
    for (const [column, tile] of tiles.entries()) {
      const where = `row ${row + 1}, column ${column + 1}`;
      if (!/^(\.|\d{1,6})$/.test(tile))
        return noPosition(
          "ERR_SYNTAX",
          `${where} is "${tile}"; a cell is a tile's number, or "." if it is empty`,
        );
      const exponent = tile === "." ? 0 : Math.log2(Number(tile));
      if (tile !== "." && (!Number.isInteger(exponent) || exponent < 1 || exponent > GREATEST_EXPONENT))
        return noPosition("ERR_PIECES", `${where} is ${tile}; tiles are powers of two from 2 to 262144`);
      exponents[row * size.columns + column] = exponent;
    }
  }
  if (!/^\d{1,15}$/.test(score))
    return noPosition("ERR_SCORE", `the score is "${score}"; it is a whole number, 0 or more`);
  const state = emptyBoard(size);
  setBoard(state, exponents, 0, size);
  state.score = Number(score);
  if (mover === "c")
    return state.empty === 0
      ? noPosition("ERR_TURN", 'chance ("c") cannot put a tile on a full board')
      : { state };
  if (state.empty === size.allEmpty)
    return noPosition("ERR_TURN", `the mover is "${mover}"; on a board without tiles chance moves: "c"`);
  letPlayerMove(state, size);
  const expected = state.toMove === OVER ? "-" : "p";
  return mover === expected
    ? { state }
    : noPosition("ERR_TURN", `the mover is "${mover}"; on this board it is "${expected}" or "c"`);
}
