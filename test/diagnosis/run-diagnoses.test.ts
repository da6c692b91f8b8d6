import { describe, expect, it } from "vitest";
import type { WatchedStage } from "../../src/diagnosis/detector.ts";
import { diagnosesAfter } from "../../src/diagnosis/run-diagnoses.ts";
import type {
  DecisionMeans,
  DiagnosisFound,
  MatchResult,
  RunEvent,
  SelfPlayFigures,
} from "../../src/events/event.ts";
import { factsOfType, initialState, reduce, type RunState } from "../../src/events/run-state.ts";
import { someMeans } from "../events/decision-means.ts";

const stage: WatchedStage = {
  planned: 1000,
  generation: 100,
  players: 2,
  returnBounds: [0, 1],
  fresh: true,
  random: new Set(["random"]),
  learners: new Set(["player"]),
  expected: undefined,
};

/** What a run finds along its events, each with what it finds after it in the state, as `metrics.jsonl` has it. */
function found(
  events: readonly RunEvent[],
  watched: Partial<WatchedStage> = {},
  before: RunState = initialState,
): { readonly names: string[]; readonly state: RunState } {
  let state = before;
  const names: string[] = [];
  const take = (event: RunEvent) =>
    (state = reduce(state, { time: "2026-01-01T00:00:00Z", elapsed: 1, ...event }));
  for (const event of events) {
    take(event);
    for (const diagnosis of diagnosesAfter(event, state, { ...stage, ...watched })) {
      take(diagnosis);
      names.push(diagnosis.name);
    }
  }
  return { names, state };
}

/** A healthy third of a game with nine moves, as AlphaZero on Connect Four has it. */
const healthy: DecisionMeans = {
  ...someMeans,
  decisions: 300,
  legal: 2,
  visited: 1.8,
  prior: 1.2,
  target: 0.9,
  distance: 0.2,
  tried: 0.8,
  top: 0.5,
  valueError: 0.15,
  constantError: 0.24,
};

/** Ten generations of a hundred games, with all thirds and other figures changed. */
function generations(
  thirds: Partial<DecisionMeans> = {},
  rest: Partial<SelfPlayFigures> = {},
): SelfPlayFigures[] {
  return Array.from({ length: 10 }, (_, i) => ({
    type: "self-play-figures",
    stage: "games",
    learned: 100 * (i + 1),
    unit: "games",
    games: 100,
    distinct: 95,
    draws: 20,
    forced: 10,
    decisions: 910,
    thirds: Array.from({ length: 3 }, () => ({ ...healthy, ...thirds })),
    ...rest,
  }));
}

const losses = (loss: (step: number) => number): RunEvent[] =>
  Array.from({ length: 100 }, (_, i) => ({
    type: "training",
    stage: "weights",
    step: 10 * (i + 1),
    loss: loss(i),
    parts: {},
    rate: 0.01,
  }));

const figures = (name: string, value: number): RunEvent[] =>
  Array.from({ length: 5 }, (_, i) => [
    {
      type: "figure" as const,
      stage: "weights",
      name: "gradient norm",
      value: 1,
      learned: 100 * (i + 1),
      unit: "steps" as const,
    },
    {
      type: "figure" as const,
      stage: "weights",
      name,
      value,
      learned: 100 * (i + 1),
      unit: "steps" as const,
    },
  ]).flat();

function match(learned: number, value: number, distinct = 40): MatchResult {
  const share = (mean: number) => ({ games: 40, value: mean, interval: [mean - 0.1, mean + 0.1] as const });
  const pair = {
    agent: "player",
    against: "random",
    score: share(value),
    elo: { value: 0, interval: [0, 0] as const },
  };
  return {
    type: "match",
    stage: "curve",
    learned,
    unit: "games",
    agents: [],
    contest: { players: 2, games: 40, distinct, standings: [], pairs: [pair], seats: [], failures: [] },
  };
}

