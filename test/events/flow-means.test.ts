import { describe, expect, it } from "vitest";
import { type FlowEvent, isFlow, type StageFlow } from "../../src/events/flow-event.ts";
import { FlowMeans, joinedFlows } from "../../src/events/flow-means.ts";

const stage = (name: string, seconds: number, worked: number, more: Partial<StageFlow> = {}): StageFlow => ({
  type: "stage-flow",
  stage: name,
  seconds,
  worked,
  waited: 0,
  held: 0,
  itemsIn: 1,
  itemsOut: 2,
  readers: 1,
  ...more,
});

describe("FlowMeans", () => {
  it("emits every five seconds in the first minute, then every minute, and the rest at the end", () => {
    const means = new FlowMeans();
    const sums = Array.from(
      { length: 200 },
      (_, i) => [i + 1, means.add(stage("a", 1, 0.5))] as const,
    ).filter(([, event]) => event !== undefined);
    expect(sums.map(([second]) => second)).toEqual([5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 120, 180]);
    expect(sums.at(-1)![1]).toEqual(stage("a", 60, 30, { itemsIn: 60, itemsOut: 120 }));
    expect(means.rest()).toEqual([stage("a", 20, 10, { itemsIn: 20, itemsOut: 40 })]);
    expect(means.rest()).toEqual([]);
  });

  it("keeps to the rhythm if seconds are not exact, and neither loses nor invents time", () => {
    const means = new FlowMeans();
    const events: FlowEvent[] = [];
    for (let i = 0; i < 500; i++) {
      const event = means.add(stage("a", i % 2 === 0 ? 0.97 : 1.04, 0.1));
      if (event !== undefined) events.push(event);
    }
    expect(events.filter(({ seconds }) => Math.abs(seconds - 5) > 0.6 && Math.abs(seconds - 60) > 1)).toEqual(
      [],
    );
    const all = [...events, ...means.rest()].reduce((sum, { seconds }) => sum + seconds, 0);
    expect(all).toBeCloseTo(250 * (0.97 + 1.04), 3);
  });

  it("keeps stages, thread groups, evaluators and buffers apart", () => {
    const means = new FlowMeans();
    const threads = (group: string): FlowEvent => ({
      type: "threads-flow",
      group,
      threads: 2,
      seconds: 1,
      worked: 1,
      waited: 0.5,
    });
    for (const flow of [stage("a", 1, 1), stage("b", 2, 1), threads("a"), threads("b"), threads("b")])
      means.add(flow);
    expect(means.rest()).toEqual([
      stage("a", 1, 1),
      stage("b", 2, 1),
      threads("a"),
      { ...threads("b"), seconds: 2, worked: 2, waited: 1 },
    ]);
  });

  it("knows that a stage plays, also after a resumption in which it had no games left", () => {
    const flows = [stage("a", 3, 3, { holds: 8, bound: 16 }), stage("a", 1, 0)];
    expect(joinedFlows(flows[0]!, flows[1]!)).toMatchObject({ seconds: 4, holds: 6, bound: 16 });
  });

  it("adds counts, weighs what is held by time, and takes the greatest memory and the latest state", () => {
    const means = new FlowMeans();
    const joined = (...flows: readonly FlowEvent[]) => {
      for (const flow of flows) means.add(flow);
      return means.rest()[0];
    };
    expect(
      joined(stage("a", 1, 1, { holds: 10, bound: 20 }), stage("a", 3, 0, { holds: 2, bound: 20 })),
    ).toMatchObject({ holds: 4, bound: 20 });
    // A stage that holds nothing at first.
    expect(joined(stage("a", 1, 1), stage("a", 1, 0, { holds: 2, bound: 4 }))).toMatchObject({ holds: 1 });
    const machine = {
      type: "machine-flow",
      cores: 2,
      processor: 0.5,
      idle: 1,
      memory: 100,
      heap: 7,
    } as const;
    expect(joined({ ...machine, seconds: 1 }, { ...machine, seconds: 1, memory: 60, heap: 9 })).toEqual({
      ...machine,
      seconds: 2,
      processor: 1,
      idle: 2,
      memory: 100,
      heap: 9,
    });
    const machines = [{ name: "a:1", places: 2, playing: 2, games: 9, rate: 3 }];
    const fleet = { type: "fleet-flow", seconds: 1, places: 2, waiting: 0, machines } as const;
    expect(
      joined({ ...fleet, joiners: 2, games: 3, left: ["b:1"] }, { ...fleet, joiners: 1, games: 4, left: [] }),
    ).toEqual({ ...fleet, seconds: 2, joiners: 1, games: 7, left: ["b:1"] });
    const evaluator = { type: "evaluator-flow", evaluator: "e", net: "n", threads: 1, seconds: 1 } as const;
    expect(
      joined(
        { ...evaluator, batches: 3, rows: 9, busy: 0.25, sizes: [1, 1, 1], versions: 1 },
        { ...evaluator, batches: 1, rows: 40, busy: 0.5, sizes: [0, 0, 0, 0, 0, 1], versions: 2 },
      ),
    ).toEqual({
      ...evaluator,
      seconds: 2,
      batches: 4,
      rows: 49,
      busy: 0.75,
      sizes: [1, 1, 1, 0, 0, 1],
      versions: 2,
    });
    const computed = { ...evaluator, batches: 1, rows: 1, busy: 0, sizes: [1], versions: 1 } as const;
    const checked = (rows: number, largest: number) => ({ ...computed, checked: { rows, largest } });
    const twice = { ...computed, seconds: 2, batches: 2, rows: 2, sizes: [2] };
    expect(joined(checked(3, 2e-6), checked(4, 1e-6))).toEqual({
      ...twice,
      checked: { rows: 7, largest: 2e-6 },
    });
    expect(joined(computed, checked(4, 1e-6))).toEqual({ ...twice, checked: { rows: 4, largest: 1e-6 } });
    const buffer = { type: "buffer-flow", stage: "b", seconds: 1 } as const;
    expect(
      joined(
        { ...buffer, examples: 5, ages: { mean: 1, oldest: 3 } },
        { ...buffer, examples: 8, ages: { mean: 2, oldest: 4 } },
      ),
    ).toEqual({ ...buffer, seconds: 2, examples: 8, ages: { mean: 2, oldest: 4 } });
  });
});

it("distinguishes flows from other events", () => {
  expect(isFlow(stage("a", 1, 1))).toBe(true);
  expect(isFlow({ type: "progress" })).toBe(false);
  expect(isFlow({ type: "toString" })).toBe(false);
});
