import { describe, expect, it } from "vitest";
import type { RecordedEvent, RunEvent } from "../../src/events/event.ts";
import {
  factsOf,
  factsOfType,
  newestFacts,
  initialState,
  reduce,
  type RunState,
  speedOf,
} from "../../src/events/run-state.ts";
import { Random } from "../../src/random.ts";
import { started } from "./started.ts";

const progress = (stage: string, done: number): RunEvent => ({
  type: "progress",
  stage,
  done,
  total: 100,
  unit: "games",
});
const pace = (stage: string, waitsFor: string): RunEvent => ({
  type: "pace",
  stage,
  seconds: 1,
  decisions: 0,
  evaluations: 0,
  steps: 0,
  waitsFor,
});
const match = (stage: string, learned: number, mean = 1): RunEvent => ({
  type: "match",
  stage,
  learned,
  unit: "games",
  agents: [{ agent: "a", games: 2, mean, interval: [NaN, Infinity], returns: [mean], facts: {} }],
});
const training = (step: number): RunEvent => ({
  type: "training",
  stage: "learn",
  step,
  loss: 1,
  parts: {},
  rate: 1,
});
const note = (message: string): RunEvent => ({ type: "note", level: "info", message });
const machine = (processor: number): RunEvent => ({
  type: "machine-flow",
  seconds: 1,
  processor,
  idle: 0,
  cores: 2,
  memory: 1,
  heap: 1,
});

/** The events, one a second. */
const recorded = (events: readonly RunEvent[], from = 0): RecordedEvent[] =>
  events.map((event, i) => ({ seq: i + 1, time: `at ${from + i}`, elapsed: from + i, ...event }));
const stateAfter = (events: readonly RunEvent[], state: RunState = initialState) =>
  recorded(events, state.elapsed).reduce(reduce, state);

/** Events as a file gives them back: numbers that JSON does not have are NaN. */
const fromFile = (events: readonly RunEvent[]) =>
  JSON.parse(JSON.stringify(events), (_, value: unknown) => (value === null ? NaN : value)) as RunEvent[];

