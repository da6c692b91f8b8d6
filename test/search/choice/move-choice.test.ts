import { describe, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import { byVisits, mostVisited, temperatureAt } from "../../../src/search/choice/move-choice.ts";

const visits = Float64Array.of(1, 3, 0, 4);
const values = Float64Array.of(0.1, 0.2, 0.9, 0.3);

describe("byVisits", () => {
  // Shares written out by hand: n^(1/T) over the sum, for visits 1, 3, 0, 4.
  it.each([
    { temperature: 0.5, powers: [1, 9, 0, 16] },
    { temperature: 1, powers: [1, 3, 0, 4] },
    { temperature: 2, powers: [1, Math.sqrt(3), 0, 2] },
    { temperature: 0.25, powers: [1, 81, 0, 256] },
  ])("draws a move in proportion to visits^(1/T) at temperature $temperature", ({ temperature, powers }) => {
    const choose = byVisits([{ value: temperature }]);
    const random = Random.named("by visits", temperature);
    const draws = 20_000;
    const counts = powers.map(() => 0);
    for (let i = 0; i < draws; i++) counts[choose(visits, values, random, 0)]!++;
    const sum = powers.reduce((total, power) => total + power, 0);
    for (const [i, power] of powers.entries()) {
      const share = power / sum;
      // Four standard deviations of a binomial count; an unvisited move is never drawn.
      const bound = 4 * Math.sqrt(draws * share * (1 - share));
      expect(Math.abs(counts[i]! - draws * share)).toBeLessThanOrEqual(bound);
    }
  });

  it("takes the most visited move at temperature 0 and after the last phase, without a draw", () => {
    const choose = byVisits([
      { until: 2, value: 1 },
      { until: 3, value: 0 },
    ]);
    const random = Random.named("no draw");
    const before = random.state();
    for (const decisions of [2, 3, 50]) expect(choose(visits, values, random, decisions)).toBe(3);
    expect(random.state()).toEqual(before);
  });
});

describe("temperatureAt", () => {
  it("gives the first phase that the decision lies in", () => {
    const schedule = [{ until: 10, value: 1 }, { until: 20, value: 0.5 }, { value: 0.25 }];
    expect([0, 9, 10, 19, 20, 400].map((decisions) => temperatureAt(schedule, decisions))).toEqual([
      1, 1, 0.5, 0.5, 0.25, 0.25,
    ]);
    expect(temperatureAt([{ until: 3, value: 1 }], 3)).toBe(0);
    expect(temperatureAt([], 0)).toBe(0);
  });
});

describe("mostVisited", () => {
  it("prefers the greater value among equally visited moves, then the first", () => {
    expect(mostVisited(Float64Array.of(2, 5, 5, 1), Float64Array.of(9, 1, 2, 9))).toBe(2);
    expect(mostVisited(Float64Array.of(2, 5, 5, 1), Float64Array.of(9, 1, 1, 9))).toBe(1);
  });
});
