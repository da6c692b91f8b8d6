import { expect, it } from "vitest";
import { curveOfRuns } from "../../scripts/curve-of-runs.ts";
import type { RecordedEvent } from "../../src/events/event.ts";

const time = "2026-01-01T00:00:00Z";

/** A run of two rounds after 0 and 100 games, with the means of an agent, each of an interval of so much to both sides. */
const run = (means: readonly number[], half = 0.5, every = 100): RecordedEvent[] => [
  ...means.map((mean, i): RecordedEvent => ({
    type: "match",
    stage: "curve",
    learned: i * every,
    unit: "games",
    agents: [{ agent: "a", games: 9, mean, interval: [mean - half, mean + half], returns: [], facts: {} }],
    time,
    elapsed: 10 * (i + 1),
  })),
  { type: "run-ended", outcome: "finished", time, elapsed: 40 },
];
const told = { agent: "a", settings: "digest", stage: "curve" };

it("has the mean of the runs, and a band for one more run", () => {
  // Deviations 0 and 1: t(2) = 4.3027, and 4.3027 * sqrt(4 / 3) = 4.968.
  expect(curveOfRuns([run([2, 9]), run([2, 10]), run([2, 11])], told)).toEqual({
    settings: "digest",
    stage: "curve",
    agent: "a",
    unit: "games",
    share: false,
    runs: 3,
    seconds: 40,
    points: [
      // Equal by chance: the intervals of their rounds remain.
      { learned: 0, value: 2, low: 1.5, high: 2.5, elapsed: 10 },
      { learned: 100, value: 10, low: 5.032, high: 14.97, elapsed: 20 },
    ],
  });
});

it("refuses runs that make no curve", () => {
  expect(() => curveOfRuns([run([1, 2])], told)).toThrow("a band needs two runs or more");
  expect(() => curveOfRuns([run([1, 2]), run([1, 2], 1, 50)], told)).toThrow(
    "run 2 was measured after 0 games, 50 games; the first one after 0 games, 100 games",
  );
  expect(() => curveOfRuns([run([1]), run([1])], { ...told, agent: "b" })).toThrow(
    'stage "curve" has no rounds of agent "b"',
  );
});
