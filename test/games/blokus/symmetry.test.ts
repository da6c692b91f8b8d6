import { describe, expect, it } from "vitest";
import { actionAt, cellsOfAction } from "../../../src/games/blokus/board.ts";
import type { GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { blokusOrientations, MONOMINO } from "../../../src/games/blokus/pieces.ts";
import { openGame } from "../../../src/games/registry.ts";
import { someOf } from "../../number-of-cases.ts";

type Cell = readonly [x: number, y: number];
type Images = Record<string, (cell: Cell) => Cell>;

const classicImages: Images = {
  identity: ([x, y]) => [x, y],
  "left to right": ([x, y]) => [19 - x, y],
  "top to bottom": ([x, y]) => [x, 19 - y],
  "half a turn": ([x, y]) => [19 - x, 19 - y],
  "main diagonal": ([x, y]) => [y, x],
  "quarter turn clockwise": ([x, y]) => [19 - y, x],
  "quarter turn anticlockwise": ([x, y]) => [y, 19 - x],
  "other diagonal": ([x, y]) => [19 - y, 19 - x],
};

// Only these keep the two start cells, on the main diagonal, or exchange them.
const duoImages: Images = {
  identity: ([x, y]) => [x, y],
  "half a turn": ([x, y]) => [13 - x, 13 - y],
  "main diagonal": ([x, y]) => [y, x],
  "other diagonal": ([x, y]) => [13 - y, 13 - x],
};

function sorted(cells: readonly Cell[]): Cell[] {
  return cells.toSorted(([ax, ay], [bx, by]) => ay - by || ax - bx);
}

describe.each([
  { game: openGame("blokus") as GameBlokus, images: classicImages },
  { game: openGame("blokus-duo") as GameBlokus, images: duoImages },
])("the symmetries of $game.name", ({ game, images }) => {
  const { symmetry, board } = game;
  const actions = someOf([...Array(game.actions).keys()].filter((action) => action % 7 === 0));

  it("are those of the square that keep the start cells, each once", () => {
    expect(symmetry.count).toBe(Object.keys(images).length);
  });

  it.each(Object.keys(images).map((name, number) => ({ name, number })))(
    "map pieces and seats as the board: $name",
    ({ name, number }) => {
      const image = images[name]!;
      for (const action of actions)
        expect(cellsOfAction(board, symmetry.action(action, number))).toEqual(
          sorted(cellsOfAction(board, action).map(image)),
        );
      const single = blokusOrientations.findIndex(({ piece }) => piece === MONOMINO);
      for (const [seat, start] of board.starts.entries()) {
        expect(board.starts[symmetry.seat(seat, number)]).toEqual(image(start));
        expect(symmetry.action(actionAt(board, single, ...start), number)).toBe(
          actionAt(board, single, ...image(start)),
        );
      }
    },
  );
});
