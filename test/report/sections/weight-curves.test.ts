import { describe, expect, it } from "vitest";
import { weightCurvesSection } from "../../../src/report/sections/weight-curves.ts";
import { BAND, settledFrom } from "../../../src/report/weight-curves.ts";
import { timed } from "../example-run.ts";

const weights = (stage: string, learned: number, values: number[]) =>
  timed(learned, { type: "weights", stage, learned, unit: "games", names: ["own <b>", "their"], values });

const run = {
  name: "curves",
  folder: ".",
  manifest: {},
  events: [
    weights("fast", 1, [0, 0]),
    weights("fast", 2, [0.98, -0.5]),
    weights("fast", 3, [1, -0.5]),
    weights("slow", 1, [0, 0]),
    weights("slow", 10, [0.1, 0]),
    weights("slow", 100, [2, -1]),
    weights("slow", 1000, [2.1, -1]),
  ],
};

describe("the section on weights", () => {
  it("is not there without named weights", () => {
    expect(weightCurvesSection({ ...run, events: [] })).toBeUndefined();
  });

  it("finds the game from which on a weight keeps within the band about its last value", () => {
    expect(settledFrom([1, 2, 3, 4], [0, 5, 1, 5], 0.5)).toBe(4);
    expect(settledFrom([1, 2, 3, 4], [0, 5.4, 4.6, 5], 0.5)).toBe(2);
    expect(settledFrom([7], [3], 0)).toBe(7);
  });

  it("tables curves, settling and likeness as they are", () => {
    const { tables, body } = weightCurvesSection(run)!;
    const [curves, settled, likeness] = tables;
    expect(curves!.rows).toHaveLength(14);
    expect(curves!.rows.slice(-2)).toEqual([
      ["slow", 1000, 1, "own <b>", 2.1],
      ["slow", 1000, 1, "their", -1],
    ]);
    const ofFirst = curves!.rows.filter(([, , , weight]) => weight === "own <b>");
    expect(ofFirst.map(([, , cosine]) => (cosine === null ? "none" : Number(cosine).toFixed(4)))).toEqual([
      "none",
      "0.9996",
      "0.9998",
      "none",
      "0.9029",
      "0.9998",
      "1.0000",
    ]);
    expect(BAND).toBe(0.1);
    expect(settled!.rows).toEqual([
      ["fast", "own <b>", 1, 2],
      ["fast", "their", -0.5, 2],
      ["fast", "all of them", null, 2],
      ["slow", "own <b>", 2.1, 100],
      ["slow", "their", -1, 100],
      ["slow", "all of them", null, 100],
    ]);
    const [, , cosine, difference] = likeness!.rows[0]! as [string, string, number, number];
    expect(cosine).toBeCloseTo((1 * 2.1 + 0.5 * 1) / Math.hypot(1, 0.5) / Math.hypot(2.1, 1), 12);
    expect(difference).toBeCloseTo(Math.hypot(1.1, 0.5) / Math.hypot(2.1, 1), 12);
    const html = (body as readonly unknown[]).flat(3).join("");
    expect(html).toContain("own &lt;b&gt;");
    // On the wide and on the narrow drawing: a line for each of two learners in each of two panels of weights, one in
    // each panel of directions, and two in each legend.
    expect(html.match(/class="line"/g)).toHaveLength(2 * (2 * 2 + 2 + 2 + 2));
  });
});
