import { describe, expect, it } from "vitest";
import type { GridBoard } from "../../../../src/figures/boards/board.ts";
import { createGame } from "../../../../src/games/registry.ts";
import {
  cellsOf,
  flipped,
  ghostOf,
  misfit,
  movedTo,
  moveUnder,
  nearestFit,
  normalShape,
  openCorners,
  fittingPlaces,
  reshaped,
  turned,
} from "../../../../src/web/pages/play/placements.ts";
import type { MoveShown } from "../../../../src/web/views/play-views.ts";

/** The legal moves of Blokus Duo after some moves by their numbers in the list. */
function movesAfter(...chosen: readonly number[]) {
  const game = createGame("blokus-duo", {});
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  for (const each of chosen) {
    game.legal(state, legal);
    game.play(state, legal[each]!);
  }
  const moves = Array.from(legal.subarray(0, game.legal(state, legal)), (action): MoveShown => ({
    action,
    text: game.notation.format(state, action),
    place: game.drawing.place!(state, action)!,
  }));
  const own = [...Array(14 * 14).keys()].filter((cell) => {
    const board = game.drawing.board!(state) as {
      readonly pieces: readonly { seat: number; cells: readonly number[] }[];
    };
    return board.pieces.some(({ cells, seat }) => seat === game.toMove(state) && cells.includes(cell));
  });
  return { moves, own };
}

const size = { columns: 14, rows: 14 };

describe("pieces held over a board", () => {
  it("come back after four turns or two flips, and the turns of F are four shapes", () => {
    const f = normalShape([
      [1, 0],
      [2, 0],
      [0, 1],
      [1, 1],
      [1, 2],
    ]);
    const turns = [f];
    for (let i = 0; i < 3; i++) turns.push(turned(turns.at(-1)!, true));
    expect(turned(turns[3]!, true)).toEqual(f);
    expect(turned(turned(f, true), false)).toEqual(f);
    expect(flipped(flipped(f))).toEqual(f);
    expect(new Set([...turns, ...turns.map(flipped)].map(String)).size).toBe(8);
  });

  it("lie at every legal placement as the game says, and nowhere beyond the board", () => {
    const { moves } = movesAfter();
    for (const move of moves) {
      const ghost = ghostOf(move, size)!;
      expect(new Set(cellsOf(ghost, size))).toEqual(new Set(move.place!.cells));
      expect(moveUnder(ghost, moves, size)).toBe(move);
      expect(cellsOf(movedTo(ghost, 99, -99, size), size).every((cell) => cell >= 0 && cell < 196)).toBe(
        true,
      );
      expect(cellsOf(reshaped(ghost, turned(ghost.shape, true), size), size)).toHaveLength(
        ghost.shape.length,
      );
    }
    expect(moveUnder({ ...ghostOf(moves[0]!, size)!, x: 0, y: 13 }, moves, size)).toBeUndefined();
  });

  it("go through all places of their piece, and find the nearest to a cell", () => {
    const { moves } = movesAfter(0, 0);
    const ghost = ghostOf(moves[0]!, size)!;
    const places = fittingPlaces(ghost, moves, size);
    expect(places).toHaveLength(moves.filter(({ place }) => place!.piece === ghost.piece).length);
    expect(places[0]!.shape).toEqual(ghost.shape);
    for (const each of places) {
      const [cell] = cellsOf(each, size);
      expect(cellsOf(nearestFit(ghost, cell!, moves, size)!, size)).toContain(cell);
    }
  });

  it("fit where the rules say, and else have a reason", () => {
    const board = (own: number[], other: number[]): GridBoard => ({
      kind: "grid",
      columns: 14,
      rows: 14,
      ground: "cells",
      dots: [4 * 14 + 4, 9 * 14 + 9],
      pieces: [
        ...(own.length === 0 ? [] : [{ seat: 0, shape: "block" as const, cells: own }]),
        { seat: 1, shape: "block" as const, cells: other },
      ],
      seats: [{}, {}],
    });
    const started = board([60], [135]);
    expect(misfit([60, 61], 0, started)).toBe("it would cover another piece");
    expect(misfit([61], 0, started)).toBe("it would touch a side of your own pieces");
    expect(misfit([100], 0, started)).toBe("it touches no corner of your own pieces");
    expect(misfit([0], 0, board([], [135]))).toBe("your first piece covers your start cell");
    // The end of a row and the begin of the next one are no neighbours.
    expect(misfit([70], 0, board([69], [135]))).toBe("it touches no corner of your own pieces");
  });

  it("begin at start cells, later at open corners, which the smallest piece can take", () => {
    const first = movesAfter();
    expect(openCorners(first.moves, first.own, [65, 130, 0], size)).toEqual(
      [65, 130].filter((cell) => first.moves.some(({ place }) => place!.cells!.includes(cell))),
    );
    const { moves, own } = movesAfter(0, 0);
    const alone = moves.filter(({ place }) => place!.piece === "1").map(({ place }) => place!.cells![0]!);
    expect(alone.length).toBeGreaterThan(0);
    expect(new Set(openCorners(moves, own, [], size))).toEqual(new Set(alone));
  });
});
