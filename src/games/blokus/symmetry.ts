import { actionAt, type BlokusBoard } from "./board.ts";
import { blokusOrientations, orientationOfShape, shapeKey, imageOfVector } from "./pieces.ts";
import { layPiece } from "./play.ts";
import { actionOfPly, type BlokusState, resetBlokusState, seatOfPly } from "./state.ts";
import type { Symmetry } from "../game.ts";

/**
 * The symmetries of a board that map start cells to start cells, each with the seats that it exchanges: all 8 of the
 * square for four corners, those that fix or exchange the two start cells for Duo.
 *
 * The image of a seat is the seat whose start cell is the image of its start cell. Mirror images of the four-player game
 * reverse the turn order, and the opener of an image is the image of the opener: a state has both.
 */
export function blokusSymmetry(board: BlokusBoard): Symmetry<BlokusState> {
  const { size, players, starts } = board;
  const image = (x: number, y: number, symmetry: number): readonly [x: number, y: number] => {
    const [across, down] = imageOfVector([x, y], symmetry);
    return [across + (symmetry & 1 ? size - 1 : 0), down + (symmetry & 2 ? size - 1 : 0)];
  };
  const seatsUnder = (symmetry: number): number[] =>
    starts.map(([x, y]) => {
      const [across, down] = image(x, y, symmetry);
      return starts.findIndex(([startX, startY]) => startX === across && startY === down);
    });
  const kept = [0, 1, 2, 3, 4, 5, 6, 7].filter((symmetry) => !seatsUnder(symmetry).includes(-1));
  const seats = kept.map(seatsUnder);
  const shapes = kept.map((symmetry) =>
    Int32Array.from(blokusOrientations, ({ cells }) =>
      orientationOfShape.get(shapeKey(cells.map((cell) => imageOfVector(cell, symmetry))))!,
    ),
  );
  const actionUnder = (action: number, number: number): number => {
    const symmetry = kept[number]!;
    const placement = board.placements[action]!;
    const { width, height } = blokusOrientations[placement >> 16]!;
    const [x, y] = [placement & 255, (placement >> 8) & 255];
    const [ax, ay] = image(x, y, symmetry);
    const [bx, by] = image(x + width - 1, y + height - 1, symmetry);
    return actionAt(board, shapes[number]![placement >> 16]!, Math.min(ax, bx), Math.min(ay, by));
  };
  return {
    count: kept.length,
    transform(state, number, into) {
      const seat = seats[number]!;
      const mapped = Array.from({ length: state.plies }, (_, ply) => ({
        mover: seat[seatOfPly(state, ply)]!,
        action: actionUnder(actionOfPly(state, ply), number),
      }));
      const toMove = state.toMove < 0 ? state.toMove : seat[state.toMove]!;
      let out = 0;
      for (let each = 0; each < players; each++) if ((state.out >> each) & 1) out |= 1 << seat[each]!;
      const step = (seat[(state.opener + state.step) % players]! - seat[state.opener]! + players) % players;
      resetBlokusState(into, board, seat[state.opener]!, step);
      for (const { mover, action } of mapped) layPiece(into, board, mover, action);
      into.toMove = toMove;
      into.out = out;
    },
    action: actionUnder,
    seat: (seat, number) => seats[number]![seat]!,
  };
}
