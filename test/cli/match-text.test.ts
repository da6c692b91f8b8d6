import { describe, expect, it } from "vitest";
import { matchText } from "../../src/cli/match-text.ts";
import type { AgentEffort, RecordedEvent } from "../../src/events/event.ts";
import type { Match } from "../../src/report/matches.ts";

const at = { time: "2026-01-01T00:00:00.000Z", elapsed: 1 };

function textOf(
  match: Match,
  agents: readonly AgentEffort[] = [],
  fixed: readonly RecordedEvent[] = [],
): string {
  const { learned, stage, unit } = match;
  return matchText(match, ["seat 1", "seat 2"], {
    events: [...fixed, { type: "effort", ...at, stage, learned, unit, agents }],
  });
}

describe("the text of a match", () => {
  const share = (value: number, low: number, high: number) =>
    ({ games: 20, value, interval: [low, high] }) as const;
  const result: Match = {
    ...at,
    type: "match",
    stage: "m",
    learned: 0,
    unit: "games",
    agents: [],
    contest: {
      players: 2,
      games: 20,
      distinct: 12,
      standings: ["a", "b"].map((agent, i) => ({
        agent,
        wins: i === 0 ? share(1, 0.84, 1) : share(0, 0, 0.16),
        fair: 0.5,
        rating: { value: i === 0 ? 300 : -300, interval: [-400, 400] as const },
        bySeat: [share(1, 0.7, 1), i === 0 ? { games: 0, value: 0, interval: [0, 1] } : share(0, 0, 0.2)],
      })),
      // As it is read from a file of events: infinities have become NaN.
      pairs: [
        { agent: "a", against: "b", score: share(1, 0.84, 1), elo: { value: NaN, interval: [288, NaN] } },
      ],
      seats: [share(0.5, 0.3, 0.7), share(0.5, 0.3, 0.7)],
      failures: [{ agent: "b", games: 2, message: "b: died" }],
      disputes: [{ game: 7, agent: "b", message: 'counts "W+3", and by the rules it is "B+1"' }],
      test: { elo0: 0, elo1: 10, alpha: 0.05, beta: 0.05, ratio: 3, bounds: [-2.94, 2.94], verdict: "elo1" },
    },
  };

  it("shows a clean sweep, repeats, failures and the test", () => {
    const text = textOf(result, [
      // The time of the second game is not known, and nothing is known of the time of its decisions.
      { agent: "a", decisions: [10, 30, 10], evaluations: [0, 0, 0], seconds: [1, NaN, 1.4684] },
      { agent: "b", decisions: [10], evaluations: [0], seconds: [NaN] },
    ]);
    expect(text).toMatch(/12 of them different; repeats make intervals too narrow/);
    expect(text).toMatch(
      /^a +20 +100\.0% +\[84\.0%, 100\.0%\] +50\.0% +\+300 +\[-400, \+400\] +100\.0% +- +123\.4$/m,
    );
    expect(text).toMatch(/^b .* 0\.0% +-$/m);
    expect(text).toMatch(/^a +b +20 +100\.0% .*\+inf +\[\+288, \+inf\]$/m);
    expect(text).toMatch(/b could not continue in 2 games; the first time: b: died/);
    expect(text).toContain(
      '1 game does not count, because a player disputes the result:\n  game 7: b counts "W+3", and by the rules it is "B+1"',
    );
    expect(text).toMatch(/log likelihood ratio 3\.00 in \[-2\.94, 2\.94\]: elo1 \(10\) accepted/);
    expect(text).not.toMatch(/NaN|undefined/);
  });

  it("names time limits with their clocks, and agents that got less of them", () => {
    const effort = (seconds: number): AgentEffort[] => [
      {
        agent: "a",
        decisions: [10],
        evaluations: [0],
        seconds: [0.1],
        limited: [{ clock: "wall", decisions: 5, allowed: 0.1, seconds }],
      },
      { agent: "b", decisions: [10], evaluations: [0], seconds: [NaN] },
    ];
    const text = textOf(result, effort(0.05));
    expect(text).toMatch(/ seat 2 +ms a move +time limit$/m);
    expect(text).toMatch(/^a .* 10 +20 ms wall$/m);
    expect(text).toMatch(/^b .* - +-$/m);
    expect(text).toMatch(
      /^a got 10 ms of processor time of the 20 ms of wall time that ended its searches \(50%\)$/m,
    );
    expect(textOf(result, effort(0.095))).not.toContain(" got ");
  });

  it("shows both parts of the time where evaluators compute nets, and the simulations that were fixed", () => {
    const effort = { decisions: [10], evaluations: [0], seconds: [0.2] };
    const text = textOf(
      result,
      [
        { agent: "a", ...effort, evaluatorSeconds: [0.15] },
        { agent: "b", ...effort },
      ],
      [
        {
          type: "equal-time",
          ...at,
          stage: "m",
          reference: "a",
          agents: [
            { agent: "a", measured: [{ decisions: 9, milliseconds: 20, evaluatorMilliseconds: 15 }] },
            {
              agent: "b",
              simulations: 1912,
              measured: [{ simulations: 900, decisions: 9, milliseconds: 9.4 }],
            },
          ],
        },
      ],
    );
    expect(text).toMatch(/ ms a move +of its search +of evaluators$/m);
    expect(text).toMatch(/^a .* 20 +5\.000 +15$/m);
    expect(text).toMatch(/^b .* 20 +20 +0$/m);
    expect(text).toContain(
      "equal time: as much processor time a decision as a, 20 ms (15 of evaluators): 1,912 simulations for b (900 in the file)",
    );
    expect(text).not.toContain("b takes");
  });

  it("of one-player games gives means", () => {
    const solo = {
      agent: "greedy",
      games: 2,
      mean: 1234.5,
      interval: [1000, 1469] as const,
      returns: [1000, 1469],
      facts: {},
    };
    const { contest: _, ...rest } = result;
    expect(textOf({ ...rest, agents: [solo] })).toMatch(/^greedy +2 +1,235 +\[1,000, 1,469\]$/m);
  });
});
