import { describe, expect, it } from "vitest";
import { OVER } from "../../../src/games/game.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import type { StateTicTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";

function after(...moves: readonly string[]): StateTicTacToe {
  const state = ticTacToe.initial();
  for (const move of moves) ticTacToe.play(state, ticTacToe.notation.parse(state, move)!);
  return state;
}

function returnsOf(state: StateTicTacToe): number[] {
  const returns = new Float64Array(2);
  ticTacToe.returns(state, returns);
  return [...returns];
}

const solved = new Map<string, readonly [number, number]>();

/** The value of a state for the seat to move under perfect play, by looking at every position after it. */
function solve(state: StateTicTacToe): readonly [number, number] {
  const cells = state.cells.join();
  const known = solved.get(cells) ?? solveAnew(state);
  solved.set(cells, known);
  return known;
}

function solveAnew(state: StateTicTacToe): readonly [number, number] {
  if (state.toMove === OVER) return returnsOf(state) as [number, number];
  const mover = state.toMove;
  const legal = new Int32Array(9);
  const count = ticTacToe.legal(state, legal);
  const values = Array.from(legal.subarray(0, count), (action) => {
    const next = ticTacToe.initial();
    ticTacToe.copy(state, next);
    ticTacToe.play(next, action);
    return solve(next);
  });
  return values.reduce((best, value) => (value[mover]! > best[mover]! ? value : best));
}

describe("tic-tac-toe", () => {
  it("is won by three in a row, a column or a diagonal", () => {
    expect(returnsOf(after("a3", "a2", "b3", "b2", "c3"))).toEqual([1, 0]);
    expect(returnsOf(after("a3", "b3", "a2", "b2", "c3", "b1"))).toEqual([0, 1]);
    expect(returnsOf(after("a3", "b3", "b2", "c3", "c1"))).toEqual([1, 0]);
    expect(returnsOf(after("c3", "b3", "b2", "a3", "a1"))).toEqual([1, 0]);
  });

  it("is drawn when the board is full, and open before", () => {
    const draw = ["b2", "a3", "c3", "a1", "a2", "c2", "b3", "b1", "c1"];
    expect(returnsOf(after(...draw))).toEqual([0.5, 0.5]);
    expect(ticTacToe.toMove(after(...draw))).toBe(OVER);
    expect(returnsOf(after(...draw.slice(0, 8)))).toEqual([0, 0]);
  });

  it("ends in a draw between perfect players", () => {
    expect(solve(ticTacToe.initial())).toEqual([0.5, 0.5]);
    expect(solve(after("a3", "b3"))).toEqual([1, 0]);
  });

  it("shows the mover's stones, the other's, and the side to move", () => {
    const out = new Float32Array(27);
    ticTacToe.nets!.planes["stones"]!.write(after("a3", "c1", "b2"), out, 0);
    expect(ticTacToe.nets!.planes["stones"]!.shape).toEqual([3, 3, 3]);
    const plane = (k: number) => Array.from({ length: 9 }, (_, cell) => out[3 * cell + k]);
    expect(plane(0)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(plane(1)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 0]);
    expect(plane(2)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("is drawn as three rows of three, with names at their sides", () => {
    const state = after("b2", "a3", "c1");
    // The nine cells row by row from the top left: a3 is the first, b2 the middle one, c1 the last.
    expect(ticTacToe.drawing.board!(state)).toMatchObject({
      columns: 3,
      rows: 3,
      columnNames: ["a", "b", "c"],
      rowNames: ["3", "2", "1"],
      pieces: [
        { seat: 1, cells: [0] },
        { seat: 0, cells: [4] },
        { seat: 0, cells: [8] },
      ],
    });
  });

  it("counts lines that one side alone can fill, with one stone or two, in eighths", () => {
    const state = after("b2", "a3", "c3");
    const seenBy = (seat: number) => {
      const out = new Float64Array(6);
      ticTacToe.linear!.features!.write(state, seat, out);
      return [...out];
    };
    // x alone: middle row, columns b and c with one stone, the diagonal from a1 with two; o alone: column a.
    expect(seenBy(0)).toEqual([1, 0, 3 / 8, 1 / 8, 1 / 8, 0]);
    expect(seenBy(1)).toEqual([1, 1, 1 / 8, 3 / 8, 0, 1 / 8]);
  });
});
