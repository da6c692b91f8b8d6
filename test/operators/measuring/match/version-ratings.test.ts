import { describe, expect, it } from "vitest";
import { EarlierSelves } from "../../../../src/operators/measuring/match/earlier-selves.ts";
import { RatingsOverVersions } from "../../../../src/operators/measuring/match/version-ratings.ts";
import type { OpenExperiment } from "../../../../src/operators/experiment/open-experiment.ts";
import { Random } from "../../../../src/random.ts";
import { type PairResult, ratedPlayers } from "../../../../src/stats/rated-players.ts";

const opened = {
  experiment: {
    agents: {
      player: { use: "puct-max-n", net: "zero" },
      quick: { use: "greedy", net: "zero" },
      uct: { use: "uct" },
    },
  },
} as unknown as OpenExperiment;

const game = (seats: readonly string[], returns: readonly number[], generation: number) => ({
  seats,
  returns,
  generation,
});

describe("RatingsOverVersions", () => {
  it("counts an agent as another player in every round, its earlier selves as those, and others as one", () => {
    const earlier = new EarlierSelves({ agent: "player", every: 1, most: 2 }, 2, 3);
    const ratings = new RatingsOverVersions(earlier, opened);
    // Versions 0, 5 and 7; 0, 20 and 40 steps.
    const results: PairResult[] = [];
    /** A block of two games; players 0, 1, 2 are the versions, 3 is uct, 4 is quick. */
    const add = (round: number, seats: string[], scores: number[], players: readonly [number, number]) => {
      const block = results.length;
      for (const score of scores) ratings.add(round, block, game(seats, [score, 1 - score], 20 * round));
      results.push({ players, score: scores[0]! + scores[1]!, games: 2, block });
    };
    for (let i = 0; i < 3; i++) add(0, ["player", "uct"], i < 1 ? [1, 1] : [0, 0], [0, 3]);
    for (let i = 0; i < 4; i++) add(1, ["uct", "player"], i < 2 ? [1, 1] : [0, 0], [3, 1]);
    for (let i = 0; i < 4; i++) add(1, ["player", "player@0"], i < 3 ? [1, 1] : [0, 1], [1, 0]);
    for (let i = 0; i < 2; i++) add(2, ["player@5", "player"], i < 1 ? [1, 0] : [0, 0], [1, 2]);
    for (let i = 0; i < 2; i++) add(2, ["quick", "player"], [0.5, 0.5], [4, 2]);
    const told = ratings.upTo(2, 7);
    expect(told.agent).toBe("player");
    expect(told.versions.map(({ games, learned, version }) => [version, learned, games])).toEqual([
      [0, 0, 14],
      [5, 20, 20],
      [7, 40, 8],
    ]);
    expect(told.others.map(({ games, participant }) => [participant, games])).toEqual([
      ["uct", 14],
      ["quick@7", 4],
    ]);
    const expected = ratedPlayers(5, results);
    const elo = 400 / Math.LN10;
    for (const [i, { elo: value, interval }] of [...told.versions, ...told.others].entries()) {
      expect(value).toBeCloseTo(elo * expected[i]!.value, 6);
      expect(interval[0]).toBeCloseTo(elo * expected[i]!.interval[0], 6);
    }
    expect(told.versions[0]).toMatchObject({ elo: 0, interval: [0, 0] });
    // An earlier round is rated without the later ones: a resumed run tells again what it told before.
    const before = ratings.upTo(1, 5);
    expect(before.versions.map(({ games, version }) => [version, games])).toEqual([
      [0, 14],
      [5, 16],
    ]);
  });

  it("finds the strengths of versions again, four at a table or two, with intervals that cover", () => {
    for (const seats of [2, 4]) {
      const random = Random.named(3, "versions", seats);
      const earlier = new EarlierSelves({ agent: "player", every: 1, most: 3 }, 1, 0);
      let covered = 0;
      let rated = 0;
      const trials = 40;
      for (let trial = 0; trial < trials; trial++) {
        const ratings = new RatingsOverVersions(earlier, opened);
        const strength = (name: string, round: number) =>
          100 * (name === "player" ? round : Number(name.split("@")[1]));
        for (let round = 1; round <= 5; round++)
          for (let i = 0; i < 60; i++) {
            const all = ["player", ...earlier.names(round)];
            const names = Array.from(
              { length: Math.min(seats, all.length) },
              (_, k) => all[(i + k) % all.length]!,
            );
            // Times of exponential clocks: the earlier one is ahead with the odds of the rates (Luce 1959).
            const times = names.map(
              (name) => -Math.log(1 - random.float()) / 10 ** (strength(name, round) / 400),
            );
            ratings.add(
              round,
              60 * round + i,
              game(
                names,
                times.map((time) => -time),
                round,
              ),
            );
          }
        for (const { elo, interval, version } of ratings.upTo(5, 5).versions.slice(1)) {
          rated++;
          if (interval[0] <= 100 * version && 100 * version <= interval[1]) covered++;
          expect(Math.abs(elo - 100 * version)).toBeLessThan(400);
        }
      }
      // 95% of 200 intervals; those of one trial depend on each other.
      expect(rated).toBe(5 * trials);
      expect(covered / rated).toBeGreaterThan(0.89);
      expect(covered / rated).toBeLessThan(0.995);
    }
  });

  it("names the last version by its number where a run ends between two rounds", () => {
    const ratings = new RatingsOverVersions(
      new EarlierSelves({ agent: "player", every: 1, most: 1 }, 5, 0),
      opened,
    );
    ratings.add(1, 0, game(["player", "player@0"], [1, 0], 50));
    ratings.add(2, 1, game(["player", "player@5"], [1, 0], 70));
    expect(ratings.upTo(2, 7).versions.map(({ version }) => version)).toEqual([0, 5, 7]);
  });

  it("leaves out who has not met the oldest version, nor anyone who has", () => {
    const ratings = new RatingsOverVersions(
      new EarlierSelves({ agent: "player", every: 1, most: 1 }, 1, 0),
      opened,
    );
    ratings.add(1, 0, game(["player", "player@0"], [1, 0], 1));
    ratings.add(2, 1, game(["uct", "quick"], [1, 0], 2));
    const told = ratings.upTo(2, 2);
    expect(told.versions.map(({ version }) => version)).toEqual([0, 1]);
    expect(told.others).toEqual([]);
  });
});
