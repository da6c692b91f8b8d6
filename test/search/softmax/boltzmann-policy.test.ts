import Value from "typebox/value";
import { describe, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import {
  BoltzmannPolicy,
  type PolicyOptions,
  policySchema,
} from "../../../src/search/softmax/boltzmann-policy.ts";

function temperature(options: PolicyOptions, simulation: number, visits: number, simulations = 100): number {
  const policy = new BoltzmannPolicy(options, { simulations, trees: 1 });
  policy.begin(0, simulation, Random.named("temperature"));
  return policy.at(visits);
}

describe("temperatures", () => {
  it("fall linearly: 1 - (i - 1)/n", () => {
    expect([1, 2, 6, 10].map((i) => temperature({ use: "linear" }, i, 1, 10))).toEqual([
      1,
      0.9,
      0.5,
      1 - 9 / 10,
    ]);
  });

  it("fall linearly over all trees: each of 1, 1 - 1/n, ... 1/n once, in the order of the setting", () => {
    const temperatures = (over: "tree" | "all-rounds" | "all-trees") => {
      const policy = new BoltzmannPolicy({ use: "linear", over }, { simulations: 3, trees: 2 });
      return [0, 1].map((tree) =>
        [1, 2, 3].map((simulation) => {
          policy.begin(tree, simulation, Random.named("linear"));
          return Number(policy.at(1).toFixed(12));
        }),
      );
    };
    const sixths = (...numbers: number[]) => numbers.map((i) => Number((1 - (i - 1) / 6).toFixed(12)));
    expect(temperatures("tree")).toEqual([sixths(1, 3, 5), sixths(1, 3, 5)]);
    expect(temperatures("all-rounds")).toEqual([sixths(1, 3, 5), sixths(2, 4, 6)]);
    expect(temperatures("all-trees")).toEqual([sixths(1, 2, 3), sixths(4, 5, 6)]);
  });

  it("halve with each tenfold of the node's visits (L) or of the simulations (G)", () => {
    expect([1, 10, 100].map((n) => temperature("L-max", 7, n))).toEqual([2, 1, 0.5]);
    expect([1, 10, 100].map((n) => temperature("G-max", n, 7))).toEqual([2, 1, 0.5]);
    expect([1, 10, 100].map((n) => temperature("L-log", 7, n))).toEqual([0.4, 0.2, 0.1]);
    expect([1, 10, 100].map((n) => temperature("G-log", n, 7))).toEqual([0.4, 0.2, 0.1]);
    expect(temperature({ use: "visits", factor: 3 }, 1, 50)).toBeCloseTo(3 / 2 ** Math.log10(50), 12);
  });

  it("are constant, zero or infinite", () => {
    expect(temperature(0.25, 3, 4)).toBe(0.25);
    expect(temperature("best", 3, 4)).toBe(0);
    expect(temperature("ave", 3, 4)).toBe(Infinity);
    expect(temperature({ use: "constant", value: 7 }, 3, 4)).toBe(7);
  });

  it("are drawn anew at each beginning, from the range", () => {
    const policy = new BoltzmannPolicy({ use: "uniform", from: 0.005, to: 1 }, { simulations: 10, trees: 2 });
    const random = Random.named("uniform");
    const drawn = Array.from({ length: 2000 }, () => {
      policy.begin(1, 1, random);
      expect(policy.at(1)).toBe(policy.at(9));
      return policy.at(1);
    });
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0.005);
    expect(Math.max(...drawn)).toBeLessThan(1);
    expect(drawn.reduce((a, b) => a + b, 0) / 2000).toBeCloseTo(0.5025, 1);
    expect(new Set(drawn).size).toBe(2000);
  });

  it("carry how values are mapped", () => {
    const map = (options: PolicyOptions) => new BoltzmannPolicy(options, { simulations: 1, trees: 1 }).map;
    expect([
      map("L-log"),
      map("G-max"),
      map(0.5),
      map({ use: "linear" }),
      map({ use: "linear", map: "none" }),
    ]).toEqual(["log", "max", "max", "max", "none"]);
  });

  it("are checked strictly", () => {
    for (const wrong of [
      "l-max",
      -1,
      { use: "linear", factor: 1 },
      { use: "linear", over: "all" },
      { use: "visits" },
      { use: "hot" },
      {},
    ])
      expect(Value.Check(policySchema, wrong)).toBe(false);
    for (const right of [
      "L-max",
      0,
      { use: "linear", over: "all-trees", map: "max" },
      { use: "visits", factor: 2, map: "log" },
    ])
      expect(Value.Check(policySchema, right)).toBe(true);
  });
});
