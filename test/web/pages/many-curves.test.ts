import { describe, expect, it } from "vitest";
import { calmed } from "../../../src/web/pages/parts/many-curves.ts";

/** Line n reaches the value n; each has an interval. */
const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    label: `run ${n}`,
    style: n,
    points: [0, 1].map((x) => ({ x, y: x * n, low: x * n - 1, high: x * n + 1 })),
  }));

describe("many curves", () => {
  it("are left as they are up to six", () => {
    const six = lines(6);
    expect(calmed(six, ["run 2"])).toEqual({ series: six, offered: [], caption: "" });
  });

  it("are grey without bands up to forty, but for those that are chosen, which lie on top", () => {
    const { offered, series } = calmed(lines(40), ["run 7", "run 30"]);
    expect(offered).toHaveLength(40);
    expect(series).toHaveLength(40);
    expect(series.slice(-2).map(({ label, style }) => [label, style])).toEqual([
      ["run 7", 0],
      ["run 30", 1],
    ]);
    expect(series.at(-1)!.points[1]).toEqual({ x: 1, y: 30, low: 29, high: 31 });
    for (const each of series.slice(0, -2)) {
      expect(each.style).toBeUndefined();
      expect(each.unlabelled).toBe(true);
      expect(each.points.every((point) => !("low" in point))).toBe(true);
    }
  });

  it("are shown by their quantiles over forty, with a note; the best and the newest can be chosen", () => {
    const { caption, offered, series } = calmed(lines(101).toReversed(), ["run 100"]);
    expect(series.map(({ label }) => label)).toEqual(["median", "run 100"]);
    expect(series[0]!.points).toEqual([
      { x: 0, y: 0, low: 0, high: 0 },
      { x: 1, y: 50, low: 10, high: 90 },
    ]);
    expect(caption).toContain("Of 101 lines");
    expect(offered.toSorted()).toEqual(
      [
        ...Array.from({ length: 10 }, (_, n) => `run ${n}`),
        ...Array.from({ length: 10 }, (_, n) => `run ${91 + n}`),
      ].toSorted(),
    );
  });

  it("keep what is thin and grey anyway behind them", () => {
    const quiet = { label: "training", points: [{ x: 0, y: 1 }] };
    expect(calmed([quiet, ...lines(8)], []).series[0]).toBe(quiet);
  });
});
