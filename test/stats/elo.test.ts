import { describe, expect, it } from "vitest";
import { eloEstimate, eloOfScore, scoreOfElo } from "../../src/stats/elo.ts";

describe("Elo", () => {
  // Elo's table of expected scores: .64 for 100, .75 for 190.8, .76 for 200, .909 for 400.
  it.each([
    [0.5, 0],
    [0.640065, 100],
    [0.75, 190.8485],
    [10 / 11, 400],
  ])("of an expected score of %d is %d", (score, elo) => {
    expect(eloOfScore(score)).toBeCloseTo(elo, 3);
    expect(scoreOfElo(elo)).toBeCloseTo(score, 6);
  });

  it("of a clean sweep is infinite, and of no score there is none", () => {
    expect(eloOfScore(1)).toBe(Infinity);
    expect(eloOfScore(0)).toBe(-Infinity);
    expect(() => eloOfScore(1.1)).toThrow(RangeError);
    expect(eloEstimate({ value: 1, interval: [0.75, 1] })).toEqual({
      value: Infinity,
      interval: [eloOfScore(0.75), Infinity],
    });
  });
});
