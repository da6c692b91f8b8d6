import { describe, expect, it } from "vitest";
import { markup } from "../../../src/figures/markup.ts";
import { valueMonitorSection } from "../../../src/report/sections/value-monitor.ts";
import { timed } from "../example-run.ts";

const drift = (stage: string, learned: number, startValue: number, meanReturn: number) =>
  timed(learned, {
    type: "value-drift",
    stage,
    learned,
    startValue,
    meanReturn,
    ratio: startValue / meanReturn,
  });

const watched = [drift("searching", 50, -20, 100), drift("searching", 100, 400, 100)];
const section = (events: ReturnType<typeof drift>[]) =>
  valueMonitorSection({ name: "drift", folder: ".", manifest: {}, events });
const text = (events: ReturnType<typeof drift>[]) => String(markup`${section(events)!.body}`);

describe("the section on values against scores", () => {
  it("is left out if nothing was watched", () => {
    expect(section([])).toBeUndefined();
  });

  it("draws the ratio of one learner, broken if it has no place on a logarithmic axis", () => {
    expect(section(watched)!.body).toHaveLength(1);
    expect(text(watched)).toContain("V(start) / score");
    expect(text(watched)).not.toContain("NaN");
  });

  it("draws learners side by side, their scores too, each by its own share if they learn from unlike numbers", () => {
    const alike = [...watched, drift("greedy", 50, 90, 100), drift("greedy", 100, 140, 150)];
    expect(section(alike)!.body).toHaveLength(2);
    expect(text(alike)).toContain("Mean score of recent games");
    expect(text(alike)).not.toContain("% of what each learned");
    const unlike = [...watched, drift("greedy", 500, 90, 100), drift("greedy", 1000, 140, 150)];
    expect(text(unlike)).toContain("% of what each learned");
    for (const stage of ["searching", "greedy"]) expect(text(unlike)).toContain(stage);
  });

  it("measures values and scores by perfect play if the game knows its return", () => {
    const known = [...watched, drift("greedy", 100, 140, 150)].map((event) => ({ ...event, optimum: 200 }));
    expect(section(known)!.body).toHaveLength(3);
    expect(text(known)).toContain("divided by 200, the mean score of perfect play");
    expect(text(known)).toContain("perfect play");
    expect(section(known)!.tables[0]!.rows[1]).toEqual(["searching", 100, 400, 100, 4, 200]);
  });

  it("tables the events of the monitor", () => {
    expect(section(watched)!.tables[0]!.rows).toEqual([
      ["searching", 50, -20, 100, -0.2],
      ["searching", 100, 400, 100, 4],
    ]);
  });
});
