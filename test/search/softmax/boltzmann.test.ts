import { describe, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import { drawIndex } from "../../../src/search/choice/draw-index.ts";
import { boltzmannWeights, type ValueMap } from "../../../src/search/softmax/boltzmann.ts";

function shares(values: number[], map: ValueMap, temperature: number): number[] {
  const weights = new Float64Array(values.length);
  const sum = boltzmannWeights(Float64Array.from(values), values.length, map, temperature, weights);
  return Array.from(weights, (weight) => weight / sum);
}

const round = (numbers: number[], digits: number) => numbers.map((x) => Number(x.toFixed(digits)));

describe("Boltzmann weights", () => {
  it("gives the probabilities of the source's figure 2, where values are not scaled", () => {
    // Printed .522, .406, .070: the last two are cut, not rounded.
    const found = shares([0.5, 0.45, 0.1], "none", 0.2);
    expect(found.map((x) => Math.floor(x * 1000) / 1000)).toEqual([0.522, 0.406, 0.07]);
    expect(round(shares([0.5, 0.45, 0.1], "max", 0.2), 3)).not.toEqual(round(found, 3));
  });

  it("gives the weights and the backed-up value of figure 3, at temperature .9", () => {
    const values = [0.5, 0.33, 0.1];
    const found = shares(values, "none", 0.9);
    expect(round(found, 3)).toEqual([0.405, 0.335, 0.26]);
    expect(found.reduce((sum, share, i) => sum + share * values[i]!, 0)).toBeCloseTo(0.34, 2);
  });

  it("scales so that the best is 1, and so does not depend on the unit", () => {
    const found = shares([2000, 1900, 1000], "max", 0.25);
    const e = [1, Math.exp(-0.05 / 0.25), Math.exp(-0.5 / 0.25)];
    const sum = e[0]! + e[1]! + e[2]!;
    for (const [i, weight] of e.entries()) expect(found[i]).toBeCloseTo(weight / sum, 12);
    expect(round(shares([2, 1.9, 1], "max", 0.25), 12)).toEqual(round(found, 12));
  });

  it("takes logarithms: weights are powers 1/T of the values", () => {
    const found = shares([8, 4, 2], "log", 0.5);
    for (const [i, weight] of [64, 16, 4].entries()) expect(found[i]).toBeCloseTo(weight / 84, 12);
  });

  it("goes to its limits: the best alone at 0, all equal at Infinity", () => {
    for (const map of ["none", "max", "log"] as const) {
      expect(shares([3, 7, 7, 1], map, 0)).toEqual([0, 0.5, 0.5, 0]);
      expect(shares([3, 7, 7, 1], map, Infinity)).toEqual([0.25, 0.25, 0.25, 0.25]);
    }
  });

  it("keeps the order where the best value is not positive", () => {
    expect(shares([-1, -2], "max", 0.5)[0]).toBeCloseTo(1 / (1 + Math.exp(-2)), 12);
    expect(shares([0, -1e-9, 0], "max", 0.5)).toEqual([0.5, 0, 0.5]);
    expect(shares([0, 4, -3], "log", 0.5)).toEqual([0, 1, 0]);
    expect(shares([-3, -1], "log", 0.5)).toEqual([0, 1]);
    expect(shares([0, 0], "log", 0.5)).toEqual([0.5, 0.5]);
  });

  it("stays finite for large values and small temperatures", () => {
    expect(shares([1e300, 1e-300, -1e300], "none", 1e-3)).toEqual([1, 0, 0]);
    expect(shares([1e5, 99_999], "max", 1e-12)[0]).toBe(1);
  });
});

describe("drawing an index", () => {
  it("follows the weights and never takes a weight of 0", () => {
    const random = Random.named("draw");
    const weights = Float64Array.from([0, 1, 2, 0, 5, 0]);
    const counts = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 80_000; i++) counts[drawIndex(weights, 6, 8, random)]!++;
    expect([counts[0], counts[3], counts[5]]).toEqual([0, 0, 0]);
    // 4.5 standard deviations of a count are at most 4.5 sqrt(80000 / 4) = 637.
    for (const [i, weight] of weights.entries())
      expect(Math.abs(counts[i]! - 10_000 * weight)).toBeLessThan(637);
  });
});
