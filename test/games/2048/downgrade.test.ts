import { describe, expect, it } from "vitest";
import { Game2048, type State2048 } from "../../../src/games/2048/2048.ts";
import { CHANCE } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";

const game = new Game2048({ rows: 4, columns: 4 });

function downgraded(state: State2048, tile: number): State2048 {
  const into = game.initial();
  game.search.downgrade(state, tile, into);
  return into;
}

/** The same board after downgrading, as tiles. */
function tiles(board: number[], tile: number): number[] {
  return game.board(downgraded(game.fromBoard(board), tile));
}

describe("downgrade2048", () => {
  it("halves what is above the greatest missing tile, as worked out by hand", () => {
    const small = [2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 4];
    expect(tiles([16384, 8192, 2048, 0, ...small], 16384)).toEqual([8192, 4096, 2048, 0, ...small]);
    expect(tiles([16384, 1024, 2048, 0, ...small], 16384)).toEqual([8192, 1024, 2048, 0, ...small]);
    // From 32,768 on twice: first 8,192 is missing, then 4,096.
    expect(tiles([32768, 16384, 32768, 2, ...small], 16384)).toEqual([8192, 4096, 8192, 2, ...small]);
  });

  it("leaves boards alone that have no such tile, or miss none", () => {
    const low = [8192, 4096, 64, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4];
    expect(tiles(low, 16384)).toEqual(low);
    const full = [16, 8, 4, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    expect(tiles(full, 8)).toEqual(full);
  });

  it("keeps the legal slides, what they merge, and the score", () => {
    const random = Random.named("downgrade");
    for (let i = 0; i < 500; i++) {
      const board = Array.from({ length: 16 }, () =>
        random.below(3) === 0 ? 0 : 2 ** (1 + random.below(random.below(17) + 1)),
      );
      if (board.every((tile) => tile === 0)) continue;
      const state = game.fromBoard(board, 100 * i);
      const other = downgraded(state, 64);
      expect(other.slides).toBe(state.slides);
      expect(other.toMove).toBe(state.toMove);
      expect(other.score).toBe(state.score);
      const greatest = Math.max(...board);
      const now = Math.max(...game.board(other));
      // As great a tile is left only if no lesser one is missing.
      const missing = Array.from({ length: Math.log2(now) - 1 }, (_, k) => 2 ** (k + 1)).filter(
        (tile) => !game.board(other).includes(tile),
      );
      expect(now <= greatest && (now < 64 || missing.length === 0)).toBe(true);
      for (let slide = 0; slide < 4; slide++) {
        if (((state.slides >> slide) & 1) === 0) continue;
        const [a, b] = [game.initial(), game.initial()];
        game.copy(state, a);
        game.copy(other, b);
        game.play(a, slide);
        game.play(b, slide);
        expect(b.empty).toBe(a.empty);
        expect(b.toMove).toBe(CHANCE);
      }
    }
  });
});
