import { expect, it } from "vitest";
import type { MatchResult, RunEvent } from "../../src/events/event.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { ContestTally } from "../../src/operators/measuring/match/contest.ts";
import { curvesOf } from "../../src/runs/comparison/run-curves.ts";
import { lastResult } from "../../src/runs/last-result.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";
import { timed } from "../report/example-run.ts";

const file = `
name: two-matches
game: { rules: tic-tac-toe }
nets: { value: { use: linear } }
agents: { learner: { use: greedy, net: value }, rival: { use: uct, simulations: 4 } }
graph:
  learn: { use: td-learner, net: value, games: 400, every: 100, lambda: 0.5 }
  weak: { use: arena, after: learn, agents: [learner, rival], games: 4 }
  strong: { use: arena, after: learn, agents: [learner, rival], games: 4 }
`;
const opened = () => readExperiment(writeExperiment(scratchFolder(), file)).experiment;

/** A match of four games, of which the learner wins so many. */
function match(stage: string, learned: number, won: number): MatchResult {
  const agents = ["learner", "rival"];
  const tally = new ContestTally(agents, 2);
  const wins = Array.from({ length: 4 }, (_, i) => (i < won ? 1 : 0));
  for (const [i, win] of wins.entries())
    tally.add({ seats: agents, returns: [win, 1 - win], actions: Int32Array.of(i) }, i);
  return {
    type: "match",
    stage,
    learned,
    unit: "games",
    agents: agents.map((agent, seat) => {
      const returns = wins.map((win) => (seat === 0 ? win : 1 - win));
      return {
        agent,
        games: 4,
        mean: seat === 0 ? won / 4 : 1 - won / 4,
        interval: [0, 1],
        returns,
        facts: {},
      };
    }),
    contest: { ...tally.contest, failures: [] },
  };
}

/** A match of which no game counts, because the rival never started; as earlier versions recorded it, or as this one does. */
function failed(stage: string, learned: number, earlier: boolean): MatchResult {
  const forfeits = match(stage, learned, 4);
  const none = new ContestTally(["learner", "rival"], 2).contest;
  return {
    ...forfeits,
    agents: forfeits.agents.map(({ agent }) => ({
      agent,
      games: 0,
      mean: 0,
      interval: [-Infinity, Infinity],
      returns: [],
      facts: {},
    })),
    contest: {
      ...(earlier ? forfeits.contest! : none),
      failures: [{ agent: "rival", games: 4, message: "it ended with exit code 3" }],
    },
  };
}

const inOrder = (events: readonly RunEvent[]) => events.map((event, i) => timed(i, event));
const matches = [
  match("weak", 100, 1),
  match("strong", 100, 2),
  match("weak", 200, 3),
  match("strong", 200, 4),
];

it("is that of the match that the report begins with, whichever was played last", () => {
  const experiment = opened();
  for (const order of [
    [0, 1, 2, 3],
    [1, 3, 0, 2],
    [3, 2, 1, 0],
  ]) {
    const events = inOrder(order.map((i) => matches[i]!));
    expect(lastResult(events, experiment)).toMatchObject({
      stage: "strong",
      agent: "learner",
      learned: 200,
      value: 1,
    });
    const curves = curvesOf(events, experiment).map(({ agent, stage, points }) => [
      stage,
      agent,
      points.map(({ learned }) => learned),
    ]);
    expect(curves).toEqual(
      ["weak", "strong"].flatMap((stage) => ["learner", "rival"].map((agent) => [stage, agent, [100, 200]])),
    );
  }
});

it("is that of the newest version, while a stage has not measured it yet", () => {
  const experiment = opened();
  const events = inOrder([matches[1]!, matches[2]!]);
  expect(lastResult(events, experiment)).toMatchObject({ stage: "weak", learned: 200, value: 0.75 });
});

it.each([true, false])(
  "is no match whose program never started (recorded by an earlier version: %s)",
  (earlier) => {
    const experiment = opened();
    const nothing = failed("strong", 200, earlier);
    expect(lastResult(inOrder([nothing]), experiment)).toBeUndefined();
    expect(curvesOf(inOrder([nothing]), experiment)).toEqual([]);
    expect(lastResult(inOrder([matches[2]!, nothing]), experiment)).toMatchObject({
      stage: "weak",
      value: 0.75,
    });
  },
);
