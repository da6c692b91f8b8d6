import { describe, expect, it } from "vitest";
import { tenthOfCommit, tenths } from "../../scripts/tenths.ts";

describe("the tenths of the suites of trust", () => {
  const files = Array.from({ length: 37 }, (_, i) => `test/trust/${i}.test.ts`);

  it("have every file in one of them, and take about as long as each other", () => {
    const seconds = Object.fromEntries(files.map((file, i) => [file, 1 + ((i * 7) % 40)]));
    const parts = tenths(files, seconds);
    expect(parts.length).toBe(10);
    expect(parts.flat().toSorted()).toEqual(files.toSorted());
    const took = parts.map((part) => part.reduce((sum, file) => sum + seconds[file]!, 0));
    const mean = took.reduce((sum, each) => sum + each, 0) / 10;
    for (const each of took) expect(Math.abs(each - mean)).toBeLessThan(15);
  });

  it("are spread evenly while nothing is measured", () => {
    expect(tenths(files, {}).map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 4, 4, 3, 3, 3]);
  });

  it("are each chosen by some commits", () => {
    const chosen = Array.from({ length: 200 }, (_, i) => tenthOfCommit((0xb91e11bc + i).toString(16)));
    expect(new Set(chosen)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expect(tenthOfCommit("b91e11bc00000000000000000000000000000001")).toBe(
      Number(BigInt("0xb91e11bc00000000000000000000000000000001") % 10n),
    );
  });
});
