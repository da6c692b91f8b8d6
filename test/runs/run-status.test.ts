import { describe, expect, it } from "vitest";
import type { RecordedEvent, RunProgress } from "../../src/events/event.ts";
import { initialState, reduce } from "../../src/events/run-state.ts";
import type { Experiment } from "../../src/operators/experiment/open-experiment.ts";
import { fillingOf } from "../../src/runs/filling.ts";
import { RunStatus } from "../../src/runs/run-status.ts";

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
const stateOf = (...events: readonly RecordedEvent[]) => events.reduce(reduce, initialState);

describe("the status of a run that begins", () => {
  it("fills its buffer by whole generations, at the speed so far, until it trains", () => {
    const playing = [started, progress(0, 1), progress(10, 2), progress(110, 12)];
    // 250 games are there after three generations of 100; 190 are left at ten a second.
    expect(fillingOf(experiment, stateOf(...playing))).toEqual({ done: 110, total: 300, secondsLeft: 19 });
    // The checkpoint of a net that has learned nothing ends nothing.
    const saved = (learned: number): RecordedEvent => ({
      type: "checkpoint",
      stage: "saved",
      path: "",
      learned,
      unit: "steps",
      ...at(13),
    });
    expect(fillingOf(experiment, stateOf(...playing, saved(0)))).toMatchObject({ done: 110, total: 300 });
    expect(fillingOf(experiment, stateOf(...playing, saved(5)))).toBeUndefined();
    expect(fillingOf(experiment, stateOf(...playing, training))).toBeUndefined();
    expect(fillingOf(experiment, stateOf(started, progress(300, 30)))).toBeUndefined();
    const ended: RecordedEvent = { type: "run-ended", outcome: "interrupted", ...at(13) };
    expect(fillingOf(experiment, stateOf(...playing, ended))).toBeUndefined();
  });

  const statusOf = (...events: readonly RecordedEvent[]) =>
    new RunStatus({ experiment, state: stateOf(...events), recorded: () => 0 });
  const noReport = (): never => {
    throw new Error("the sentence was taken from the report");
  };
  const whole = (share: number, now?: RunProgress["now"]): RecordedEvent => ({
    type: "run-progress",
    share,
    ...(now === undefined ? {} : { now }),
    ...at(80),
  });

  it("says so, with a stranger's name as its text and the time left as finely as it is read", () => {
    const filling = statusOf(started, progress(0, 1), progress(10, 2), progress(20, 12));
    expect(filling.condition(true)).toBe("filling");
    expect(filling.sentence("<i>", "filling", noReport)).toBe(
      "<b>&lt;i&gt;</b> is filling its buffer with 20 of 300 games: training begins in about <b>5 min</b>.",
    );
    expect(statusOf(started).sentence("a", "filling", noReport)).toMatch(
      /training begins after <b>300<\/b> games/,
    );
  });

  it("waits until it has emitted something, and is silent if its process is gone", () => {
    const plain = { ...experiment, graph: {} };
    const conditionOf = (...events: readonly RecordedEvent[]) =>
      new RunStatus({ experiment: plain, state: stateOf(...events), recorded: () => 0 }).condition(true);
    expect(conditionOf(started)).toBe("waiting");
    expect(conditionOf(started, progress(0, 1))).toBe("running");
    expect(statusOf(started).condition(false)).toBe("silent");
    const ended: RecordedEvent = { type: "run-ended", outcome: "interrupted", ...at(13) };
    expect(statusOf(started, ended).condition(false)).toBe("interrupted");
  });

  it("says how far a run is that has no result yet", () => {
    const now = { stage: "weights", done: 400, total: 20_800, unit: "steps" };
    expect(statusOf(started, training, whole(0.02, now)).sentence("a<b", "running", noReport)).toBe(
      "<b>a&lt;b</b> is at <b>400</b> of 20,800 steps; no match was played yet.",
    );
    expect(statusOf(started, training, whole(0.029)).sentence("ab", "running", noReport)).toBe(
      "<b>ab</b> is at <b>2%</b> of its time; no match was played yet.",
    );
  });

  it("takes the sentence of a run that has ended without a result from its report", () => {
    const ended: RecordedEvent = { type: "run-ended", outcome: "finished", ...at(90) };
    const status = statusOf(started, training, whole(1), ended);
    const data = { folder: "", name: "zero", manifest: {}, events: [] };
    expect(status.sentence("zero", "finished", () => data)).toBe("Nothing was measured yet.");
    expect(status.result).toBeUndefined();
    expect(status.curve).toEqual([]);
  });

  it("says in short what the newest match gave, and gives the curve to it", () => {
    const shares = (value: number) => ({ games: 20, value, interval: [value - 0.1, value + 0.1] as const });
    const match = (learned: number, value: number): RecordedEvent => ({
      type: "match",
      stage: "m",
      learned,
      unit: "steps",
      agents: ["a", "b"].map((agent, i) => ({
        agent,
        games: 20,
        mean: Math.abs(i - value),
        interval: [0, 1] as const,
        returns: Array.from({ length: 20 }, (_, game) => (game < 20 * Math.abs(i - value) ? 1 : 0)),
        facts: {},
      })),
      contest: {
        players: 2,
        games: 20,
        distinct: 20,
        standings: ["a", "b"].map((agent, i) => ({
          agent,
          wins: shares(Math.abs(i - value)),
          fair: 0.5,
          rating: { value: 0, interval: [0, 0] as const },
          bySeat: [],
        })),
        pairs: [],
        seats: [],
        failures: [],
      },
      ...at(90),
    });
    const status = statusOf(started, training, match(1, 0.5), match(1000, 0.75));
    expect(status.sentence("zero", "running", noReport)).toBe(
      "After 1,000 steps <b>a</b> wins <b>75.0%</b> <small>[65, 85]</small> of its games against <b>b</b>.",
    );
    expect(status.result).toMatchObject({ agent: "a", stage: "m", learned: 1000, value: 0.75 });
    expect(status.curve.map(({ learned, value }) => [learned, value])).toEqual([
      [1, 0.5],
      [1000, 0.75],
    ]);
  });
});
