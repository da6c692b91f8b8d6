import type { GridBoard, PieceShape } from "../../figures/boards/board.ts";
import { completeDrawing } from "../complete-drawing.ts";
import { type BlokusBoard, cellsOfAction, pieceOfAction } from "./board.ts";
import { type BlokusCells, blokusOwnership } from "./cells.ts";
import { actionOfPly, type BlokusState, seatOfPly } from "./state.ts";
import type { Drawing } from "../game.ts";
import { blokusOrientations, blokusPieces } from "./pieces.ts";

/** By seat: the letter of its square in text, and its colour of the palette (`figures/palette.ts`) in words. */
const SEATS = [
  { letter: "B", name: "blue" },
  { letter: "O", name: "orange" },
  { letter: "V", name: "vermilion" },
  { letter: "G", name: "green" },
] as const;

/**
 * Boards of Blokus: as text with a letter a seat, `.` for an empty and `+` for an empty start cell; as pieces in
 * the colours of seats.
 */
export function blokusDrawing(
  cells: BlokusCells,
  scores: (state: BlokusState) => number[],
): Drawing<BlokusState> {
  const { board } = cells;
  const { size, starts } = board;
  const ownership = blokusOwnership(cells);
  const isStart = (x: number, y: number) => starts.some(([sx, sy]) => sx === x && sy === y);
  const position = (state: BlokusState): GridBoard => {
    const plies = Array.from({ length: state.plies }, (_, ply) => ply);
    return {
      kind: "grid",
      columns: size,
      rows: size,
      ground: "cells",
      columnNames: Array.from({ length: size }, (_, x) => String.fromCharCode(97 + x)),
      rowNames: Array.from({ length: size }, (_, y) => String(size - y)),
      dots: starts.map(([x, y]) => y * size + x),
      pieces: plies.map((ply) => ({
        seat: seatOfPly(state, ply),
        shape: "block" as const,
        cells: cellsOn(board, actionOfPly(state, ply)),
      })),
      ...(plies.length === 0 ? {} : { last: cellsOn(board, actionOfPly(state, plies.length - 1)) }),
      seats: scores(state).map((score, seat) => ({
        score: String(score).replace("-", "−"),
        ...((state.out >> seat) & 1 ? { note: "no more moves" } : {}),
        left: blokusPieces.flatMap(({ name }, piece) => ((state.left[seat]! >> piece) & 1 ? [name] : [])),
      })),
    };
  };
  return completeDrawing({
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

    board: position,
    place: (_, action) => ({
      cells: cellsOn(board, action),
      piece: blokusPieces[pieceOfAction(board, action)]!.name,
    }),
    pieceShapes,
  });
}

/** The cells of a placement by number. */
function cellsOn(board: BlokusBoard, action: number): number[] {
  return cellsOfAction(board, action).map(([x, y]) => y * board.size + x);
}

/** The squares of each piece by name, as it lies in its first orientation. */
const pieceShapes: Readonly<Record<string, PieceShape>> = Object.fromEntries(
  blokusPieces.map(({ name }, piece) => [
    name,
    blokusOrientations.find((orientation) => orientation.piece === piece)!.cells,
  ]),
);
