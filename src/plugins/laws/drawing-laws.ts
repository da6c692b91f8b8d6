import { isDeepStrictEqual } from "node:util";
import type { Law } from "./trial.ts";

const SVG = /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<\/svg>$/;

/** Text and SVG of a position, and the board as data with the places of moves on it. */
export const drawings: Law = (trial, state, actions) => {
  const { drawing, players } = trial.game;
  const broken = (what: string) => trial.broken(`drawing ${what.split(" ", 1)[0]}`, `drawing.${what}`);
  trial.shows("drawing.text", drawing.text(state));
  if (!SVG.test(drawing.svg(state)))
    broken(
      `svg gives no SVG file: it begins with <svg xmlns="http://www.w3.org/2000/svg" and ends with </svg>`,
    );
  if (drawing.seats !== undefined && drawing.seats.length !== players)
    broken(`seats has ${drawing.seats.length} names; the game has ${players} seats`);
  const board = drawing.board?.(state);
  if (board === undefined) return;
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(board)), board))
    broken("board is not plain data: JSON does not keep all of it");
  if (board.seats.length !== players)
    broken(`board has notes for ${board.seats.length} seats; the game has ${players}`);
  for (const piece of board.seats.flatMap(({ left = [] }) => left))
    if (!Object.hasOwn(drawing.pieceShapes ?? {}, piece))
      broken(`pieceShapes has no shape of the piece "${piece}", which the board has as left`);
  const cells = board.kind === "grid" ? board.rows * board.columns : 0;
  if (trial.game.toMove(state) < 0) return;
  for (const action of actions)
    for (const cell of drawing.place?.(state, action)?.cells ?? [])
      if (!(Number.isInteger(cell) && cell >= 0 && cell < cells))
        broken(`place gives the cell ${cell} for the action ${action}; the board has ${cells} cells`);
};

/** The board of a seat does not depend on what is hidden from the seat. */
export const hiddenBoards: Law = (trial, state) => {
  const { drawing, information, players } = trial.game;
  if (information === undefined || drawing.board === undefined || trial.game.toMove(state) < 0) return;
  const other = trial.game.initial();
  for (let seat = 0; seat < players; seat++) {
    information.determinize(state, seat, trial.random, other);
    if (!isDeepStrictEqual(drawing.board(other, seat), drawing.board(state, seat)))
      trial.broken("hidden", `drawing.board for seat ${seat} shows what is hidden from this seat`);
  }
};
