import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { effortSection } from "../../../src/report/sections/effort.ts";
import type { RunData } from "../../../src/report/run-data.ts";
import { ratioEstimate } from "../../../src/stats/intervals.ts";
import { timed } from "../example-run.ts";

const experiment = `
game: { rules: 2048 }
nets: { value: { use: n-tuple } }
agents:
  greedy: { use: greedy, net: value }
  softmax-10: { use: mc-softmax, net: value, simulations: 10, selection: L-max }
  softmax-20: { use: mc-softmax, net: value, selection: L-max, simulations: 10, trees: 2 }
  softmax-40: { use: mc-softmax, selection: L-max, net: value, simulations: 40 }
  sharp-40: { use: mc-softmax, net: value, simulations: 40, selection: best }
graph: {}
`;

const scores: Readonly<Record<string, readonly number[]>> = {
  greedy: [100, 140, 120],
  "softmax-10": [200, 220, 210],
  "softmax-20": [260, 250, 270],
  "softmax-40": [300, 320, 330],
  "sharp-40": [150, 180, 170],
};
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The result of a match and what it took: a second for a hundred decisions of each simulation, one for a decision's. */
function match(agents: readonly string[], seconds = (game: number) => 2 + game): RunEvent[] {
  const place = { stage: "match", learned: 50, unit: "games" } as const;
  return [
    {
      type: "match",
      ...place,
      agents: agents.map((agent) => ({
        agent,
        games: 3,
        mean: mean(scores[agent]!),
        interval: [mean(scores[agent]!) - 9, mean(scores[agent]!) + 9],
        returns: scores[agent]!,
        facts: {},
      })),
    },
    {
      type: "effort",
      ...place,
      agents: agents.map((agent) => ({
        agent,
        decisions: [10, 20, 30],
        evaluations: [100, 200, 300],
        seconds: [0, 1, 2].map(seconds),
      })),
    },
  ];
}

const run = (events: readonly RunEvent[]): RunData => ({
  name: "run",
  folder: ".",
  manifest: {},
  experiment,
  events: events.map((event, i) => timed(i, event)),
});

describe("the section on score and effort", () => {
  it("draws score by simulations, by time, and what a second earns, from agents that differ in simulations alone", () => {
    const { body, tables } = effortSection(run(match(["greedy", "softmax-40", "softmax-10", "sharp-40"])))!;
    const text = String(body);
    expect(text.match(/<figure id="[^"]+"/g)).toEqual([
      '<figure id="score-by-simulations"',
      '<figure id="score-by-time"',
      '<figure id="score-by-second"',
    ]);
    // One of the family at each count, and the level of the greedy player; another selection is another family.
    expect(text).toContain("softmax at 10: 210 (201 to 219)");
    expect(text).toContain("softmax at 40: 316.7 (307.7 to 325.7)");
    expect(text).not.toContain("sharp-40 at");
    expect(text).toContain("greedy at 150.0 ms: 120 (111 to 129)");
    const points = ratioEstimate(scores["softmax-40"]!, [2, 3, 4]);
    expect(tables[0]!.rows[1]).toEqual([
      "match",
      50,
      "softmax-40",
      "mc-softmax",
      40,
      3,
      mean(scores["softmax-40"]!),
      mean(scores["softmax-40"]!) - 9,
      mean(scores["softmax-40"]!) + 9,
      20,
      10,
      150,
      points.value,
      ...points.interval,
    ]);
  });

  it("counts the simulations of all trees, as a family of its own", () => {
    const { tables } = effortSection(run(match(["softmax-10", "softmax-20", "softmax-40"])))!;
    expect(tables[0]!.rows.map((row) => row[4])).toEqual([10, 20, 40]);
    expect(effortSection(run(match(["softmax-10", "softmax-20"])))).toBeUndefined();
  });

  it("leaves out time if it is not known, and games whose time is not", () => {
    const { body, tables } = effortSection(run(match(["softmax-10", "softmax-40"], () => NaN)))!;
    expect(String(body)).not.toContain("score-by-time");
    expect(tables[0]!.rows[0]!.slice(12)).toEqual([null, null, null]);
    const resumed = effortSection(
      run(match(["softmax-10", "softmax-40"], (game) => (game === 0 ? NaN : 1))),
    )!;
    expect(resumed.tables[0]!.rows[0]!.slice(11, 13)).toEqual([40, 215]);
  });

  it("is left out if no agents differ only in their simulations", () => {
    expect(effortSection(run(match(["greedy", "softmax-40", "sharp-40"])))).toBeUndefined();
    expect(effortSection(run(match(["softmax-10", "softmax-40"]).slice(0, 1)))).toBeUndefined();
  });
});
