import { expect, it } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { agentStyles, lastMatches, matchesOf, playedForShares } from "../../src/report/matches.ts";
import { ContestTally } from "../../src/operators/measuring/match/contest.ts";
import { timed } from "./example-run.ts";

const experiment =
  "game: { rules: 2048 }\nnets: {}\nagents: {}\ngraph: { curve: { after: learn }, slow: { after: learn }, late: {}, early: {} }\n";

function match(stage: string, learned: number, agent: string): RunEvent {
  return {
    type: "match",
    stage,
    learned,
    unit: "games",
    seconds: 1,
    agents: [{ agent, games: 1, mean: 1, interval: [1, 1], returns: [1], facts: {} }],
  } as unknown as RunEvent;
}

const matches = [
  match("slow", 10, "d"),
  match("late", 0, "b"),
  match("curve", 20, "a"),
  match("early", 0, "c"),
  match("curve", 10, "a"),
];

it("come in the order of the experiment and of learning, whatever was done first", () => {
  for (const events of [matches, matches.toReversed()]) {
    const run = { experiment, events: events.map((event, i) => timed(i, event)) };
    expect(matchesOf(run).map(({ learned, stage }) => `${stage} ${learned}`)).toEqual([
      "curve 10",
      "curve 20",
      "slow 10",
      "late 0",
      "early 0",
    ]);
    // That of the slow stage is of an older version than that of the other stage that measures the learner.
    expect(lastMatches(run).map(({ stage }) => stage)).toEqual(["slow", "curve", "late", "early"]);
    expect(["a", "d", "b", "c"].map(agentStyles(run))).toEqual([0, 1, 2, 3]);
  }
});

it("are for shares of a win if the mean score is the share of games won, and not if places score", () => {
  const playedFor = (returns: readonly (readonly number[])[]) => {
    const agents = returns[0]!.map((_, seat) => `agent ${seat}`);
    const tally = new ContestTally(agents, agents.length);
    for (const [i, game] of returns.entries())
      tally.add({ seats: agents, returns: game, actions: Int32Array.of(i) }, i);
    return playedForShares({
      agents: agents.map((agent, seat) => {
        const own = returns.map((game) => game[seat]!);
        const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
        return { agent, games: own.length, mean, interval: [0, 1], returns: own, facts: {} };
      }),
      contest: { ...tally.contest, failures: [] },
    });
  };
  expect(
    playedFor([
      [1, 0],
      [0.5, 0.5],
    ]),
  ).toBe(true);
  expect(
    playedFor([
      [1, 0, 0],
      [0, 0.5, 0.5],
    ]),
  ).toBe(true);
  expect(
    playedFor([
      [1, 0.5, 0],
      [0, 0.5, 1],
    ]),
  ).toBe(false);
  expect(
    playedFor([
      [12, 3],
      [4, 5],
    ]),
  ).toBe(false);
});
