import { describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../../src/events/event.ts";
import type { FleetFlow } from "../../../src/events/flow-event.ts";
import { initialState, reduce } from "../../../src/events/run-state.ts";
import { flowView } from "../../../src/web/server/flow-view.ts";

const uses = { games: "self-play", learn: "trainer" };
const handed = () => 3;

/** A second of a run in which one stage works and the other one waits for it. */
function second(elapsed: number, busy: "games" | "learn"): RecordedEvent[] {
  const time = new Date(1000 * elapsed).toISOString();
  const stage = (name: string, worked: boolean, more: object) =>
    ({
      type: "stage-flow",
      stage: name,
      seconds: 1,
      worked: worked ? 1 : 0,
      waited: worked ? 0 : 1,
      held: 0,
      itemsIn: 0,
      itemsOut: 1,
      readers: 1,
      ...more,
      time,
      elapsed,
    }) as RecordedEvent;
  const threads = (group: string, worked: number): RecordedEvent => ({
    type: "threads-flow",
    group,
    seconds: 1,
    threads: 1,
    worked,
    waited: 0,
    time,
    elapsed,
  });
  return [
    stage("games", busy === "games", { holds: busy === "games" ? 8 : 0, bound: 8 }),
    stage("learn", busy === "learn", {}),
    threads("players", busy === "games" ? 1 : 0),
    threads("learn", busy === "learn" ? 1 : 0),
  ];
}

/** What is seen of a run that played for a minute, and in which training has been slow for some seconds since. */
function seenAfter(slow: number, played = 60) {
  const flows = Array.from({ length: played + slow }, (_, i) =>
    second(1 + i, i < played ? "games" : "learn"),
  ).flat();
  const state = flows.reduce(reduce, initialState);
  const since = (seconds: number) => flows.filter(({ elapsed }) => elapsed > state.elapsed - seconds);
  return flowView({ now: since(60), latest: since(10), whole: false }, state, { uses, handed });
}

describe("what flows now", () => {
  it("names a stage that has become slow within five seconds", () => {
    expect(seenAfter(0).sentence).toMatch(/^The games hold the run up/);
    expect(seenAfter(5).sentence).toMatch(/^In the last seconds: "learn" \(trainer\) holds the run up/);
  });

  it("stays with the figures of the minute if the same stage holds the run up now", () => {
    expect(seenAfter(50).sentence).toMatch(
      /^"learn" \(trainer\) holds the run up: it worked 83% of the time/,
    );
  });

  it("shows what lies between a stage and its readers, and how much it has handed over", () => {
    const [games] = seenAfter(0).stages;
    expect(games).toMatchObject({ holds: 8, bound: 8, worked: 1, handed: 3 });
  });

  it("says why a stage has failed", () => {
    const ended: RecordedEvent = {
      type: "run-ended",
      outcome: "failed",
      message: 'stage "learn": the loss is not a number',
      time: "2026-01-01T00:00:00.000Z",
      elapsed: 2,
    };
    const flows = second(1, "learn");
    const state = [...flows, ended].reduce(reduce, initialState);
    const view = flowView({ now: flows, latest: [], whole: true }, state, { uses, handed });
    expect(view.stages.map(({ failed }) => failed)).toEqual([undefined, "the loss is not a number"]);
  });
});

const machine = (name: string, games: number) => ({ name, places: 8, playing: 6, games, rate: 2 });
const fleet = (flow: Partial<FleetFlow>, elapsed: number) =>
  ({
    type: "fleet-flow",
    seconds: 2,
    joiners: 2,
    places: 16,
    waiting: 5,
    games: 4,
    machines: [machine("lab-07:1", 40), machine("lab-09:2", 30)],
    left: [],
    ...flow,
    elapsed,
  }) as unknown as RecordedEvent;

const viewOf = (...now: RecordedEvent[]) =>
  flowView({ now, latest: now, whole: false }, initialState, { uses, handed });

it("shows the machines of a fleet as they are now, and what they did in the window of time", () => {
  expect(
    viewOf(fleet({ left: ["lab-02:3"] }, 2), fleet({ games: 6, joiners: 1, waiting: 0 }, 4)).fleet,
  ).toEqual({
    joiners: 1,
    places: 16,
    waiting: 0,
    gamesPerSecond: 2.5,
    machines: [machine("lab-07:1", 40), machine("lab-09:2", 30)],
    left: ["lab-02:3"],
  });
});

it("has no fleet for a run without one", () => {
  expect("fleet" in viewOf()).toBe(false);
});
