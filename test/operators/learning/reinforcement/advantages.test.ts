import { describe, expect, it } from "vitest";
import { leaveOneOut, resultOf } from "../../../../src/operators/learning/reinforcement/advantages.ts";

describe("the result of a game", () => {
  it("is 1, 0 or -1 between two players", () => {
    expect([resultOf([3, 2], 0), resultOf([3, 2], 1), resultOf([0.5, 0.5], 1)]).toEqual([1, -1, 0]);
  });

  it("is the mean over the other seats among several, and sums to 0", () => {
    const returns = [4, 7, 7, 1];
    const all = returns.map((_, seat) => resultOf(returns, seat));
    expect(all).toEqual([-1 / 3, 2 / 3, 2 / 3, -1]);
  });
});

describe("the leave-one-out baseline", () => {
  it("is the mean of the other games with the same seat", () => {
    const results = [
      { seat: 0, z: 1 },
      { seat: 1, z: -1 },
      { seat: 0, z: 0 },
      { seat: 0, z: -1 },
      { seat: 1, z: 1 },
      { seat: 2, z: 1 },
    ];
    const expected = results.map(({ seat }, i) => {
      const others = results.filter((other, j) => j !== i && other.seat === seat);
      return others.length === 0 ? 0 : others.reduce((sum, { z }) => sum + z, 0) / others.length;
    });
    expect(leaveOneOut(results)).toEqual(expected);
  });
});
