import { describe, expect, it } from "vitest";
import type { GameGo } from "../../../src/games/go/go.ts";
import type { GoState } from "../../../src/games/go/state.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { hasShape } from "./playouts/plain-playout.ts";
import { PlainGo, plainRules } from "./reference.ts";

/** The prior of a move by flood fills on the plain game. */
function plainPrior(game: PlainGo, move: number): number {
  if (move === game.pass) return 0.1;
  if (game.isEye(move, game.mover)) return 0;
  const value = 0.5 + tactics(game, move) + place(game, move);
  return Math.max(0, Math.min(1, value));
}

function tactics(game: PlainGo, move: number): number {
  const { board, captured } = game.outcome(move, game.mover + 1);
  const free = board[move] === 0 ? 0 : game.liberties(move, board).length;
  const taken = captured.length === 0 ? 0 : 0.2 + 0.03 * captured.length;
  if (free < 2) return captured.length === 0 ? -0.35 : taken;
  const beside = game.beside(move).filter((point) => game.board[point] !== 0);
  const hasChain = (colour: number, count: number) =>
    beside.some((point) => game.board[point] === colour && game.liberties(point).length === count);
  return (
    taken +
    (hasChain(game.mover + 1, 1) ? 0.25 : 0) +
    (hasChain(2 - game.mover, 2) ? 0.05 : 0) +
    (hasShape(game, move) ? 0.1 : 0)
  );
}

function place(game: PlainGo, move: number): number {
  const { size } = game.rules;
  const [row, column] = [Math.floor(move / size), move % size];
  const last = game.moves.at(-1);
  let value = 0;
  if (last !== undefined && last !== game.pass) {
    const [down, across] = [Math.abs(row - Math.floor(last / size)), Math.abs(column - (last % size))];
    value += [0, 0, 0.2, 0.16, 0.1, 0.05][down + across + Math.max(down, across)] ?? 0;
  }
  const near = [...game.beside(move), ...game.corners(move)];
  if (near.some((point) => game.board[point] !== 0)) return value;
  return value + ([-0.3, -0.1, 0.05][Math.min(row, column, size - 1 - row, size - 1 - column)] ?? 0);
}

describe("the prior `heuristic` of moves in Go", () => {
  it.each([false, true])("is that of the plain game in positions of random games, suicide %s", (suicide) => {
    const values = new Set<number>();
    for (const [size, k] of [
      [3, 0],
      [5, 1],
      [9, 2],
    ] as const) {
      const game = openGame("go", { size, suicide }) as GameGo;
      const random = Random.named("go priors", size, k);
      const plain = new PlainGo({ ...plainRules, size, suicide });
      const state: GoState = game.initial();
      const actions = new Int32Array(game.maxLegal);
      const out = new Float64Array(game.maxLegal);
      for (let ply = 0; ply < 60 && game.toMove(state) >= 0; ply++) {
        const count = game.legal(state, actions);
        if (ply % 5 === 0) {
          game.search.movePriors!["heuristic"]!(state, actions, count, out);
          for (let i = 0; i < count; i++) {
            expect(out[i]).toBeCloseTo(plainPrior(plain, actions[i]!), 12);
            values.add(Math.round(out[i]! * 100));
          }
        }
        const move = actions[random.below(count > 1 ? count - 1 : 1)]!;
        game.play(state, move);
        plain.play(move);
      }
    }
    expect(values.size).toBeGreaterThan(15);
  });
});
