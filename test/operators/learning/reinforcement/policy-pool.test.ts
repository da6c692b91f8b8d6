import { describe, expect, it } from "vitest";
import { openExperiment } from "../../../../src/operators/experiment/open-experiment.ts";
import {
  learnedSeatOf,
  neededByPolicyPool,
  opponentOf,
  reinforcementGame,
} from "../../../../src/operators/learning/reinforcement/policy-pool.ts";
import { bareExperiment } from "../../bare-experiment.ts";

const settings = { agent: "sampler", games: 6, every: 4 };

describe("the pool of a reinforcement stage", () => {
  it("has the start and every fourth version since, each drawn as often", () => {
    const drawn = (version: number) =>
      Array.from({ length: 900 }, (_, seed) => opponentOf(settings, seed, "learn", version));
    expect(new Set(drawn(3))).toEqual(new Set([0]));
    expect(new Set(drawn(4))).toEqual(new Set([0, 4]));
    const last = drawn(11);
    for (const version of [0, 4, 8]) {
      const times = last.filter((each) => each === version).length;
      // 300 expected; four standard deviations are 57.
      expect(Math.abs(times - 300)).toBeLessThan(57);
    }
    expect(last.every((version) => [0, 4, 8].includes(version))).toBe(true);
  });

  it("needs all versions that have joined it, whenever a run continues", () => {
    const needed = neededByPolicyPool(settings);
    for (const from of [12, 13, 1000])
      expect([0, 1, 4, 6, 8, 12].filter((version) => needed(version, from))).toEqual([0, 4, 8, 12]);
  });

  it("seats the newest policy in every seat in turn, against one version in a minibatch", () => {
    const opened = openExperiment(bareExperiment({ seed: 9 }));
    const games = Array.from({ length: 60 }, (_, index) =>
      reinforcementGame(settings, opened, "learn", index),
    );
    for (const { generation, index, seats } of games) {
      const opponent = opponentOf(settings, 9, "learn", generation);
      expect(generation).toBe(Math.floor(index / 6));
      const own = learnedSeatOf(settings, 2, index);
      expect(own).toBe(index % 2);
      expect(seats[own]).toBe("sampler");
      expect(seats[1 - own]).toBe(`sampler@${opponent}`);
    }
    expect(new Set(games.map(({ name }) => JSON.stringify(name))).size).toBe(60);
  });
});
