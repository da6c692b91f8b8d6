import { describe, expect, it } from "vitest";
import type { MeasuredErrors } from "../../../src/events/event.ts";
import { markup } from "../../../src/figures/markup.ts";
import { valueErrorsSection } from "../../../src/report/sections/value-errors.ts";
import { timed } from "../example-run.ts";

const share = (value: number, games: number, half: number) => ({
  games,
  value,
  interval: [value - half, value + half] as const,
});
const measure = (given: Partial<MeasuredErrors>): MeasuredErrors => ({
  of: "value",
  part: "test",
  positions: 5,
  error: share(0.4, 5, 0.1),
  plies: [
    { ply: 0, positions: 4, error: share(0.5, 4, 0.2) },
    // One game: the spread is not known, and metrics.jsonl has null for the ends, which are read as NaN.
    { ply: 10, positions: 1, error: share(0.25, 1, NaN) },
  ],
  ...given,
});
const event = timed(9, {
  type: "value-errors",
  stage: "error",
  values: "win-loss",
  width: 10,
  measures: [measure({ part: "training" }), measure({}), measure({ of: "uniform", rollouts: 100 })],
});
const section = (events: (typeof event)[]) =>
  valueErrorsSection({ name: "errors", folder: ".", manifest: {}, events });

describe("the section on errors of values", () => {
  it("is left out if nothing was measured", () => {
    expect(section([])).toBeUndefined();
  });

  it("draws nets and rollouts by ply, and separates errors on positions learned from", () => {
    const text = String(markup`${section([event])!.body}`);
    for (const label of ["value (training)", "uniform, 100 rollouts", "Error by ply: error"])
      expect(text).toContain(label);
    expect(text).not.toMatch(/NaN|Infinity/);
  });

  it("tables totals and plies, without ends of intervals that are not known", () => {
    const [totals, byPly] = section([event])!.tables;
    expect(totals!.rows).toEqual([
      ["error", "value", null, "training", 5, 5, 0.4, 0.30000000000000004, 0.5],
      ["error", "value", null, "test", 5, 5, 0.4, 0.30000000000000004, 0.5],
      ["error", "uniform", 100, "test", 5, 5, 0.4, 0.30000000000000004, 0.5],
    ]);
    expect(byPly!.rows).toHaveLength(6);
    expect(byPly!.rows[1]).toEqual(["error", "value", null, "training", 10, 1, 1, 0.25, null, null]);
  });
});
