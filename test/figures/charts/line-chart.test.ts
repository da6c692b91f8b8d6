import { describe, expect, it } from "vitest";
import { lineChart } from "../../../src/figures/charts/line-chart.ts";

/** The height at which the reference's label and the axis's title are written. */
function heights(level: number): { readonly label: number; readonly title: number } {
  const chart = String(
    lineChart(
      {
        id: "c",
        title: "title",
        description: "description",
        xLabel: "x",
        yLabel: "the y axis",
        yScale: "log",
        series: [
          {
            label: "line",
            style: 0,
            points: [
              { x: 0, y: 1 },
              { x: 1, y: 0.2 },
            ],
          },
        ],
        reference: { y: level, label: "as it should be" },
      },
      600,
    ),
  );
  const at = (text: string) =>
    Number(new RegExp(`<text[^>]* y="([\\d.]+)"[^>]*>${text}</text>`).exec(chart)![1]);
  return { label: at("as it should be"), title: at("the y axis") };
}

describe("the label of a reference line", () => {
  it("keeps clear of the axis's title, at the top of the plot and in its middle", () => {
    for (const level of [1, 0.5]) {
      const { label, title } = heights(level);
      expect(label - title).toBeGreaterThan(16);
    }
  });
});

describe("landmarks, whiskers and ticks of its own", () => {
  const draw = (more: Partial<Parameters<typeof lineChart>[0]>) =>
    String(
      lineChart(
        {
          id: "c",
          title: "title",
          description: "description",
          xLabel: "x",
          yLabel: "y",
          series: [
            {
              label: "line",
              style: 0,
              points: [
                { x: 0, y: 1, low: 0, high: 2 },
                { x: 10, y: 3, low: 2, high: 4 },
              ],
            },
          ],
          ...more,
        },
        600,
      ),
    );
  const placeOf = (chart: string, text: string) =>
    Number(new RegExp(`<text[^>]* x="([\\d.]+)"[^>]*>${text}</text>`).exec(chart)?.[1]);

  it("are at their places, their texts inside the plot, and nowhere outside the lines' span", () => {
    const chart = draw({
      landmarks: [
        { x: 2, label: "early" },
        { x: 9, label: "late" },
        { x: 11, label: "never" },
      ],
    });
    expect(chart).not.toContain("never");
    expect(placeOf(chart, "early")).toBeLessThan(placeOf(chart, "late"));
    expect(chart).toMatch(/text-anchor="start">early/);
    expect(chart).toMatch(/text-anchor="end">late/);
  });

  it("draws a band, or a whisker a point", () => {
    expect(draw({}).match(/class="band"/g)).toHaveLength(1);
    const chart = draw({ whiskers: true });
    expect(chart).not.toContain('class="band"');
    expect(chart.match(/class="whisker"/g)).toHaveLength(2);
  });

  it("writes the ticks it is given, evenly for even places, and names points by them", () => {
    const chart = draw({
      xTicks: [
        { x: 0, text: "none" },
        { x: 5, text: "half" },
        { x: 10, text: "all" },
      ],
    });
    const [none, half, all] = ["none", "half", "all"].map((text) => placeOf(chart, text));
    expect(all! - half!).toBeCloseTo(half! - none!, 0);
    expect(chart).toContain("line at all: 3 (2 to 4)");
  });
});
