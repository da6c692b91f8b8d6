import { describe, expect, it } from "vitest";
import { chainLiberties, chainStones } from "../../../src/games/go/chains.ts";
import type { GameGo } from "../../../src/games/go/go.ts";
import { setUpGo } from "../../../src/games/go/set-up.ts";
import { lastMove, takeBackPly } from "../../../src/games/go/state.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { EMPTY, PlainGo, plainRules } from "./reference.ts";
import { compareWholeGame } from "./whole-game.ts";
import { casesOf } from "../../number-of-cases.ts";

/** A game of random legal moves by both rules, and what `visit` checks after each ply. */
function playBoth(
  size: number,
  k: number,
  visit: (game: GameGo, state: ReturnType<GameGo["initial"]>, plain: PlainGo) => void,
): void {
  const rules = { ...plainRules, size, suicide: k % 2 === 1, superko: "simple" as const, moveLimit: 120 };
  const game = openGame("go", { ...rules }) as GameGo;
  const plain = new PlainGo(rules);
  const random = Random.named("chains", size, k);
  const state = game.initial();
  const out = new Int32Array(game.maxLegal);
  while (game.toMove(state) >= 0) {
    const legal = game.legal(state, out);
    const move = out[random.below(legal > 1 && random.below(12) > 0 ? legal - 1 : legal)]!;
    game.play(state, move);
    plain.play(move);
    visit(game, state, plain);
  }
}

const sorted = (numbers: Iterable<number>) => [...numbers].toSorted((a, b) => a - b);

describe("chains of Go", () => {
  it("have the stones and liberties that a flood fill finds", () => {
    const out = new Int16Array(400);
    let captures = 0;
    for (const size of [2, 3, 5, 8])
      for (let k = 0; k < casesOf(3, 1); k++)
        playBoth(size, k, (game, state, plain) => {
          if (state.plies % (3 * size - 5) !== 0) return;
          const { cellOf, pointOf, points, cells } = game.rules.board;
          const heads = new Set<number>();
          for (let point = 0; point < points; point++) {
            const cell = cellOf[point]!;
            const head = state.head[cell]!;
            if (plain.board[point] === EMPTY) {
              expect([head, state.next[cell], state.placed[cell]]).toEqual([0, 0, 0]);
              continue;
            }
            heads.add(head);
            const read = (count: number) => sorted(out.subarray(0, count).map((each) => pointOf[each]!));
            const stones = read(chainStones(state, cell, out));
            const liberties = read(chainLiberties(state, game.rules.board, cell, out));
            expect(stones).toEqual(sorted(plain.chain(point)));
            expect(liberties).toEqual(sorted(plain.liberties(point)));
            expect([state.stones[head], state.liberties[head]]).toEqual([stones.length, liberties.length]);
            expect(stones).toContain(pointOf[head]);
          }
          for (let cell = 0; cell < cells; cell++)
            if (!heads.has(cell)) expect([state.stones[cell], state.liberties[cell]]).toEqual([0, 0]);
          captures = Math.max(captures, state.prisoners[0]! + state.prisoners[1]!);
        });
    expect(captures).toBeGreaterThan(10);
  });

  it("remember when each stone was placed, and all earlier boards", () => {
    for (const size of [2, 4, 7])
      for (let k = 0; k < casesOf(2, 1); k++)
        playBoth(size, k, (game, state, plain) => {
          if (state.plies % 29 !== 0 && game.toMove(state) >= 0) return;
          const { cellOf, points } = game.rules.board;
          const now = state.colour.slice();
          const boards = [...plain.positions];
          for (let ply = state.plies; ; ply--) {
            const board = Array.from(cellOf.subarray(0, points), (cell) => now[cell]).join("");
            expect(board).toBe(boards[ply]!.board);
            if (ply === 0) break;
            takeBackPly(state, ply - 1, now);
          }
          for (const [point, colour] of plain.board.entries())
            if (colour !== EMPTY)
              expect(state.placed[cellOf[point]!]).toBe(plain.moves.lastIndexOf(point) + 1);
          const last = plain.moves.at(-1)!;
          expect(lastMove(state, 1)).toBe(cellOf[last]);
          expect(lastMove(state, state.plies)).toBe(cellOf[plain.moves[0]!]);
          expect(lastMove(state, state.plies + 1)).toBe(-1);
        });
  });

  it("keep a hash that is a function of the board", () => {
    for (const size of [2, 3, 6])
      for (let k = 0; k < casesOf(2, 1); k++)
        playBoth(size, k, (game, state, plain) => {
          if (state.plies % 7 !== 0) return;
          const again = setUpGo(game.rules, plain.board, 0)!;
          expect([state.hashLow, state.hashHigh]).toEqual([again.hashLow, again.hashHigh]);
        });
  });

  it("are set up only with liberties", () => {
    const { rules } = openGame("go", { size: 3 }) as GameGo;
    expect(setUpGo(rules, [1, 2, 0, 2, 0, 0, 0, 0, 0], 0)).toBe(undefined);
    expect(setUpGo(rules, [1, 1, 1, 1, 1, 1, 1, 1, 1], 0)).toBe(undefined);
    const state = setUpGo(rules, [1, 2, 0, 0, 2, 0, 0, 0, 0], 1)!;
    expect([state.toMove, state.plies]).toEqual([1, 0]);
    expect(sorted(state.placed.filter((number) => number !== 0))).toEqual([-3, -2, -1]);
  });

  it("give whole games on 19x19 the captures, kos and scores of the plain rules", () => {
    expect(compareWholeGame(19, 1, 200) + compareWholeGame(19, 2, 200)).toBeGreaterThan(0);
  });

  it("keep games of any length", () => {
    const game = openGame("go", { size: 2, superko: "simple" }) as GameGo;
    const state = game.initial();
    const out = new Int32Array(game.maxLegal);
    // Points in turn and no passes in a row: no end without superko.
    for (let ply = 0; ply < 400; ply++) {
      const legal = game.legal(state, out);
      game.play(state, out[legal > 1 ? ply % (legal - 1) : 0]!);
    }
    expect([state.plies, game.toMove(state)]).toEqual([400, 0]);
    const fresh = game.initial();
    game.copy(state, fresh);
    expect(fresh).toEqual(state);
    game.copy(game.initial(), fresh);
    expect(fresh).toEqual(game.initial());
  });
});
