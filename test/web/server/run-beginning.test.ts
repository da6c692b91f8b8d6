import { describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../../src/events/event.ts";
import { NOTHING_TOLD, reduce } from "../../../src/events/run-state.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";
import {
  beginningSentence,
  fillingOf,
  fillingSentence,
  isWaiting,
} from "../../../src/web/server/run-beginning.ts";

const experiment = {
  name: "zero",
  seed: 1,
  game: { rules: "tic-tac-toe" },
  nets: {},
  agents: {},
  graph: {
    games: { use: "self-play", agent: "a", games: 1000, generation: 100 },
    replay: { use: "replay-buffer", from: "games", games: 500, fill: 250 },
    weights: { use: "trainer", from: "replay", net: "n" },
  },
} as unknown as Experiment;

const at = (elapsed: number) => ({ time: "2026-01-01T00:00:00.000Z", elapsed });
const progress = (done: number, elapsed: number): RecordedEvent => ({
  type: "progress",
  stage: "games",
  done,
  total: 1000,
  unit: "games",
  ...at(elapsed),
});
const started: RecordedEvent = {
  type: "run-started",
  name: "zero",
  seed: 1,
  workers: 1,
  resumed: false,
  compute: "",
  ...at(0),
};
const training: RecordedEvent = {
  type: "training",
  stage: "weights",
  step: 1,
  loss: 1,
  parts: {},
  rate: 1,
  ...at(70),
};
const stateOf = (...events: readonly RecordedEvent[]) => events.reduce(reduce, NOTHING_TOLD);

describe("how a run begins", () => {
  it("fills its buffer by whole generations, at the speed so far, until it trains", () => {
    const told = [started, progress(0, 1), progress(10, 2), progress(110, 12)];
    // 250 games are there after three generations of 100; 190 are left at ten a second.
    expect(fillingOf(experiment, stateOf(...told))).toEqual({ done: 110, total: 300, secondsLeft: 19 });
    // The checkpoint of a net that has learned nothing ends nothing.
    const saved = (learned: number): RecordedEvent => ({
      type: "checkpoint",
      stage: "saved",
      path: "",
      learned,
      unit: "steps",
      ...at(13),
    });
    expect(fillingOf(experiment, stateOf(...told, saved(0)))).toMatchObject({ done: 110, total: 300 });
    expect(fillingOf(experiment, stateOf(...told, saved(5)))).toBeUndefined();
    expect(fillingOf(experiment, stateOf(...told, training))).toBeUndefined();
    expect(fillingOf(experiment, stateOf(started, progress(300, 30)))).toBeUndefined();
    const ended: RecordedEvent = { type: "run-ended", outcome: "interrupted", ...at(13) };
    expect(fillingOf(experiment, stateOf(...told, ended))).toBeUndefined();
  });

  it("says so, with a stranger's name as its text", () => {
    expect(fillingSentence("<i>", { done: 110, total: 300, secondsLeft: 120 }, (s) => `${s / 60} min`)).toBe(
      "<b>&lt;i&gt;</b> is filling its buffer with 110 of 300 games: training begins in about <b>2 min</b>.",
    );
  });

  it("waits until it has told something", () => {
    expect(isWaiting(stateOf(started))).toBe(true);
    expect(isWaiting(stateOf(started, progress(0, 1)))).toBe(false);
  });

  it("says how far a run is that has no result yet", () => {
    const now = { stage: "weights", done: 400, total: 20_800, unit: "steps" };
    expect(beginningSentence("a<b", { share: 0.02, now })).toBe(
      "<b>a&lt;b</b> is at <b>400</b> of 20,800 steps; no match was played yet.",
    );
    expect(beginningSentence("ab", { share: 0.029 })).toBe(
      "<b>ab</b> is at <b>2%</b> of its time; no match was played yet.",
    );
  });
});
