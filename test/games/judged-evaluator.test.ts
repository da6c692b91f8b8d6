import { describe, expect, it } from "vitest";
import type { Game } from "../../src/games/game.ts";
import { openGame } from "../../src/games/registry.ts";
import { allFinite } from "../../src/games/all-finite.ts";
import { Game2048 } from "../../src/games/2048/2048.ts";
import { AfterstateLearner } from "../../src/models/n-tuple/afterstate-learner.ts";
import { NTupleNetwork } from "../../src/models/n-tuple/network.ts";
import { openNet, type OpenTables } from "../../src/models/registry.ts";
import { tablesBuffer } from "../../src/models/tables.ts";
import { Random } from "../../src/random.ts";

it("looks at all numbers between two places, of which no sum is infinite", () => {
  expect(allFinite([NaN, 1e308, 1e308, -1, Infinity], 1, 4)).toBe(true);
  for (const number of [NaN, Infinity, -Infinity])
    for (let at = 0; at < 3; at++) expect(allFinite([1, 2, 3].with(at, number), 0, 3)).toBe(false);
  expect(allFinite([Infinity, -Infinity], 0, 2)).toBe(false);
  expect(allFinite([], 0, 0)).toBe(true);
});

describe("tables with a weight that is NaN", () => {
  const game = openGame("tic-tac-toe") as Game<unknown>;
  const open = openNet("linear", game, {}, 'the net "line"') as OpenTables;

  it("give no values: the net and the position are named", () => {
    const tables = open.load(new Map());
    const request = { states: [game.initial()], count: 1, values: new Float64Array(2) };
    open.evaluator!(tables).evaluate(request);
    expect(request.values.every(Number.isFinite)).toBe(true);
    new Float64Array(tablesBuffer(tables))[0] = NaN;
    expect(() => open.evaluator!(tables).evaluate(request)).toThrow(
      'the net "line" gives NaN as the value of seat 0 in the position 3/3/3 x: learning has diverged',
    );
  });

  it("are neither saved nor read", () => {
    const tables = open.load(new Map());
    const saved = open.save(tables).get("weights")!.data;
    saved[2] = Infinity;
    expect(() => open.load(new Map([["weights", saved]]))).toThrow("expected finite numbers");
    new Float64Array(tablesBuffer(tables))[1] = NaN;
    expect(() => open.save(tables)).toThrow(/^weight 2 of \d+ is NaN: learning has diverged/);
  });

  it.each([
    { rows: 2, columns: 2, tuples: "board" },
    { rows: 3, columns: 3, tuples: "2x6" },
  ] as const)(
    "end no game of 2048 on a board of $rows x $columns without a word",
    ({ rows, columns, tuples }) => {
      const own = new Game2048({ rows, columns });
      const network = NTupleNetwork.create(own, { tuples, initialValue: 0 });
      const learner = new AfterstateLearner(network, own, { lambda: 0, step: { use: "td", rate: 0.1 } });
      learner.playGame(Random.named("sound"));
      network.weights.fill(NaN);
      expect(() => learner.playGame(Random.named("unsound"))).toThrow(
        /^its values have diverged: those of all moves are NaN in the position /,
      );
    },
  );
});
