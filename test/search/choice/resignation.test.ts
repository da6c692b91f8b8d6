import { describe, expect, it } from "vitest";
import { openConfiguredGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { Resignation } from "../../../src/search/choice/resignation.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { type EpisodeOptions, episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";

const { game } = openConfiguredGame("go", { size: 5, komi: 20 });

/** Black needs more than 20 points of 25, and gives up; White plays at random. */
function play(seed: number, resign: object | null, options: EpisodeOptions = {}) {
  const seats = [
    { use: "uct", options: { simulations: 60, resign } },
    { use: "random", options: {} },
  ].map(({ use, options: own }, seat) => ({
    search: openSearch(use, game, own),
    random: Random.named(seed, "agent", seat),
    evaluator: 0,
  }));
  return driveEpisode(episode(game, seats, Random.named(seed, "chance"), options), []);
}

describe("resignation", () => {
  it("counts decisions in a row below the value, for each seat", () => {
    const resignation = new Resignation({ below: 0.1, decisions: 2 });
    const told = (...values: [number, number][]) =>
      values.map(([seat, value]) => resignation.resigns(seat, value));
    expect(told([0, 0.05], [1, 0.05], [0, 0.1], [1, 0.2], [0, 0], [0, 0])).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    resignation.begin();
    expect(resignation.resigns(0, 0)).toBe(false);
  });

  it("ends the game before the move, with a loss, where the moves up to there are those of a game without it", () => {
    const whole = play(1, null);
    const given = play(1, { below: 0.9, decisions: 2 });
    expect(whole.resigned).toBeUndefined();
    expect(given.resigned).toBe(0);
    expect(given.returns).toEqual([0, 1]);
    expect(given.actions).toEqual(whole.actions.slice(0, given.actions.length));
    const low = whole.decisions.filter(({ seat }) => seat === 0).map(({ values }) => values[0]! < 0.9);
    const second = low.findIndex((is, i) => is && low[i - 1] === true);
    expect(given.actions).toHaveLength(2 * second);
  });

  it("does not end games that something learns from, and is replayed", () => {
    const resign = { below: 0.9, decisions: 2 };
    expect(play(1, resign, { resigns: false }).actions).toEqual(play(1, null).actions);
    const { actions, decisions } = play(1, resign);
    const values = decisions.map((decision) => decision.values);
    for (const follow of [false, true]) {
      const again = play(1, resign, { expected: { actions, values, follow } });
      expect(again.difference).toBeUndefined();
      expect(again.departures).toEqual([]);
      expect(again.resigned).toBe(0);
    }
  });

  it("is refused in games that are not won or lost", () => {
    const blokus = openConfiguredGame("blokus", {}).game;
    expect(() => openSearch("uct", blokus, { resign: { below: 0.1 } })).toThrow(
      "search uct: resign is for games of two that are won or lost, and blokus is not such a game",
    );
  });
});