describe("the state of a run", () => {
  it("has the latest progress of each stage, and its speed in this round", () => {
    const state = stateAfter([started(false), progress("a", 10), progress("b", 1), progress("a", 40)]);
    expect(Object.keys(state.stages)).toEqual(["a", "b"]);
    expect(state.stages["a"]!.progress).toMatchObject({ done: 40 });
    expect(speedOf(state.stages["a"]!, 3)).toBe(15);
    expect(speedOf(state.stages["a"]!, 11)).toBe(3);
    const next = stateAfter([progress("a", 2), progress("a", 8)], state);
    expect(next.stages["a"]!.since).toEqual({ done: 2, elapsed: 3 });
    expect(speedOf(next.stages["a"]!, 4)).toBe(6);
    // Results that have waited for their order come all at once.
    expect(speedOf(next.stages["a"]!, 3.05)).toBe(0);
  });

  it("has the speed of a stage that is done as it was at its end", () => {
    const events: RecordedEvent[] = [progress("games", 0), progress("games", 100)].map((event, i) => ({
      ...event,
      time: "",
      elapsed: 10 * i,
    }));
    const { stages } = events.reduce(reduce, initialState);
    expect([10, 1000].map((elapsed) => speedOf(stages["games"]!, elapsed))).toEqual([10, 10]);
  });

  it("knows a stage that is called as something that every object has", () => {
    const event = { ...pace("constructor", "weights"), time: "", elapsed: 1 } as RecordedEvent;
    expect(reduce(initialState, event).stages).toMatchObject({ constructor: { paces: [event] } });
  });

  it("holds the work of this part of the run, and the results of all parts", () => {
    const first = stateAfter([started(false), progress("a", 10), machine(1), training(5)]);
    expect(first).toMatchObject({ parts: 1, ended: undefined, flows: { "machine-flow": { processor: 1 } } });
    const waiting = stateAfter([pace("a", "games")], first);
    expect(waiting.stages["a"]!.paces).toHaveLength(1);
    const ended = stateAfter([{ type: "run-ended", outcome: "interrupted" }], waiting);
    expect(ended.ended).toMatchObject({ outcome: "interrupted" });
    expect(ended.stages["a"]).toMatchObject({ progress: { done: 10 }, paces: [] });
    const second = stateAfter([started(true), training(6)], ended);
    expect(second).toMatchObject({ parts: 2, ended: undefined, stages: {}, flows: {} });
    expect(second.started).toMatchObject({ resumed: true });
    expect(factsOf(second).map(({ type }) => type)).toEqual([
      "run-started",
      "training",
      "run-ended",
      "run-started",
      "training",
    ]);
  });

  it("keeps the newest progress of the whole run, and of an earlier part its share alone", () => {
    const now = { stage: "a", done: 1, total: 2, unit: "games" };
    const whole = (share: number): RunEvent => ({ type: "run-progress", share, secondsLeft: 60, now });
    const state = stateAfter([started(false), whole(0.1), whole(0.5)]);
    expect(state.progress).toMatchObject({ share: 0.5, secondsLeft: 60, now });
    expect(factsOf(state).map(({ type }) => type)).toEqual(["run-started"]);
    const resumed = stateAfter([{ type: "run-ended", outcome: "interrupted" }, started(true)], state);
    expect(resumed.progress).toEqual({ type: "run-progress", share: 0.5, time: state.progress!.time });
  });

  it("knows which results an earlier part of the run has emitted with the same content", () => {
    const emitted = [started(false), match("a", 1), match("a", 2), match("a", 3), match("b", 3)];
    const first = stateAfter(fromFile(emitted));
    const events = [
      started(true),
      match("a", 2),
      match("a", 3, 5),
      match("b", 3),
      match("b", 3),
      match("a", 4),
    ];
    let state = first;
    const repeats = recorded(events, 10).map((event) => (state = reduce(state, event)).repeats);
    expect(repeats).toEqual([false, true, false, true, true, false]);
    const counting = factsOf(state).flatMap((event) =>
      event.type === "match" ? [[event.stage, event.learned, event.agents[0]!.mean]] : [],
    );
    expect(counting).toEqual([
      ["a", 1, 1],
      ["a", 2, 1],
      ["a", 3, 5],
      ["b", 3, 1],
      ["b", 3, 1],
      ["a", 4, 1],
    ]);
  });

  it("never changes: a state is the same after others have been made from it", () => {
    const first = stateAfter([started(false), progress("a", 1), training(1), training(2), match("a", 1)]);
    const before = [JSON.stringify(first), JSON.stringify(factsOf(first))];
    const one = stateAfter([started(true), training(2), training(3), progress("a", 5), note("x")], first);
    const other = stateAfter([training(7)], first);
    expect([JSON.stringify(first), JSON.stringify(factsOf(first))]).toEqual(before);
    const steps = (state: RunState) => factsOf(state).flatMap((e) => (e.type === "training" ? [e.step] : []));
    expect([steps(first), steps(one), steps(other)]).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 2, 7],
    ]);
  });

  it("counts the same facts as a plain reading of the file, for runs that were killed anywhere", () => {
    const random = Random.named(1, "kills");
    for (let run = 0; run < 200; run++) {
      const events: RunEvent[] = [started(false)];
      let at = 0;
      for (let i = 0; i < 40; i++) {
        at++;
        if (random.below(8) === 0) {
          at = Math.max(0, at - random.below(6));
          events.push(started(true));
        } else if (random.below(3) === 0) events.push(note(`${i}`));
        else events.push(random.below(2) === 0 ? training(at) : match(["a", "b"][random.below(2)]!, at));
      }
      const all = recorded(events);
      const state = all.reduce(reduce, initialState);
      const counting = plainly(all);
      expect(factsOf(state)).toEqual(counting);
      // Those of one type, and the newest of each line, are the same without going through all.
      for (const stage of ["a", "b"])
        expect(factsOfType(state, "match").filter((each) => each.stage === stage)).toEqual(
          counting.filter((each) => each.type === "match" && each.stage === stage),
        );
      const lines = Map.groupBy(counting, (each) => `${each.type} ${"stage" in each ? each.stage : ""}`);
      expect(new Set(newestFacts(state))).toEqual(new Set([...lines.values()].map((line) => line.at(-1)!)));
    }
  });
});

/** The facts that count: at the first of a line after a start, those of the line from that place on are struck out. */
function plainly(events: readonly RecordedEvent[]): RecordedEvent[] {
  const placeOf = (event: RecordedEvent) =>
    event.type === "training" ? event.step : event.type === "match" ? event.learned : undefined;
  const partOf = (i: number) => events.slice(0, i + 1).filter(({ type }) => type === "run-started").length;
  const sameLine = (a: RecordedEvent, b: RecordedEvent) =>
    a.type === b.type && "stage" in a && "stage" in b && a.stage === b.stage;
  const struck = new Set<number>();
  for (const [i, event] of events.entries()) {
    const place = placeOf(event);
    if (place === undefined) continue;
    const before = [...events.keys()].filter((j) => j < i && sameLine(events[j]!, event));
    const latest = before.at(-1);
    if (latest === undefined || partOf(latest) === partOf(i)) continue;
    for (const j of before.filter((k) => !struck.has(k)).toReversed()) {
      if (placeOf(events[j]!)! < place) break;
      struck.add(j);
    }
  }
  return events.filter((_, i) => !struck.has(i));
}
