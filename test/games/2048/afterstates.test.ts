import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Game2048 } from "../../../src/games/2048/2048.ts";
import { Afterstates } from "../../../src/games/2048/afterstates.ts";

describe.each([
  [4, 4],
  [3, 3],
  [2, 3],
  [3, 2],
  [2, 2],
])("the afterstates of a %dx%d board", (rows, columns) => {
  const game = new Game2048({ rows, columns });
  const afterstates = new Afterstates(rows, columns);
  const cells = rows * columns;
  const tiles = fc.array(fc.constantFrom(0, 0, 2, 2, 4, 4, 8, 16, 2048, 131_072), {
    minLength: cells,
    maxLength: cells,
  });

  it("are those of the game's own moves, with their rewards", () => {
    const legal = new Int32Array(game.maxLegal);
    const after = game.initial();
    fc.assert(
      fc.property(tiles, (board) => {
        const state = game.fromBoard(board);
        const moves = [...legal.subarray(0, game.legal(state, legal))];
        const mask = afterstates.slide(state.lines);
        expect([0, 1, 2, 3].filter((direction) => (mask >> direction) & 1)).toEqual(moves);
        for (const move of moves) {
          game.copy(state, after);
          game.play(after, move);
          expect(afterstates.lines.slice(8 * move, 8 * move + 8)).toEqual(after.lines);
          expect(afterstates.rewards[move]).toBe(after.score);
        }
      }),
    );
  });
});
