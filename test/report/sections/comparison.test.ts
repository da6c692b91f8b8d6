import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import type { RunData } from "../../../src/report/run-data.ts";
import { comparisonSection } from "../../../src/report/sections/comparison.ts";
import { timed } from "../example-run.ts";

const match = (stage: string, learned: number, means: Readonly<Record<string, number>>): RunEvent => ({
  type: "match",
  stage,
  learned,
  unit: "games",
  agents: Object.entries(means).map(([agent, mean]) => ({
    agent,
    games: 2,
    mean,
    interval: [mean - 10, mean + 10],
    returns: [mean - 1, mean + 1],
    facts: {},
  })),
});

const run = (...events: readonly RunEvent[]): RunData => ({
  name: "run",
  folder: ".",
  manifest: {},
  experiment: "graph: {}",
  events: events.map((event, i) => timed(i, event)),
});

describe("the comparison of agents", () => {
  it("puts agents that play in stages of their own beside each other, by their last matches", () => {
    const section = comparisonSection(
      run(match("first", 0, { a: 5 }), match("first", 100, { a: 50 }), match("second", 100, { b: 70 })),
    )!;
    expect(section.tables[0]!.rows).toEqual([
      ["first", "a", 2, 50, 40, 60, null],
      ["second", "b", 2, 70, 60, 80, null],
    ]);
    expect(String(section.body)).toContain("second, 100 games");
  });

  it("says nothing of one agent in one stage, whose curve says it all", () => {
    expect(
      comparisonSection(run(match("first", 0, { a: 5 }), match("first", 100, { a: 50 }))),
    ).toBeUndefined();
  });

  it("compares agents of one match by their games, with others apart", () => {
    const section = comparisonSection(
      run(match("duel", 9, { a: 5, b: 8 }), match("first", 9, { a: 5 }), match("second", 9, { b: 7 })),
    )!;
    const [results, gains] = section.tables;
    expect(results!.rows.map(([stage, agent]) => `${stage} ${agent}`)).toEqual([
      "duel b",
      "duel a",
      "first a",
      "second b",
    ]);
    expect(gains!.rows).toEqual([["duel", "b", "a", 2, 3, 3, 3]]);
  });
});
