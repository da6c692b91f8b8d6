import { describe, expect, it } from "vitest";
import { growthOf, secondsPerUnit } from "../../../../src/operators/measuring/cost/growth.ts";

/** The course of n units of which unit i takes i^(power - 1) times a constant. */
const course = (units: number, power: number) =>
  Array.from({ length: units }, (_, i) => ({ units: i + 1, seconds: 3 * (i + 1) ** power }));

describe("secondsPerUnit", () => {
  it("is the same for units of equal cost, however many there are", () => {
    expect(growthOf(course(40, 1))).toBeCloseTo(1, 10);
    expect(secondsPerUnit(course(40, 1), 1e6)).toBeCloseTo(3, 6);
  });

  it("grows with games that become longer", () => {
    expect(growthOf(course(40, 1.5))).toBeCloseTo(1.5, 10);
    // In all 3 n^1.5 seconds for n = 4000.
    expect(secondsPerUnit(course(40, 1.5), 4000)! * 4000).toBeCloseTo(3 * 4000 ** 1.5, 3);
  });

  it("takes no growth for less than none, and none for more than the square", () => {
    expect(growthOf(course(40, 0.5))).toBe(1);
    expect(growthOf(course(40, 4))).toBe(2);
  });

  it("takes no growth from a few units: their times say what else the machine does", () => {
    expect(growthOf(course(30, 2))).toBe(1);
    expect(secondsPerUnit(course(2, 2), 5000)).toBeCloseTo(6, 10);
  });

  it("is the mean where all is measured, and unknown where nothing is", () => {
    expect(secondsPerUnit(course(40, 2), 20)).toBeCloseTo(3 * 40, 10);
    expect(secondsPerUnit([], 20)).toBeUndefined();
    expect(growthOf([])).toBe(1);
    expect(growthOf([{ seconds: 2, units: 1 }])).toBe(1);
  });
});
