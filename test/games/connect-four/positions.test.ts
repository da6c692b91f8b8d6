import { expect, it } from "vitest";
import { GameConnectFour } from "../../../src/games/connect-four/connect-four.ts";
import { ConnectFourSolver } from "../../../src/games/connect-four/solver.ts";
import type { ConnectFourState } from "../../../src/games/connect-four/state.ts";
import { textOf } from "../../docs/pages.ts";

const [header, ...rows] = textOf("experiments/connect-four-positions.csv").trim().split("\n");
const suite = rows.map((row) => {
  const [position, moves, plies, outcome] = row.split(",");
  return { position: position!, moves: moves!.split(" "), plies: Number(plies), outcome: Number(outcome) };
});
const game = new GameConnectFour({ columns: 7, rows: 6 });

function stateOf(position: string): ConnectFourState {
  const reading = game.notation.parsePosition(position);
  if ("error" in reading) throw new Error(reading.error.message);
  return reading.state;
}

it("the test suite has 1,000 positions of 8 to 30 plies, each once and with a move that loses value", () => {
  expect(header).toBe("position,moves,plies,outcome");
  expect(new Set(suite.map(({ position }) => position)).size).toBe(1000);
  const legal = new Int32Array(game.maxLegal);
  for (const { position, moves, plies } of suite) {
    expect([position, position.match(/[xo](?=.* )/g)!.length]).toEqual([position, plies]);
    expect(plies).toBeGreaterThanOrEqual(8);
    expect(plies).toBeLessThanOrEqual(30);
    const state = stateOf(position);
    const texts = [...legal.subarray(0, game.legal(state, legal))].map((action) =>
      game.notation.format(state, action),
    );
    expect(texts).toEqual(expect.arrayContaining(moves));
    expect(moves.length).toBeLessThan(texts.length);
  }
});

it("its moves and outcomes are those of the exact solver, in the later positions", () => {
  const solver = new ConnectFourSolver(game, 18);
  const late = suite.filter(({ plies }, i) => plies >= 18 && i % 3 === 0);
  expect(late.length).toBeGreaterThan(150);
  for (const { position, moves, outcome } of late) {
    const state = stateOf(position);
    const keeps = solver.keepsOutcome(state);
    const kept = keeps.flatMap((each, column) =>
      each === true ? [game.notation.format(state, column)] : [],
    );
    expect([position, kept, solver.outcome(state)]).toEqual([position, moves, outcome]);
  }
});
