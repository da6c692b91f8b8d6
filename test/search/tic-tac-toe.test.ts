import { describe, expect, it } from "vitest";
import type { Evaluator } from "../../src/games/evaluation.ts";
import { OVER } from "../../src/games/game.ts";
import { type StateTicTacToe, ticTacToe as game } from "../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { Random } from "../../src/random.ts";
import { drive } from "../../src/search/drive.ts";
import { openSearch } from "../../src/search/registry.ts";
import { actionValues } from "./solver.ts";
import { someOf } from "../number-of-cases.ts";

/** Exact values of every position that can be reached, by its cells. */
const solved = new Map<string, number[]>();
const positions: StateTicTacToe[] = [];

function exact(state: StateTicTacToe): number[] {
  const key = state.cells.join("");
  let values = solved.get(key);
  if (values === undefined) {
    const mover = game.toMove(state);
    if (mover === OVER) values = [0, 0];
    else {
      positions.push(state);
      values = actionValues(game, state, exact).reduce((best, next) =>
        next[mover]! > best[mover]! ? next : best,
      );
    }
    solved.set(key, values);
  }
  return values;
}

expect(exact(game.initial())).toEqual([0.5, 0.5]);

/** Knows everything, and prefers no move. */
const oracle: Evaluator<StateTicTacToe> = {
  evaluate(request) {
    for (let row = 0; row < request.count; row++) request.values.set(exact(request.states[row]!), 2 * row);
    request.priors?.fill(1);
  },
};

/** The places of every `step`-th position. */
function every(step: number): readonly number[] {
  return someOf([...positions.keys()].filter((i) => i % step === 0));
}

function moverWorths(state: StateTicTacToe): number[] {
  return actionValues(game, state, exact).map((actionValue) => actionValue[game.toMove(state)]!);
}

describe("searches on tic-tac-toe against the exhaustive solution", () => {
  it("has all 4520 positions to be decided", () => {
    expect(positions.length).toBe(4520);
  });

  for (const [name, options] of [
    ["greedy", {}],
    ["expectimax", { plies: 2 }],
    ["mc-softmax", { simulations: 40 }],
  ] as const)
    it(`${name} on true values gives every move its exact value`, () => {
      const search = openSearch(name, game, options);
      for (const i of every(9)) {
        const state = positions[i]!;
        const decision = drive(search.search(state, Random.named(i), 0), oracle);
        const wanted = moverWorths(state);
        expect([...decision.actionValues]).toEqual(wanted);
        expect(decision.values[game.toMove(state)]).toBe(Math.max(...wanted));
      }
    });

  it("puct-max-n on true values plays a best move everywhere", () => {
    const search = openSearch("puct-max-n", game, { simulations: 200 });
    for (const i of every(3)) {
      const state = positions[i]!;
      const decision = drive(search.search(state, Random.named(i), 0), oracle);
      const wanted = moverWorths(state);
      expect(wanted[decision.actions.indexOf(decision.action)]).toBe(Math.max(...wanted));
    }
  });

  it("uct plays a best move, from playouts alone", () => {
    const search = openSearch("uct", game, { simulations: 6000 });
    for (const i of every(60)) {
      const state = positions[i]!;
      const decision = drive(search.search(state, Random.named(i), 0), oracle);
      const wanted = moverWorths(state);
      expect(wanted[decision.actions.indexOf(decision.action)]).toBe(Math.max(...wanted));
    }
  });

  it("mc-softmax with enough simulations sees the whole game, whatever the net says", () => {
    const blind: Evaluator<StateTicTacToe> = { evaluate: (request) => void request.values.fill(0.5) };
    const search = openSearch("mc-softmax", game, { simulations: 4000, selection: "ave" });
    for (const i of every(40)) {
      const state = positions[i]!;
      // At most five empty cells: 4000 uniform paths pass all of the at most 120 lines.
      if (state.cells.filter((stone) => stone === 0).length > 5) continue;
      const decision = drive(search.search(state, Random.named(i), 0), blind);
      expect([...decision.actionValues]).toEqual(moverWorths(state));
    }
  });
});
