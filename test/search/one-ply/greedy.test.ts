import { describe, expect, it } from "vitest";
import { classicBoard, GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { playedFor } from "../../../src/games/outcome.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { linear } from "../../../src/models/linear/linear.ts";
import { tablesBuffer } from "../../../src/models/tables.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch, SearchNotOpened, searches, withoutNet } from "../../../src/search/registry.ts";

const alone = withoutNet(searches);
const nobody = { evaluate: () => expect.unreachable("it makes no requests") };

describe("greedy without a net", () => {
  it("lays one of the largest pieces of Blokus, each as likely", () => {
    const game = new GameBlokus("blokus", classicBoard(), { scoring: "advanced" });
    const search = openSearch("greedy", game, {}, alone);
    const state = game.initial();
    const random = Random.named("largest");
    const seen = new Map<number, number>();
    for (let i = 0; i < 4000; i++) {
      const { action } = drive(search.search(state, random, 0), nobody);
      seen.set(action, (seen.get(action) ?? 0) + 1);
    }
    const legal = new Int32Array(game.maxLegal);
    const largest = [...legal.subarray(0, game.legal(state, legal))].filter(
      (action) => game.search.preference(action) === 5,
    );
    expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual(largest);
    const expected = 4000 / largest.length;
    for (const count of seen.values())
      expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected));
  });

  it("is refused where the game prefers nothing", () => {
    expect(() => openSearch("greedy", ticTacToe, {}, alone)).toThrow(SearchNotOpened);
    expect(() => openSearch("greedy", ticTacToe, {}, alone)).toThrow(/name a net/);
  });
});

describe("greedy by a linear value function", () => {
  it("plays for the outcome: wins where it can, whatever the weights say", () => {
    const open = linear.open(ticTacToe, {});
    const tables = open.load(new Map());
    new Float64Array(tablesBuffer(tables)).fill(0.01);
    const evaluator = open.evaluator!(tables);
    const search = openSearch("greedy", playedFor(ticTacToe, "win-share"));
    const state = ticTacToe.initial();
    for (const action of [0, 3, 1, 4]) ticTacToe.play(state, action);
    const { action, values } = drive(search.search(state, Random.named("win"), 4), evaluator);
    expect(action).toBe(2);
    expect([...values]).toEqual([1, 0]);
    ticTacToe.play(state, 8);
    // Seat 1 wins by the same function: the less its value for seat 0, the better.
    expect(drive(search.search(state, Random.named("win"), 5), evaluator).action).toBe(5);
  });
});
