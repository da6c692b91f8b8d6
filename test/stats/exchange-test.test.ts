import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import { chiSquareTail, chiSquareTest } from "../../src/stats/chi-square.ts";
import { exchangeTest } from "../../src/stats/exchange-test.ts";

const total = (sums: Float64Array) => sums[0]!;
const distance = (sums: Float64Array) => Math.abs(sums[0]!);

describe("a test by exchanging two agents", () => {
  // Darwin's maize, crossed minus self-fertilised in eighths of an inch. Fisher 1935, section 21: in 863 of the 32,768 ways
  // the sum is 314 or more, and in as many -314 or less.
  const maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48].map((each) => [each]);

  it("finds in all ways to exchange what Fisher counted for Darwin's maize", () => {
    const test = exchangeTest(maize, [total, distance], Random.named("maize"), 40_000);
    expect(test).toEqual({ p: [863 / 32768, 1726 / 32768], ways: 32768, exact: true });
  });

  it("comes near to it by draws, and depends on its arguments alone", () => {
    const draw = () => exchangeTest(maize, [total, distance], Random.named("maize"), 20_000);
    const { p, ways, exact } = draw();
    expect([ways, exact]).toEqual([20_000, false]);
    expect(p[0]).toBeCloseTo(863 / 32768, 2);
    expect(p[1]).toBeCloseTo(1726 / 32768, 2);
    expect(draw().p).toEqual(p);
  });

  it("gives no 0 by draws, and the least possible p where all units agree", () => {
    const alike = Array.from({ length: 200 }, () => [1]);
    expect(exchangeTest(alike, [distance], Random.named("alike"), 99).p).toEqual([0.01]);
    expect(exchangeTest(alike.slice(0, 6), [distance], Random.named("alike")).p).toEqual([2 / 64]);
    expect(exchangeTest([[0], [0]], [distance], Random.named("none")).p).toEqual([1]);
    expect(() => exchangeTest([], [distance], Random.named("none"))).toThrow("no units");
  });

  it("takes rows of several numbers: exchanging is changing all signs of a row", () => {
    const rows = [
      [2, -1],
      [1, 1],
      [-3, 2],
    ];
    const square = (sums: Float64Array) => sums[0]! ** 2 + sums[1]! ** 2;
    const all = [0, 1, 2, 3, 4, 5, 6, 7].map((way) => {
      const sum = [0, 1].map((i) => rows.reduce((s, row, u) => s + ((way >> u) & 1 ? -1 : 1) * row[i]!, 0));
      return sum[0]! ** 2 + sum[1]! ** 2;
    });
    const expected = all.filter((each) => each >= all[0]!).length / 8;
    expect(exchangeTest(rows, [square], Random.named("rows")).p).toEqual([expected]);
  });
});

describe("two equal players of one game", () => {
  /** The places 0 to 4 of two of five equal players in each game. */
  const placesOf = (random: Random, games: number) =>
    Array.from({ length: games }, () => {
      const first = random.below(5);
      return [first, (first + 1 + random.below(4)) % 5] as const;
    });
  const countsOf = (places: readonly (readonly [number, number])[]) =>
    [0, 1].map((agent) => [0, 1, 2, 3, 4].map((place) => places.filter((of) => of[agent] === place).length));

  it("have a chi-square statistic that is too great by 5/4: they cannot share a place", () => {
    const random = Random.named("anticonservative");
    const experiments = 600;
    let sum = 0;
    let below = 0;
    for (let i = 0; i < experiments; i++) {
      const { statistic, p } = chiSquareTest(countsOf(placesOf(random, 300)));
      sum += statistic;
      if (p < 0.05) below++;
    }
    // The mean of chi-square with 4 degrees of freedom is 4, its variance 8.
    const error = 1.25 * Math.sqrt(8 / experiments);
    expect(Math.abs(sum / experiments - 5)).toBeLessThan(3 * error);
    // 10.8% of chi-square with 4 degrees of freedom are above 9.488 / 1.25.
    expect(below / experiments).toBeGreaterThan(0.075);
    // And so 2% of such experiments are significant at .005, whose critical value is 14.860.
    expect(chiSquareTail(14.86, 4)).toBeCloseTo(0.005, 5);
    expect(chiSquareTail(14.86 / 1.25, 4)).toBeCloseTo(0.018, 3);
  });

  it("are found different at 5% in one of twenty experiments by exchanges", () => {
    const random = Random.named("exchanges");
    const experiments = 400;
    let below = 0;
    for (let i = 0; i < experiments; i++) {
      const places = placesOf(random, 60);
      const [a, b] = countsOf(places);
      const all = a!.map((count, place) => count + b![place]!);
      const rows = places.map((of) => [0, 1, 2, 3, 4].map((p) => Number(of[0] === p) - Number(of[1] === p)));
      const pearson = (sums: Float64Array) => sums.reduce((sum, d, p) => sum + d ** 2 / all[p]!, 0);
      if (exchangeTest(rows, [pearson], random, 199).p[0]! <= 0.05) below++;
    }
    // Three standard errors of a share of 5% in 400 are 3.3%.
    expect(below / experiments).toBeGreaterThan(0.017);
    expect(below / experiments).toBeLessThan(0.083);
  });
});
