import { describe, expect, it } from "vitest";
import { GameConnectFour } from "../../../src/games/connect-four/connect-four.ts";
import { playedFor, type ValueKind } from "../../../src/games/outcome.ts";
import { ConnectFourSolver } from "../../../src/games/connect-four/solver.ts";
import type { ConnectFourState } from "../../../src/games/connect-four/state.ts";
import { Random } from "../../../src/random.ts";
import { movesOf, plainValue, readBoard } from "./reference.ts";
import { casesOf } from "../../number-of-cases.ts";

/** A position of a random game after so many plies that is not over. */
function randomPosition(game: GameConnectFour, plies: number, random: Random): ConnectFourState {
  const legal = new Int32Array(game.maxLegal);
  for (;;) {
    const state = game.initial();
    for (let ply = 0; ply < plies && state.toMove >= 0; ply++)
      game.play(state, legal[random.below(game.legal(state, legal))]!);
    if (state.toMove >= 0) return state;
  }
}

/** The columns with an early win; or else a draw; or else a late loss. */
function bestOf(moves: readonly ({ outcome: number; plies: number } | undefined)[]): number[] {
  const known = moves.flatMap((move, column) => (move === undefined ? [] : [{ column, ...move }]));
  const outcome = Math.max(...known.map((move) => move.outcome));
  const equal = known.filter((move) => move.outcome === outcome);
  const ends = equal.map(({ plies }) => plies);
  const plies = outcome > 0 ? Math.min(...ends) : Math.max(...ends);
  return equal.filter((move) => move.plies === plies).map(({ column }) => column);
}

describe("the solver of Connect Four", () => {
  it.each([
    // A table of 16 entries: nearly every position replaces another.
    { columns: 4, rows: 4, plies: [7, 9, 11, 14], positions: 2, tableBits: 4 },
    { columns: 5, rows: 4, plies: [11, 14, 17], positions: 3, tableBits: 14 },
    { columns: 4, rows: 5, plies: [11, 14, 17], positions: 3, tableBits: 14 },
    { columns: 5, rows: 5, plies: [16, 19, 24], positions: 4, tableBits: 14 },
    { columns: 7, rows: 6, plies: [33, 36, 41], positions: 4, tableBits: 14 },
    { columns: 8, rows: 7, plies: [51, 53, 55], positions: 3, tableBits: 14 },
  ])("agrees with plain minimax on $columns x $rows", ({ columns, rows, plies, positions, tableBits }) => {
    const game = new GameConnectFour({ columns, rows });
    const solver = new ConnectFourSolver(game, tableBits);
    const random = Random.named("solver", columns, rows);
    const known = new Map<string, { outcome: number; plies: number }>();
    for (const ply of plies)
      for (let i = 0; i < positions; i++) {
        const state = randomPosition(game, ply, random);
        const board = readBoard(game.notation.position(state));
        const value = plainValue(board, known);
        const moves = movesOf(board).map((after) => {
          if (after === undefined) return undefined;
          const { outcome, plies } = plainValue(after, known);
          return { outcome: 0 - outcome, plies: plies + 1 };
        });
        expect(solver.value(state)).toEqual(value);
        expect(solver.outcome(state)).toBe(value.outcome);
        expect(solver.moveValues(state)).toEqual(moves);
        const legal = new Int32Array(columns);
        expect([...legal.subarray(0, solver.bestMoves(state, legal))]).toEqual(bestOf(moves));
        expect(solver.keepsOutcome(state)).toEqual(
          moves.map((move) => move && move.outcome === value.outcome),
        );
      }
  });

  it.each<[ValueKind, readonly number[]]>([
    ["returns", [0, 0.5, 1]],
    ["win-share", [0, 0.5, 1]],
    ["win-loss", [-1, 1, 1]],
  ])("gives the returns of both seats, as a game that is played for %s counts them", (values, kinds) => {
    const game = new GameConnectFour({ columns: 5, rows: 4 });
    const solve = playedFor(game, values).solver!();
    const plain = new ConnectFourSolver(game, 12);
    const outcomes = new Set<number>();
    const out = new Float64Array(2);
    for (let i = 0; i < 40; i++) {
      const state = randomPosition(game, 8 + (i % 6), Random.named("returns", i));
      const outcome = plain.value(state).outcome;
      outcomes.add(outcome);
      solve(state, out);
      expect([out[state.toMove], out[1 - state.toMove]]).toEqual([kinds[1 + outcome], kinds[1 - outcome]]);
    }
    expect(outcomes.size).toBe(3);
  });

  it("keeps no trace of earlier positions", () => {
    const game = new GameConnectFour({ columns: 7, rows: 6 });
    const used = new ConnectFourSolver(game, 12);
    for (let i = 0; i < casesOf(20); i++) {
      const state = randomPosition(game, 26, Random.named("fresh", i));
      expect(used.moveValues(state)).toEqual(new ConnectFourSolver(game, 12).moveValues(state));
    }
  });
});
