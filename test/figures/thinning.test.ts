import { describe, expect, it } from "vitest";
import { thinned } from "../../src/figures/thinning.ts";

describe("thinned", () => {
  it("leaves a short series as it is", () => {
    const points = [1, 2, 3].map((x) => ({ x, y: x * x, weight: 1 }));
    expect(thinned(points, 3)).toEqual(points);
  });

  it("keeps the least and the greatest value of each group, so that a spike stays in the picture", () => {
    const points = Array.from({ length: 1000 }, (_, x) => ({
      x,
      y: x === 777 ? 99 : x === 3 ? -5 : 1,
      weight: 1,
    }));
    const few = thinned(points, 100);
    expect(few).toHaveLength(100);
    expect(few.filter(({ most }) => most === 99).map(({ x }) => x)).toEqual([779]);
    expect(few.filter(({ least }) => least === -5).map(({ x }) => x)).toEqual([9]);
    expect(few.every(({ of }) => of === 10)).toBe(true);
    expect(few[0]!.y).toBeCloseTo((9 * 1 - 5) / 10);
  });

  it("weighs the mean of a group", () => {
    expect(
      thinned(
        [
          { x: 1, y: 0, weight: 3 },
          { x: 2, y: 4, weight: 1 },
        ],
        1,
      ),
    ).toEqual([{ x: 2, y: 1, weight: 4, least: 0, most: 4, of: 2 }]);
  });
});
