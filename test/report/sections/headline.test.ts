import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentResult, MatchResult, RunEvent } from "../../../src/events/event.ts";
import { ContestTally } from "../../../src/operators/measuring/match/contest.ts";
import { buildReport } from "../../../src/report/report.ts";
import { meanEstimate } from "../../../src/stats/intervals.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { timed } from "../example-run.ts";

/** The report of a run with these agents and stages, and what its headline says. */
function reportOf(game: string, settings: string, events: readonly RunEvent[]) {
  const folder = scratchFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "experiment.yaml"), `game: ${game}\nnets: { zero: {} }\n${settings}`);
  const lines = events.map((event, i) => `${JSON.stringify(timed(i, event))}\n`);
  writeFileSync(join(folder, "metrics.jsonl"), lines.join(""));
  const report = buildReport(folder);
  const text = (html: string) => html.replaceAll(/<[^>]*>/g, "");
  return {
    ...report,
    headline: text(report.html.match(/<p class="result">(.*?)<\/p>/s)![1]!),
    table: (name: string) => report.tables.find((each) => each.name === name)!,
  };
}

const learning = `agents: { learner: { use: greedy, net: zero }, baseline: { use: random }, other: { use: random } }
graph:
  weights: { use: trainer, net: zero }
  duel: { use: arena, after: weights }
  last: { use: arena }
`;

const trained: RunEvent = { type: "training", stage: "weights", step: 9, loss: 1, parts: {}, rate: 1 };

/** A match of two in which the second agent wins all games but one, and one is drawn. */
function duel(agents: readonly [string, string], stage = "duel"): RunEvent {
  const tally = new ContestTally(agents, 2);
  const returns = [
    [1, 0.5, ...Array.from({ length: 18 }, () => 0)],
    [0, 0.5, ...Array.from({ length: 18 }, () => 1)],
  ];
  for (const i of returns[0]!.keys())
    tally.add({ seats: agents, returns: returns.map((own) => own[i]!), actions: Int32Array.of(i) }, i);
  const { contest } = tally;
  return {
    type: "match",
    stage,
    learned: 9,
    unit: "steps",
    agents: agents.map((agent, i) => {
      const { value: mean, interval } = contest.standings[i]!.wins;
      const allPlaced = returns[i]!.map(() => 0);
      const spread = returns[i]!.map((_, game) => game % 3);
      return { agent, games: 20, mean, interval, returns: returns[i]!, facts: { allPlaced, spread } };
    }),
    contest: { ...contest, failures: [] },
  };
}

function scored(agent: string, returns: readonly number[]): AgentResult {
  const { interval, value: mean } = meanEstimate(returns);
  return { agent, games: returns.length, mean, interval, returns, facts: {} };
}

const match = (stage: string, learned: number, agents: readonly AgentResult[]): RunEvent => ({
  type: "match",
  stage,
  learned,
  unit: "steps",
  agents,
});

