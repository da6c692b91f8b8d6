import { describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../src/events/event.ts";
import { eventsWithin } from "../../src/report/stretch.ts";

const at = { time: "2026-01-01T00:00:00.000Z", elapsed: 1 };
const games = (done: number): RecordedEvent => ({
  ...at,
  type: "games",
  stage: "learn",
  done,
  count: 1,
  mean: 1,
  min: 1,
  max: 1,
  plies: 1,
});
const training = (step: number): RecordedEvent => ({
  ...at,
  type: "training",
  stage: "learn",
  step,
  loss: 1,
  parts: {},
  rate: 1,
});
const note: RecordedEvent = { ...at, type: "note", level: "info", message: "" };
const match = (learned: number): RecordedEvent => ({
  ...at,
  type: "match",
  stage: "curve",
  learned,
  unit: "steps",
  agents: [],
});

describe("the events of a stretch", () => {
  const all = [1, 2, 3].flatMap((x) => [games(x), training(x), match(x)]).concat(note);

  it("are those with a place in it, and all that have no place on its axis", () => {
    const within = eventsWithin(all, { axis: "Training steps", low: 2, high: 2 });
    expect(within).toEqual([games(1), games(2), training(2), match(2), games(3), note]);
    expect(
      eventsWithin(all, { axis: "Games learned", low: 3, high: 9 }).filter((each) => each.type === "games"),
    ).toEqual([games(3)]);
    expect(eventsWithin(all, { axis: "Time at work (minutes)", low: 5, high: 9 })).toEqual(all);
  });
});
