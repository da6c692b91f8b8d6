import { describe, expect, it } from "vitest";
import { lineChart } from "../../../src/report/charts/line-chart.ts";

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
