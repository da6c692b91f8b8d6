import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DOWN, Game2048, LEFT, RIGHT, UP } from "../../../src/games/2048/2048.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { perft } from "../../../src/games/perft.ts";
import { Random } from "../../../src/random.ts";
import { countGames, slideBoard } from "./reference.ts";
import type { Board } from "./reference.ts";
import { allCases, casesOf } from "../../number-of-cases.ts";

const game = new Game2048({ rows: 4, columns: 4 });
const directions = ["up", "right", "down", "left"];

/** Boards of any size with tiles up to the greatest; repeats are likely, so that much merges. */
const boards = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 17 }))
  .chain(([rows, columns, greatest]) =>
    fc.array(
      fc.array(
        fc
          .integer({ min: 0, max: 3 })
          .map((step) => (step === 0 ? 0 : 2 ** Math.max(1, greatest + step - 3))),
        { minLength: columns, maxLength: columns },
      ),
      { minLength: rows, maxLength: rows },
    ),
  );

function gameOf(board: Board): Game2048 {
  return new Game2048({ rows: board.length, columns: board[0]!.length });
}

function onFirstRow(tiles: readonly number[]): number[] {
  return [...tiles, ...Array.from({ length: 12 }, () => 0)];
}

describe("slides", () => {
  it("agree with the plain rules: board, reward and legality", () => {
    fc.assert(
      fc.property(boards, fc.integer({ min: 0, max: 3 }), (board, action) => {
        const own = gameOf(board);
        const state = own.fromBoard(board.flat());
        const expected = slideBoard(board, directions[action]!);
        expect(own.slide(state, action)).toBe(expected.legal ? expected.reward : -1);
        expect(own.board(state)).toEqual(expected.board.flat());
        expect(state.score).toBe(expected.reward);
      }),
      { numRuns: casesOf(3000), seed: 2048 },
    );
  });

  it("list as legal what the plain rules allow, and are over when that is nothing", () => {
    fc.assert(
      fc.property(boards, (board) => {
        const own = gameOf(board);
        const state = own.fromBoard(board.flat());
        const legal = new Int32Array(own.maxLegal);
        const expected = [0, 1, 2, 3].filter((action) => slideBoard(board, directions[action]!).legal);
        expect([...legal.subarray(0, own.legal(state, legal))]).toEqual(expected);
        expect(own.toMove(state)).toBe(expected.length > 0 ? 0 : OVER);
      }),
      { numRuns: casesOf(2000), seed: 2048 },
    );
  });

  it("merge farthest along the direction first, and no tile twice", () => {
    for (const [line, right, reward] of [
      [[2, 2, 2, 0], [0, 0, 2, 4], 4],
      [[0, 4, 2, 2], [0, 0, 4, 4], 4],
      [[2, 2, 2, 2], [0, 0, 4, 4], 8],
      [[65536, 65536, 0, 2], [0, 0, 131072, 2], 131072],
    ] as const) {
      const state = game.fromBoard(onFirstRow(line));
      expect(game.slide(state, RIGHT)).toBe(reward);
      expect(game.board(state)).toEqual(onFirstRow(right));
    }
  });

  it("leave an afterstate at which chance moves", () => {
    const state = game.fromBoard(onFirstRow([2, 2, 0, 0]), 100);
    game.play(state, LEFT);
    expect(game.toMove(state)).toBe(CHANCE);
    expect(game.board(state)).toEqual(onFirstRow([4, 0, 0, 0]));
    expect(state.score).toBe(104);
    expect(game.slide(state, LEFT)).toBe(-1);
  });

  it("go up, right, down and left as actions 0 to 3", () => {
    expect([UP, RIGHT, DOWN, LEFT]).toEqual([0, 1, 2, 3]);
    const cornered = (action: number) => {
      const tiles = Array.from({ length: 16 }, () => 0).with(5, 2);
      const state = game.fromBoard(tiles);
      game.play(state, action);
      return game.board(state).indexOf(2);
    };
    expect([UP, RIGHT, DOWN, LEFT].map(cornered)).toEqual([1, 7, 13, 4]);
  });
});

describe("chance", () => {
  it("puts two tiles on the empty board, then one after each slide", () => {
    const random = Random.named("2048.test", "chance");
    const state = game.initial();
    expect(game.board(state)).toEqual(Array.from({ length: 16 }, () => 0));
    for (const movers of [CHANCE, CHANCE]) {
      expect(game.toMove(state)).toBe(movers);
      game.play(state, game.chance.sample(state, random));
    }
    expect(game.toMove(state)).toBe(0);
    expect(game.board(state).filter((tile) => tile !== 0).length).toBe(2);
  });

  it("numbers an outcome cell * 2, plus 1 for a 4-tile, in probabilities .9 and .1", () => {
    const small = new Game2048({ rows: 2, columns: 3 });
    const state = small.fromBoard([2, 8, 2, 0, 4, 0]);
    small.play(state, DOWN);
    expect(small.board(state)).toEqual([0, 8, 0, 2, 4, 2]);
    const actions = new Int32Array(small.maxLegal);
    const probabilities = new Float64Array(small.maxLegal);
    const count = small.chance.outcomes(state, actions, probabilities);
    expect([...actions.subarray(0, count)]).toEqual([0, 1, 4, 5]);
    expect([...probabilities.subarray(0, count)]).toEqual([0.45, 0.05, 0.45, 0.05]);
    expect(small.notation.format(state, 5)).toBe("c1=4");
    small.play(state, 5);
    expect(small.board(state)).toEqual([0, 8, 4, 2, 4, 2]);
  });
});