const results = (mean: number): RunEvent[] =>
  Array.from({ length: 30 }, (_, i) => ({
    type: "games",
    stage: "games",
    done: 10 * (i + 1),
    count: 10,
    mean,
    min: 0,
    max: 1,
    plies: 20,
  }));

describe("the diagnoses of a run", () => {
  it("find nothing in a run that learns", () => {
    const events = [
      ...generations(),
      ...generations({}, { teacher: { ...healthy, target: 1.2 } }),
      ...losses((i) => 2 - i / 100),
      ...figures("reads of an example", 4),
      ...figures("age of examples, games", 600),
      ...figures("value drift", 0.01),
      ...results(0.6),
      match(100, 0.7),
      match(200, 0.9),
    ];
    expect(found(events).names).toEqual([]);
  });

  it.each([
    ["repeated-games", generations({}, { distinct: 2 })],
    ["repeated-games", [match(0, 0.5, 2)]],
    ["one-move-search", generations({ tried: 0.03, top: 0.8, prior: 1.9 })],
    ["uniform-policy", generations({ prior: 1.95 })],
    ["collapsed-policy", generations({ prior: 0.02 })],
    ["empty-targets", generations({ prior: 1.85, distance: 0.007 })],
    ["noisy-teacher", generations({}, { teacher: { ...healthy, visited: 5.99, target: 5.98 } })],
    ["values-of-noise", generations({ valueError: 0.25 })],
    ["always-draws", generations({}, { draws: 99 })],
    ["always-draws", generations({}, { draws: 85 })],
    ["policy-behind-values", generations({ gain: 0.7 })],
    ["forced-moves", generations({}, { forced: 800 })],
    ["one-sided-results", results(0.995)],
    ["one-sided-results", results(0.005)],
    ["stale-buffer", figures("age of examples, games", 2500)],
    ["over-reading", figures("reads of an example", 150)],
    ["starved-trainer", figures("reads of an example", 0.02)],
    ["frozen-net", figures("value drift", 1e-8)],
    ["frozen-net", losses(() => 2)],
    ["diverging-rate", losses((i) => 2 + i)],
    ["diverging-rate", losses((i) => (i < 3 ? 2 : Number.NaN))],
    ["loses-to-random", [match(100, 0.2), match(200, 0.1)]],
  ] as const)("find %s, once", (name, events: readonly RunEvent[]) => {
    expect(found(events).names).toEqual([name]);
  });

  it("wait until they are sure", () => {
    const after = (events: readonly RunEvent[]) => found(events).names;
    // Half of the run, and three generations that agree.
    const empty = generations({ prior: 1.85, distance: 0.007 });
    expect(after(empty.slice(0, 2))).toEqual([]);
    expect(after(empty.slice(0, 3))).toEqual(["empty-targets"]);
    expect(after([...generations().slice(0, 8), ...empty.slice(8)])).toEqual([]);
    // Players that have learned may draw most of their games, and a teacher's games are not theirs.
    expect(after([...generations().slice(0, 1), ...generations({}, { draws: 85 }).slice(1)])).toEqual([]);
    expect(after(generations({}, { draws: 85, teacher: healthy }))).toEqual([]);
    expect(after(generations({ gain: 0.7, probes: 1 }))).toEqual([]);
    // A net of nine generations is young.
    for (const sick of [{ prior: 1.95 }, { valueError: 0.25 }])
      expect(after(generations(sick).slice(0, 9))).toEqual([]);
    // Three generations of 24 games may be chance.
    const small = Array.from({ length: 12 }, (_, i) => ({
      ...generations({}, { draws: 5, games: 24 })[0]!,
      learned: 84 * (i + 1),
    }));
    const noise = generations({ valueError: 0.25 }, { games: 24 })[0]!.thirds;
    const agreeing = (count: number) =>
      after(small.map((each, i) => (i < 12 - count ? each : { ...each, thirds: noise })));
    expect([3, 4, 5].map((count) => agreeing(count).length)).toEqual([0, 0, 1]);
    // One third that is not uniform is a beginning.
    const [first, ...rest] = generations({ prior: 1.95 })[0]!.thirds;
    const begun = { thirds: [...rest, { ...first!, prior: 1.5 }] };
    expect(after(generations({}, begun))).toEqual([]);
    // A generation of a teacher has no decisions of the learner, and means that are no numbers.
    const none = Object.fromEntries(Object.keys(healthy).map((key) => [key, Number.NaN])) as never;
    expect(after(generations({ ...(none as DecisionMeans), decisions: 0 }))).toEqual([]);
    expect(after([match(100, 0.2), match(200, 0.6)])).toEqual([]);
    expect(after([match(0, 0.2), match(0, 0.2)])).toEqual([]);
    // Few games are no sign of anything.
    expect(after(generations({}, { games: 4, distinct: 1, draws: 4 }))).toEqual([]);
    // Where almost all results are alike, no constant is beaten.
    expect(after(generations({ valueError: 0.001, constantError: 0.0005 }))).toEqual([]);
    // A net that begins with stored weights may have nothing more to learn.
    expect(
      found(
        losses(() => 2),
        { fresh: false },
      ).names,
    ).toEqual([]);
  });

  it("find a run below the band of recorded runs with its whole interval, once", () => {
    const points = [0, 100, 200, 300].map((learned) => ({
      learned,
      value: 50,
      low: 40,
      high: 60,
      elapsed: 1,
    }));
    const expected = {
      settings: "",
      stage: "match",
      agent: "player",
      unit: "games" as const,
      share: false,
      runs: 3,
      seconds: 9,
      points,
    };
    const round = (learned: number, mean: number, unit: "games" | "steps" = "games"): MatchResult => ({
      type: "match",
      stage: "match",
      learned,
      unit,
      agents: [{ agent: "player", games: 9, mean, interval: [mean - 5, mean + 5], returns: [], facts: {} }],
    });
    const after = (rounds: readonly MatchResult[]) => found(rounds, { expected }).names;
    const low = [round(0, 10), round(100, 34), round(200, 30), round(300, 20)];
    expect(after(low)).toEqual(["below-expected"]);
    expect(found(low).names).toEqual([]);
    const [told] = factsOfType(found(low, { expected }).state, "diagnosis");
    expect(told!.learned).toBe(100);
    expect(told!.says).toContain(
      "player reaches 34 (at most 39) after 100 games, where 40 to 60 is expected",
    );
    // Its interval meets the band; a round that was not recorded; another unit.
    expect(after([round(100, 36), round(150, 1), round(200, 1, "steps"), round(300, 70)])).toEqual([]);
  });

  it("tell of each stage by itself", () => {
    const sick = generations({}, { distinct: 1 });
    const two = sick.flatMap((event) => [event, { ...event, stage: "other" }]);
    expect(found(two).state.factCount).toBe(two.length + 2);
  });

  it("are found again by a resumed run that had lost them, and not twice", () => {
    const whole = found(generations({}, { distinct: 2 }));
    const resumed = reduce(whole.state, {
      type: "run-started",
      name: "run",
      seed: 1,
      workers: 1,
      resumed: true,
      compute: "",
      time: "2026-01-01T00:00:00Z",
      elapsed: 2,
    });
    // All but the first generations is lost; the same events follow.
    const again = found(generations({ prior: 1.85, distance: 0.007 }, { distinct: 2 }).slice(3), {}, resumed);
    expect(again.names).toEqual(["empty-targets"]);
    const told: readonly DiagnosisFound[] = factsOfType(again.state, "diagnosis");
    expect(told.map(({ learned, name }) => [name, learned])).toEqual([
      ["repeated-games", 100],
      ["empty-targets", 600],
    ]);
  });
});
