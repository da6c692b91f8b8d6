import { expect, it } from "vitest";
import { driftPoints } from "../../scripts/drift-points.ts";
import type { RecordedEvent } from "../../src/events/event.ts";

it("takes a point at each report of the monitor, with the best game and the processor time until then", () => {
  const games = (stage: string, max: number) => ({
    type: "games",
    stage,
    done: 1,
    count: 1,
    mean: 1,
    min: 1,
    max,
  });
  const drift = (learned: number, meanReturn: number, startValue: number) => ({
    type: "value-drift",
    stage: "learn",
    learned,
    startValue,
    meanReturn,
    ratio: startValue / meanReturn,
  });
  const machine = (processor: number) => ({
    type: "machine-flow",
    seconds: 60,
    processor,
    idle: 0,
    cores: 2,
  });
  const events = [
    games("learn", 900),
    games("other", 5000),
    machine(30),
    games("learn", 700),
    drift(40, 650, 20),
    machine(60),
    games("learn", 1200),
    { ...drift(40, 1, 1), stage: "other" },
    drift(80, 800, 45),
  ] as unknown as readonly RecordedEvent[];
  expect(driftPoints(events, "learn")).toEqual([
    { games: 40, coreMinutes: 0.5, meanScore: 650, bestGame: 900, startValue: 20 },
    { games: 80, coreMinutes: 1.5, meanScore: 800, bestGame: 1200, startValue: 45 },
  ]);
  expect(driftPoints(events, "none")).toEqual([]);
});
