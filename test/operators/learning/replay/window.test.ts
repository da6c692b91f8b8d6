import { describe, expect, it } from "vitest";
import { toFill, windowOf } from "../../../../src/operators/learning/replay/window.ts";

describe("windowOf", () => {
  it("counts examples, or games, and grows as it is told", () => {
    expect(windowOf({ capacity: 30 })).toMatchObject({ capacity: 30 });
    expect(windowOf({ capacity: 30 }).games(1e9)).toBe(Infinity);
    expect([0, 1, 1e6].map(windowOf({ games: 7 }).games)).toEqual([7, 7, 7]);
    const { games, capacity } = windowOf({ games: 1000, growth: { scale: 0.4, exponent: 0.75 } });
    expect(capacity).toBe(Infinity);
    // 1000 (1 + 0.4 (16^0.75 - 1) / 0.75) = 1000 (1 + 0.4 * 7 / 0.75)
    expect([1, 999, 1000, 16_000].map(games)).toEqual([1000, 1000, 1000, 4733]);
    // At first by `scale` games with each.
    expect(games(1100)).toBe(1000 + Math.floor((400 * (1.1 ** 0.75 - 1)) / 0.75));
    expect(games(1100)).toBe(1039);
  });

  it("never shows again what it has dropped", () => {
    const { games } = windowOf({ games: 5, growth: { scale: 1, exponent: 1 } });
    for (let played = 1; played < 200; played++)
      expect(played - games(played)).toBeGreaterThanOrEqual(played - 1 - games(played - 1));
  });
});

describe("toFill", () => {
  it("counts the generations that end before the buffer is full", () => {
    expect([0, 1, 100, 101, 200, 1000].map((fill) => toFill(fill, 100))).toEqual([0, 0, 0, 1, 1, 9]);
  });
});
