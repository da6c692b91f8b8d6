import { describe, expect, it } from "vitest";
import { markup } from "../../../src/figures/markup.ts";
import { ownFiguresSection } from "../../../src/report/sections/own-figures.ts";
import { told } from "../example-run.ts";

const figure = (number: number, name: string, value: number) =>
  told(number, { type: "figure", stage: "filter", name, value, learned: 10 * number, unit: "games" });
const section = (events: ReturnType<typeof figure>[]) =>
  ownFiguresSection({ name: "own", folder: ".", manifest: {}, events });

describe("the section on figures of stages of one's own", () => {
  it("is not there where no stage told any", () => {
    expect(section([])).toBeUndefined();
  });

  it("has a line for each figure that was told repeatedly, and the last value of each", () => {
    const found = section([
      figure(1, "long <b>", 0.25),
      figure(2, "long <b>", 0.75),
      figure(2, "total", 12),
    ])!;
    const text = String(markup`${found.body}`);
    expect(text).toContain("filter: long &lt;b&gt;: 0.7500 at the end.");
    expect(text).toContain("filter: total: 12.");
    expect(text.match(/<figure/g)).toHaveLength(1);
    expect(text).not.toContain("NaN");
    expect(found.tables[0]!.rows).toEqual([
      ["filter", "long <b>", 10, "games", 0.25],
      ["filter", "long <b>", 20, "games", 0.75],
      ["filter", "total", 20, "games", 12],
    ]);
  });
});
