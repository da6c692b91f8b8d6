import { describe, expect, it } from "vitest";
import type { GamesPlayed, RunEvent, StageProgress } from "../../../src/events/event.ts";
import { playedFor } from "../../../src/games/outcome.ts";
import { createGame } from "../../../src/games/registry.ts";
import { forecastBounds } from "../../../src/operators/play/forecast-tally.ts";
import { GameTally } from "../../../src/operators/play/game-tally.ts";
import { casesOf } from "../../number-of-cases.ts";

/** The events of a tally of `total` games whose scores are 1, 2, 3, ... and whose lengths are ten times that. */
function tally(total: number, from = 0) {
  const events: RunEvent[] = [];
  const counting = new GameTally("games", total, (event) => events.push(event));
  counting.begin(from);
  for (let game = from + 1; game <= total; game++) counting.add({ returns: [game, 0], plies: 10 * game });
  const of = <T extends RunEvent>(type: T["type"]) => events.filter((event) => event.type === type) as T[];
  return { progress: of<StageProgress>("progress"), games: of<GamesPlayed>("games") };
}

describe("GameTally", () => {
  it("tells progress at the beginning and after every game", () => {
    const { progress } = tally(5);
    expect(progress.map(({ done, total, unit, latest }) => [done, total, unit, latest])).toEqual([
      [0, 5, "games", undefined],
      ...[1, 2, 3, 4, 5].map((done) => [done, 5, "games", `score ${done}`]),
    ]);
  });

  it("tells who has won the last game, where a game tells its winner alone", () => {
    const events: RunEvent[] = [];
    const counting = new GameTally("games", 4, (event) => events.push(event), undefined, true);
    for (const returns of [
      [1, 0],
      [0, 1],
      [0.5, 0.5],
      [-1, 1],
    ])
      counting.add({ returns, plies: 7 });
    const latest = events.flatMap((event) => (event.type === "progress" ? [event.latest] : []));
    expect(latest).toEqual(["seat 1 won", "seat 2 won", "a draw", "seat 2 won"]);
  });

  it("sums up the games since the last summary: mean, least, greatest, mean length", () => {
    const { games } = tally(350);
    expect(games).toHaveLength(Math.ceil(350 / 3));
    expect(games[0]).toEqual({
      type: "games",
      stage: "games",
      done: 3,
      count: 3,
      mean: 2,
      min: 1,
      max: 3,
      plies: 20,
      shortest: 10,
      longest: 30,
    });
    expect(games[1]).toMatchObject({ done: 6, count: 3, mean: 5, min: 4, max: 6, plies: 50 });
    expect(games.at(-1)).toMatchObject({ done: 350, count: 2, mean: 349.5, min: 349, max: 350 });
    expect(games.reduce((sum, { count }) => sum + count, 0)).toBe(350);
  });

  it("sums up what was asked, the entropy where it is known, and forecasts by what was expected", () => {
    const events: RunEvent[] = [];
    const counting = new GameTally("games", 200, (event) => events.push(event), [-1, 1]);
    const game = { returns: [1, -1], plies: 3, evaluations: 7 };
    counting.add({ ...game, entropy: 2, forecasts: Float32Array.of(-1, -1, 0.96, 1, 1, -1) });
    counting.add({ ...game, forecasts: Float32Array.of(-2, 1, 0.03, 0.5) });
    counting.add({ ...game, entropy: 1, cacheHits: 3 });
    counting.add({ ...game, forecasts: new Float32Array(0) });
    const [first, second] = events.filter((event) => event.type === "games");
    expect(first).toMatchObject({ evaluations: 14, entropy: 2 });
    const { bounds, decisions, earned, expected } = first!.forecasts!;
    expect(bounds).toEqual([-1, 1]);
    const filled = [...decisions.keys()].filter((bin) => decisions[bin]! > 0);
    expect(filled).toEqual([0, 10, 19]);
    expect(filled.map((bin) => decisions[bin])).toEqual([2, 1, 2]);
    expect(filled.map((bin) => earned[bin])).toEqual([0, 0.5, 0]);
    expect(filled.map((bin) => expected[bin]!.toFixed(2))).toEqual(["-3.00", "0.03", "1.96"]);
    expect(second).toMatchObject({ evaluations: 14, entropy: 1, cacheHits: 3 });
    expect(first).not.toHaveProperty("cacheHits");
    expect(second).not.toHaveProperty("forecasts");
  });

  it("tells no forecasts where returns have no bounds", () => {
    const events: RunEvent[] = [];
    const counting = new GameTally("games", 1, (event) => events.push(event), [0, Infinity]);
    counting.add({ returns: [1], plies: 1, forecasts: Float32Array.of(3, 4) });
    expect(events[0]).not.toHaveProperty("forecasts");
  });

  it("sums up at least every hundredth game of a long run, and every game of a short one", () => {
    expect(tally(casesOf(30_000, 12_000)).games.every(({ count }) => count === 100)).toBe(true);
    expect(tally(7).games.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it("goes on at the number of games an earlier part of the run has done", () => {
    const { progress, games } = tally(10, 7);
    expect(progress.map(({ done }) => done)).toEqual([7, 8, 9, 10]);
    expect(games.map(({ done, count }) => [done, count])).toEqual([
      [8, 1],
      [9, 1],
      [10, 1],
    ]);
  });
});

describe("forecastBounds", () => {
  it("are those of what is still to be earned at the start, where returns are counted from below 0 too", () => {
    expect(forecastBounds(createGame("tic-tac-toe", {}))).toEqual([0, 1]);
    expect(forecastBounds(createGame("blokus", { scoring: "advanced" }))).toEqual([0, 109]);
    expect(forecastBounds(playedFor(createGame("tic-tac-toe", {}), "win-loss"))).toEqual([-1, 1]);
  });
});