describe("the headline", () => {
  it("names what was learned, also if it loses", () => {
    for (const agents of [["learner", "baseline"] as const, ["baseline", "learner"] as const]) {
      const { headline } = reportOf("{ rules: tic-tac-toe }", learning, [trained, duel(agents)]);
      const won = agents[0] === "learner" ? "7.5%" : "92.5%";
      expect(headline).toMatch(
        new RegExp(
          `^After 9 steps learned, learner won ${won} \\(95% interval .*\\) of its 20 games against baseline; among equals it would be 50.0%\\.$`,
        ),
      );
    }
    // Nothing is learned: the agent that won most of its games.
    const { headline } = reportOf("{ rules: tic-tac-toe }", learning, [duel(["other", "baseline"])]);
    expect(headline).toContain("baseline won 92.5%");
  });

  it("claims nothing of an agent that plays itself, nor does the section of matches", () => {
    const tally = new ContestTally(["learner"], 2);
    tally.add({ seats: ["learner", "learner"], returns: [1, 0], actions: Int32Array.of(1) }, 0);
    const itself: RunEvent = {
      ...(duel(["learner", "baseline"]) as MatchResult),
      agents: [scored("learner", [0.5])],
      contest: { ...tally.contest, failures: [] },
    };
    const { headline, html, table } = reportOf("{ rules: tic-tac-toe }", learning, [trained, itself]);
    expect(headline).toBe("After 9 steps learned, learner played one game against itself.");
    expect([html.includes("100.0%"), table("contest-standings")]).toEqual([false, undefined]);
  });

  it("says by how much what was learned is behind", () => {
    const agents = [scored("learner", [1, 2, 3]), scored("baseline", [11, 12, 14])];
    const { headline } = reportOf("{ rules: 2048 }", learning, [trained, match("duel", 9, agents)]);
    expect(headline).toMatch(/^After 9 steps learned, learner had a mean score of 2/);
    expect(headline).toMatch(/, 10\.3 \(95% interval .*\) less than baseline in the same games\.$/);
  });

  it("takes the last match in the file, which plays with the weights after all learning", () => {
    const events = [
      trained,
      match("last", 0, [scored("learner", [5])]),
      match("duel", 9, [scored("a", [1, 3])]),
    ];
    const { headline } = reportOf("{ rules: 2048 }", learning, events);
    expect(headline).toMatch(/^After all learning, learner had a mean score of 5/);
    expect(headline).toMatch(/the best of 2 agents, ahead of a with 2\.$/);
  });

  it("names the seat of the training games' score if several play", () => {
    const games: RunEvent = {
      type: "games",
      stage: "games",
      done: 9,
      count: 3,
      mean: 0.25,
      min: 0,
      max: 1,
      plies: 7,
    };
    expect(reportOf("{ rules: tic-tac-toe }", learning, [games]).headline).toContain(
      "Seat 1 won 25.0% (95% interval 3.7% to 74.4%) of the last 3 of 9 games of games.",
    );
    const { html, table } = reportOf("{ rules: tic-tac-toe }", learning, [games]);
    expect(html).toContain("Share of games won by seat 1 in the training games");
    expect(html).toContain('<td class="number">25.0%</td>');
    expect(html).not.toMatch(/>0\.25/);
    expect(table("training-games").rows[0]!.slice(3, 6)).toEqual([0.25, 0, 1]);
    expect(reportOf("{ rules: daihinmin }", learning, [games]).headline).toContain(
      "had a score for seat 1 between 0 and 1.",
    );
    expect(reportOf("{ rules: 2048 }", learning, [games]).headline).toContain("had a score between 0 and 1.");
  });

  it("claims no result of a match whose program never started", () => {
    const none = (agent: string): AgentResult => ({
      agent,
      games: 0,
      mean: 0,
      interval: [0, 0],
      returns: [],
      facts: {},
    });
    // As earlier versions recorded it: every game a forfeit.
    const forfeits = duel(["gnugo", "learner"]) as Extract<RunEvent, { type: "match" }>;
    const failures = [{ agent: "gnugo", games: 24, message: "it ended with exit code 3" }];
    const failed: RunEvent = {
      ...forfeits,
      agents: ["gnugo", "learner"].map(none),
      contest: { ...forfeits.contest!, failures },
    };
    const { headline, html, tables } = reportOf("{ rules: go }", learning, [failed]);
    expect(headline).toBe(
      "No result of duel: no game was finished. gnugo could not continue in any of its 24 games; the first time: it ended with exit code 3.",
    );
    expect(html).not.toContain("92.5%");
    expect(tables.map(({ name }) => name)).toEqual(["run", "settings"]);
    const both = reportOf("{ rules: go }", learning, [
      trained,
      failed,
      duel(["learner", "baseline"], "last"),
    ]);
    expect(both.headline).toMatch(/learner won 7\.5%.* No result of duel: no game was finished\./);
  });
});

describe("a match for wins and losses", () => {
  const report = () =>
    reportOf("{ rules: tic-tac-toe }", learning, [
      trained,
      { ...duel(["learner", "baseline"]), learned: 5 } as RunEvent,
      duel(["learner", "baseline"]),
    ]);

  it("has one interval for one share in all tables", () => {
    const { table } = report();
    const won = table("contest-standings").rows.map(([, , agent, games, ...share]) => [
      agent,
      games,
      ...share.slice(0, 3),
    ]);
    const mean = table("match-results").rows.map(([, , , agent, games, ...share]) => [
      agent,
      games,
      ...share,
    ]);
    expect(won.at(-1)!.slice(0, 3)).toEqual(["learner", 20, 0.075]);
    // The best of a match first, and in the order of the experiment.
    expect(mean.toReversed()).toEqual(won);
  });

  it("shows shares as per cent", () => {
    const { html, table } = report();
    expect(html).toContain('<td class="number">7.5%</td>');
    expect(html).not.toMatch(/<td[^>]*>0\.0?75/);
    const { columns, title } = table("match-results");
    expect(title).toContain("share of games won by each agent");
    expect(columns.filter(({ share }) => share).map(({ name }) => name)).toEqual(["mean", "low", "high"]);
  });

  it("draws no histogram of wins, draws and losses, and no figure of a fact that is the same in all games", () => {
    const { html, table, tables } = report();
    const names = tables.map(({ name }) => name);
    expect(names).not.toContain("histograms");
    expect(new Set(table("fact-values").rows.map(([, figure]) => figure))).toEqual(new Set(["spread"]));
    expect(html).not.toContain("Mean scores: duel");
    expect(table("last-match-facts").rows.map(([, , , fact]) => fact)).toContain("allPlaced");
  });
});
