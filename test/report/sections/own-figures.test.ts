import { describe, expect, it } from "vitest";
import { markup } from "../../../src/figures/markup.ts";
import { trainingFigures } from "../../../src/events/training-figures.ts";
import { ownFiguresSection } from "../../../src/report/sections/own-figures.ts";
import { trainingSection } from "../../../src/report/sections/training.ts";
import { timed } from "../example-run.ts";

const figure = (number: number, name: string, value: number) =>
  timed(number, { type: "figure", stage: "filter", name, value, learned: 10 * number, unit: "games" });
const section = (events: ReturnType<typeof figure>[]) =>
  ownFiguresSection({ name: "own", folder: ".", manifest: {}, events });

describe("the section on figures of stages of one's own", () => {
  it("is left out if no stage emitted any", () => {
    expect(section([])).toBeUndefined();
  });

  it("leaves the figures of training to the section on training", () => {
    const { gradientNorm } = trainingFigures;
    const events = [figure(1, gradientNorm, 2), figure(2, gradientNorm, 1)];
    expect(section(events)).toBeUndefined();
    const step = timed(2, { type: "training", stage: "filter", step: 9, loss: 1, parts: {}, rate: 0.1 });
    const found = trainingSection({ name: "own", folder: ".", manifest: {}, events: [...events, step] })!;
    expect(String(markup`${found.body}`)).toContain('<figure id="figure-filter-gradient-norm">');
    expect(found.tables[1]!.rows.map((row) => row.at(-1))).toEqual([2, 1]);
  });

  it("has a line for each figure that was emitted repeatedly, and the last value of each", () => {
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
