import { describe, expect, it } from "vitest";
import { OVER } from "../../../../src/games/game.ts";
import { ticTacToe } from "../../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import {
  type ExplorationConfig,
  explorationOf,
} from "../../../../src/operators/learning/tables/exploration.ts";
import { reportsWeights } from "../../../../src/operators/learning/tables/learn-game.ts";

const openings = [[0, 1], [2, 3], [4]];
const of = (config: ExplorationConfig | undefined, index: number, seed = 1) =>
  explorationOf(config, ticTacToe as never, openings, seed, "learn", index);

describe("how a TD learner explores", () => {
  it("not at all, without a setting", () => {
    expect(of(undefined, 5)).toEqual({ opening: [], epsilon: 0 });
  });

  it("by epsilon", () => {
    expect(of({ use: "epsilon-greedy", epsilon: 0.25 }, 5)).toEqual({ opening: [], epsilon: 0.25 });
  });

  it("by openings in turn, the first again behind the last", () => {
    const drawn = [0, 1, 2, 3].map((index) => of({ use: "uct-opening", order: "in-turn" }, index).opening);
    expect(drawn).toEqual([...openings, openings[0]]);
  });

  it("by openings drawn with replacement: named by seed, stage and game, each about equally often", () => {
    const config = { use: "uct-opening", order: "random" } as const;
    const counts = openings.map(() => 0);
    for (let index = 0; index < 3000; index++)
      counts[openings.findIndex((opening) => opening === of(config, index).opening)]!++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
    expect(of(config, 17)).toEqual(of(config, 17));
    const other = [...openings.keys(), 3, 4, 5, 6, 7].map((index) => of(config, index, 2).opening);
    expect(other).not.toEqual([...openings.keys(), 3, 4, 5, 6, 7].map((index) => of(config, index).opening));
  });

  it("by random openings: legal, of the length asked for, and no longer than the game", () => {
    const short = of({ use: "random-opening", plies: 4 }, 3);
    expect(short.opening).toHaveLength(4);
    expect(new Set(Array.from(short.opening)).size).toBe(4);
    expect(of({ use: "random-opening", plies: 4 }, 3)).toEqual(short);
    expect(of({ use: "random-opening", plies: 4 }, 4)).not.toEqual(short);
    const whole = of({ use: "random-opening", plies: 50 }, 0).opening;
    const state = ticTacToe.initial();
    for (const action of Array.from(whole)) ticTacToe.play(state, action);
    expect(state.toMove).toBe(OVER);
  });
});

describe("the games after which weights are reported", () => {
  it("are all of the first thousand, then nine hundred in every power of ten", () => {
    let reported = 0;
    for (let games = 1; games <= 100_000; games++) {
      if (reportsWeights(games)) reported++;
      if (games === 1000) expect(reported).toBe(1000);
    }
    expect(reported).toBe(1000 + 2 * 900);
    expect([1000, 1001, 1010, 10_000, 10_010, 10_100].map(reportsWeights)).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
    ]);
  });
});
