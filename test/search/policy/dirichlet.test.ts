import { describe, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import { drawDirichlet, logGamma } from "../../../src/search/policy/dirichlet.ts";

describe("gamma and Dirichlet draws", () => {
  it("gamma has mean and variance equal to its shape", () => {
    for (const shape of [0.3, 1, 4.5]) {
      const random = Random.named("gamma", shape);
      const draws = Array.from({ length: 40_000 }, () => Math.exp(logGamma(shape, random)));
      const mean = draws.reduce((a, b) => a + b, 0) / draws.length;
      const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length;
      // Five standard errors of the mean; the variance's own spread is wider, by the fourth moment.
      expect(Math.abs(mean - shape)).toBeLessThan(5 * Math.sqrt(shape / draws.length));
      expect(Math.abs(variance - shape)).toBeLessThan(
        5 * Math.sqrt((2 * shape ** 2 + 6 * shape) / draws.length),
      );
    }
  });

  it("Dirichlet has mean 1/n and the variance of its concentration", () => {
    const random = Random.named("dirichlet");
    const out = new Float64Array(4);
    const alpha = 0.5;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < 20_000; i++) {
      drawDirichlet(alpha, random, out);
      expect(out.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      sum += out[2]!;
      squares += out[2]! ** 2;
    }
    const mean = sum / 20_000;
    expect(mean).toBeCloseTo(0.25, 1);
    expect(squares / 20_000 - mean ** 2).toBeCloseTo((0.25 * 0.75) / (4 * alpha + 1), 2);
  });

  it("stays a distribution where nearly every gamma draw is below the least double", () => {
    const random = Random.named("tiny");
    const out = new Float64Array(58);
    for (let i = 0; i < 200; i++) {
      drawDirichlet(0.001, random, out);
      expect(out.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    }
  });
});
