import { describe, expect, it } from "vitest";
import { sweepCostText } from "../../../src/cli/progress/cost-table.ts";
import { amountText, busyText, durationText, totalText } from "../../../src/cli/progress/cost-text.ts";

const DAY = 86_400;

it.each([
  [0.4, "0.4 seconds"],
  [1, "1 second"],
  [89, "89 seconds"],
  [90, "1.5 minutes"],
  [60 * 60, "60 minutes"],
  [5400, "1.5 hours"],
  [10 * 3600, "10 hours"],
  [47.6 * 3600, "48 hours"],
  [2 * DAY, "2 days"],
  [388.7 * DAY, "390 days"],
  [729 * DAY, "730 days"],
  [730 * DAY, "2 years"],
  [3.26 * 365 * DAY, "3.3 years"],
  [1234 * 365 * DAY, "1,200 years"],
])("%d seconds are %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

it("gives amounts by unit, and separately what only measures", () => {
  const work = (unit: "games" | "steps", total: number, purpose: "learn" | "measure") => ({
    unit,
    total,
    purpose,
  });
  expect(
    amountText([
      work("games", 79_000, "learn"),
      work("steps", 70_000, "learn"),
      work("games", 2400, "measure"),
      work("games", 930, "measure"),
    ]),
  ).toBe("79,000 games, 70,000 steps, 3,330 games to measure");
});

it("gives upper bounds of a run that a test may end", () => {
  const work = { unit: "games", total: 200, purpose: "learn" } as const;
  expect(amountText([{ ...work, endsEarly: true }])).toBe("at most 200 games");
  expect(amountText([{ ...work, endsEarly: true }, work])).toBe("400 games");
  expect(totalText({ seconds: 7200, unknown: [], endsEarly: true })).toBe("at most 2 hours");
  expect(totalText({ seconds: 7200, unknown: [], endsEarly: true, least: ["curve"] })).toBe(
    "at least 2 hours",
  );
});

it("says what a total leaves out", () => {
  expect(totalText({ seconds: 388.7 * DAY, unknown: [] })).toBe("about 390 days");
  expect(totalText({ seconds: 7200, unknown: ["curve", "gain"] })).toBe(
    "at least 2 hours, without curve, gain",
  );
  expect(totalText({ seconds: 7200, unknown: [], least: ["curve"] })).toBe("at least 2 hours");
  expect(totalText({ seconds: 0, unknown: ["games", "curve"] })).toBe(
    "an unknown time, as nothing of it could be measured: games, curve",
  );
});

it("says that the machine is busy if a measurement got less than 90% of its cores", () => {
  expect(busyText({ gotCores: 0.45, idleCores: 1.9 })).toBe(
    "the machine is busy: the measurement got 0.5 of the 1.9 cores that an idle one would have given it; times are those of an idle machine",
  );
  expect([1.72, 0, NaN].map((gotCores) => busyText({ gotCores, idleCores: gotCores && 1.9 }))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe("sweepCostText", () => {
  const cost = { runs: 6, measured: 2, combinations: 2, cores: 2, gotCores: 2, idleCores: 2, least: [] };

  it("says what a sweep takes, and each of its runs", () => {
    expect(sweepCostText("six runs", { ...cost, seconds: 600, unknown: [] })).toBe(
      "six runs\nin all about 10 minutes on this machine (2 cores): 6 runs of 1.7 minutes on all cores\nmeasured: 2 of 2 combinations\n",
    );
  });

  it("claims no time if nothing was measured, and names the remedy", () => {
    expect(sweepCostText("six runs", { ...cost, seconds: 0, unknown: ["games", "curve"] })).toBe(
      "six runs\nin all an unknown time, as nothing of it could be measured: games, curve on this machine (2 cores): 6 runs\nmeasured: 2 of 2 combinations\nnot everything could be measured in this time; --for 1m (or longer) measures for longer\n",
    );
  });
});