describe("whole games", () => {
  it("number as many as by the plain rules", () => {
    for (const [rows, columns, depth] of [
      [4, 4, 3],
      [4, 3, 4],
      [3, 4, 4],
      [3, 3, 4],
      [2, 4, 5],
      [2, 3, 6],
      [3, 2, 6],
      [2, 2, 7],
    ] as const) {
      const own = new Game2048({ rows, columns });
      // The last depth takes most of the time.
      for (let plies = 0; plies <= (allCases ? depth : depth - 1); plies++)
        expect(perft(own, own.initial(), plies)).toBe(countGames(rows, columns, plies));
    }
  });

  it("score what their tiles are worth: (k - 1) 2^k for a tile 2^k, less 4 for each 4-tile that chance gave", () => {
    const random = Random.named("2048.test", "score");
    for (let k = 0; k < casesOf(50); k++) {
      const state = game.initial();
      const legal = new Int32Array(game.maxLegal);
      let fours = 0;
      while (game.toMove(state) !== OVER) {
        if (game.toMove(state) === CHANCE) {
          const outcome = game.chance.sample(state, random);
          fours += outcome & 1;
          game.play(state, outcome);
        } else game.play(state, legal[random.below(game.legal(state, legal))]!);
      }
      const tiles = game
        .board(state)
        .reduce((sum, tile) => sum + (tile === 0 ? 0 : (Math.log2(tile) - 1) * tile), 0);
      expect(state.score).toBe(tiles - 4 * fours);
      expect(game.figures.facts(state)).toEqual({ maxTile: Math.max(...game.board(state)) });
    }
  });

  it("score at most the merges of the greatest chain of tiles, all of it from 2-tiles", () => {
    // A tile of 2^k is made of two of 2^(k - 1), and scores 2^k.
    const merged = (k: number): number => (k === 1 ? 0 : 2 * merged(k - 1) + 2 ** k);
    for (const [rows, columns] of [
      [2, 2],
      [2, 3],
      [4, 4],
    ] as const) {
      const chain = Array.from({ length: rows * columns }, (_, i) => merged(i + 2));
      expect(new Game2048({ rows, columns }).returnBounds).toEqual([0, chain.reduce((a, b) => a + b, 0)]);
    }
  });

  it("score 1,093 to 1,096 in 118.3 moves on average when moves are random", () => {
    const random = Random.named("2048.test", "random player");
    const legal = new Int32Array(game.maxLegal);
    const games = casesOf(10_000);
    let score = 0;
    let moves = 0;
    for (let k = 0; k < games; k++) {
      const state = game.initial();
      while (game.toMove(state) !== OVER) {
        if (game.toMove(state) === CHANCE) game.play(state, game.chance.sample(state, random));
        else {
          game.play(state, legal[random.below(game.legal(state, legal))]!);
          moves++;
        }
      }
      score += state.score;
    }
    // The standard errors of the means of 10,000 games are about 5.3 and .45.
    const wider = Math.sqrt(10_000 / games);
    expect(Math.abs(score / games - 1094.5)).toBeLessThan(16 * wider);
    expect(Math.abs(moves / games - 118.3)).toBeLessThan(1.4 * wider);
  });
});

describe("symmetries", () => {
  it("are eight on square boards and four on others, each with an image of its own", () => {
    for (const [rows, columns, count] of [
      [2, 2, 8],
      [4, 4, 8],
      [3, 4, 4],
    ] as const) {
      const own = new Game2048({ rows, columns });
      const state = own.fromBoard(Array.from({ length: rows * columns }, (_, cell) => 2 ** (cell + 1)));
      expect(own.symmetry.count).toBe(count);
      const images = Array.from({ length: count }, (_, symmetry) => {
        const image = own.initial();
        own.symmetry.transform(state, symmetry, image);
        return own.board(image).join();
      });
      expect(new Set(images).size).toBe(count);
    }
  });
});

describe("boards from outside", () => {
  it("come back as they were given", () => {
    const tiles = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 131072];
    const state = game.fromBoard(tiles, 7);
    expect(game.board(state)).toEqual(tiles);
    expect(state.score).toBe(7);
    expect(game.toMove(state)).toBe(OVER);
  });

  it("are refused when they cannot be", () => {
    expect(() => game.fromBoard([2, 4])).toThrow(/16 tiles, not 2/);
    for (const tile of [1, 3, -2, 0.5, 262144, Number.NaN])
      expect(() => game.fromBoard(onFirstRow([tile, 0, 0, 2]))).toThrow(/tile 0 is/);
  });

  it("show the greatest tile in the planes, one-hot", () => {
    const out = new Float32Array(16 * 18);
    game.nets.planes.tiles.write(game.fromBoard(onFirstRow([131072, 0, 2, 4])), out, 0);
    expect([0, 1, 2, 3].map((cell) => out.subarray(18 * cell, 18 * cell + 18).indexOf(1))).toEqual([
      17, 0, 1, 2,
    ]);
    expect(out.reduce((sum, value) => sum + value, 0)).toBe(16);
  });
});
