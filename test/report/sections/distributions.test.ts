import { describe, expect, it } from "vitest";
import { withoutGaps } from "../../../src/report/sections/distributions.ts";

describe("the axis of a fact", () => {
  it("doubles if the fact doubles, whatever values no game happens to have", () => {
    expect(withoutGaps([1024, 256, 256, 4096])).toEqual([256, 512, 1024, 2048, 4096]);
    expect(withoutGaps([64])).toEqual([64]);
  });

  it("counts if the fact counts, and is unchanged if that would be too long or makes no sense", () => {
    expect(withoutGaps([6, 3, 3])).toEqual([3, 4, 5, 6]);
    expect(withoutGaps([0, 3])).toEqual([0, 1, 2, 3]);
    expect(withoutGaps([5, 1000, 7])).toEqual([5, 7, 1000]);
    expect(withoutGaps([0.5, 0.75])).toEqual([0.5, 0.75]);
  });
});
