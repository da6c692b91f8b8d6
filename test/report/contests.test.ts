import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RecordedEvent, RunEvent } from "../../src/events/event.ts";
import { ContestTally } from "../../src/operators/measuring/match/contest.ts";
import { Random } from "../../src/random.ts";
import { buildReport, ofRun } from "../../src/report/report.ts";
import { meanEstimate } from "../../src/stats/intervals.ts";
import { timed } from "./example-run.ts";

/** A match of three agents in pairs, the earlier named the stronger, the first unbeaten. */
function match(learned: number): RunEvent {
  const agents = ["strong <a>", "middling", "weak"];
  const tally = new ContestTally(agents, 2);
  const random = Random.named("contest report", learned);
  const returns = new Map<string, number[]>(agents.map((agent) => [agent, []]));
  for (let i = 0; i < 60; i++) {
    const pair = [
      [0, 1],
      [0, 2],
      [1, 2],
    ][i % 3]!;
    const turned = Math.floor(i / 3) % 2 === 1;
    const firstWins = pair[0] === 0 || random.float() < 0.7;
    const seats = (turned ? pair.toReversed() : pair).map((agent) => agents[agent]!);
    const scores = firstWins === turned ? [0, 1] : [1, 0];
    tally.add({ seats, returns: scores, actions: Int32Array.of(i % 50) }, i);
    for (const [seat, agent] of seats.entries()) returns.get(agent)!.push(scores[seat]!);
  }
  return {
    type: "match",
    stage: "duel",
    learned,
    unit: "steps",
    agents: agents.map((agent) => {
      const own = returns.get(agent)!;
      const { interval, value } = meanEstimate(own);
      return { agent, games: own.length, mean: value, interval, returns: own, facts: {} };
    }),
    contest: {
      ...tally.contest,
      failures: [{ agent: "weak", games: 1, message: "hung <up>" }],
    },
  };
}

function reportOf(events: readonly RecordedEvent[]) {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  try {
    writeFileSync(
      join(folder, "metrics.jsonl"),
      events.map((event) => `${JSON.stringify(event)}\n`).join(""),
    );
    return buildReport(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the section of matches", () => {
  const { html, tables } = reportOf([timed(1, match(0)), timed(2, match(100))]);
  const text = html.replaceAll(/<[^>]*>/g, "");
  const table = (name: string) => tables.find((each) => each.name === name)!;

  it("names the winner, the number of different games, and the agents that failed", () => {
    expect(text).toMatch(/strong &lt;a&gt; won 100\.0% \(95% interval 90\.7% to 100\.0%\) of its 40 games/);
    expect(text).toMatch(/duel: 60 games of 2 players after 100 steps learned, 50 of them different/);
    expect(text).toMatch(/weak could not continue in 1 game; the first time: hung &lt;up&gt;/);
    expect(html).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  it("has figures of shares, ratings and the cross table, and a curve of shares", () => {
    for (const id of ["wins-duel", "cross-duel", "ratings-duel", "curve-duel"])
      expect(html).toContain(`<figure id="${id}">`);
    expect(text).toMatch(/Share of games won of each agent in the evaluation matches/);
  });

  it("gives tables of standings, pairs and seats; the Elo of a clean sweep is infinite, and empty in files", () => {
    const standings = table("contest-standings");
    expect(standings.rows).toHaveLength(6);
    for (const { rows, columns } of [standings, table("contest-pairs"), table("contest-seats")])
      for (const row of rows) expect(row).toHaveLength(columns.length);
    const sweep = table("contest-pairs").rows[0]!;
    const value = (name: string) => sweep[table("contest-pairs").columns.findIndex((c) => c.name === name)];
    expect([value("score"), value("elo"), value("elo high")]).toEqual([1, Infinity, Infinity]);
    const files = ofRun(table("contest-pairs"), { experiment: "e", run: "r", seed: 1 });
    expect(files.rows[0]!.slice(-3)).toEqual([null, value("elo low"), null]);
    expect(value("elo low")).toBeGreaterThan(100);
    expect(table("contest-seats").rows.filter(([, , agent]) => agent === "all")).toHaveLength(4);
  });

  it("gives the processor time of decisions, and its ratio if two agents play each other", () => {
    const { contest, ...rest } = match(100) as Extract<RunEvent, { type: "match" }>;
    const [first, second] = contest!.standings;
    const two: RunEvent = { ...rest, stage: "two", contest: { ...contest!, standings: [first!, second!] } };
    const effort = (stage: string): RunEvent => ({
      type: "effort",
      stage,
      learned: 100,
      unit: "steps",
      agents: [
        { agent: "strong <a>", decisions: [10, 10], evaluations: [0, 0], seconds: [0.04, 0.04] },
        { agent: "middling", decisions: [20], evaluations: [0], seconds: [0.02] },
        { agent: "weak", decisions: [20], evaluations: [0], seconds: [NaN] },
      ],
    });
    const events = [match(0), match(100), effort("duel"), two, effort("two")];
    const { html: page, tables: all } = reportOf(events.map((event, i) => timed(i + 1, event)));
    const standings = all.find(({ name }) => name === "contest-standings")!;
    expect(standings.columns.at(-1)!.name).toBe("ms a move");
    // The first match has no times.
    expect(standings.rows.map((row) => row.at(-1))).toEqual([null, null, null, 4, 1, null, 4, 1]);
    const said = page.replaceAll(/<[^>]*>/g, "");
    expect(said).toContain(
      "A decision of strong &lt;a&gt; took 4 times the processor time of one of middling (4 and 1 ms).",
    );
    expect(said.match(/times the processor time/g)).toHaveLength(1);
  });

  it("names time limits with their clocks, and the agents that got less of them", () => {
    const effort: RunEvent = {
      type: "effort",
      stage: "duel",
      learned: 100,
      unit: "steps",
      agents: [
        {
          agent: "strong <a>",
          decisions: [10],
          evaluations: [0],
          seconds: [0.04],
          limited: [{ clock: "wall", decisions: 10, allowed: 0.2, seconds: 0.035 }],
        },
        { agent: "middling", decisions: [20], evaluations: [0], seconds: [0.02] },
      ],
    };
    const { html: page, tables: all } = reportOf(
      [match(0), match(100), effort].map((e, i) => timed(i + 1, e)),
    );
    const { columns, rows } = all.find(({ name }) => name === "contest-standings")!;
    expect(columns.slice(-2).map(({ name }) => name)).toEqual(["ms a move", "time limit"]);
    expect(rows.map((row) => row.at(-1))).toEqual([null, null, null, "20 ms wall", null, null]);
    expect(page).toContain(
      "strong &lt;a&gt; got 3.5 ms of processor time of the 20 ms of wall time that ended its searches (18%).",
    );
  });

  it("pairs no scores of agents that did not all play in the same games", () => {
    expect(tables.map(({ name }) => name)).not.toContain("paired-gains");
  });
});
