import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import { bootstrapIntervals } from "../../src/stats/bootstrap.ts";
import { meanEstimate } from "../../src/stats/intervals.ts";

const values = Array.from({ length: 400 }, (_, i) => Math.sin(i * 12.9898) * 10);
const figures = (draws: Int32Array) => {
  let sum = 0;
  let greatest = -Infinity;
  for (const draw of draws) {
    sum += values[draw]!;
    greatest = Math.max(greatest, values[draw]!);
  }
  return [sum / draws.length, greatest];
};

describe("bootstrapIntervals", () => {
  it("gives for a mean about the interval of the normal approximation, for each figure its own", () => {
    const [mean, greatest] = bootstrapIntervals(values.length, figures, Random.named("mean"), 4000);
    const { interval } = meanEstimate(values);
    const width = interval[1] - interval[0];
    expect(Math.abs(mean![0] - interval[0])).toBeLessThan(0.1 * width);
    expect(Math.abs(mean![1] - interval[1])).toBeLessThan(0.1 * width);
    expect(greatest![1]).toBe(Math.max(...values));
  });

  it("is a function of the random stream's name, and needs something to draw from", () => {
    const once = bootstrapIntervals(50, figures, Random.named("a"), 50);
    expect(bootstrapIntervals(50, figures, Random.named("a"), 50)).toEqual(once);
    expect(bootstrapIntervals(50, figures, Random.named("b"), 50)).not.toEqual(once);
    expect(() => bootstrapIntervals(0, figures, Random.named("a"))).toThrow(RangeError);
  });
});
