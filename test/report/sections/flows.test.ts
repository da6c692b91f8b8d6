import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import type { FlowEvent } from "../../../src/events/flow-event.ts";
import { markup } from "../../../src/figures/markup.ts";
import { coarser, flowsOf, totals } from "../../../src/report/run-flows.ts";
import { flowsSection } from "../../../src/report/sections/flows.ts";
import { timed } from "../example-run.ts";

const run = (...events: readonly (readonly [elapsed: number, event: RunEvent])[]) => ({
  name: "flows",
  folder: ".",
  manifest: {},
  events: events.map(([elapsed, event]) => timed(elapsed, event)),
});

/** What flowed in one interval of a run that learns. */
const interval = (elapsed: number, seconds: number, games: number): [number, FlowEvent][] => {
  const stage = { type: "stage-flow", seconds, held: 0, itemsOut: 1, readers: 1 } as const;
  return [
    [
      elapsed,
      {
        ...stage,
        stage: "games",
        worked: games * seconds,
        waited: (1 - games) * seconds,
        itemsIn: 0,
        holds: 64 * games,
        bound: 64,
      },
    ],
    [
      elapsed,
      { ...stage, stage: "learn", worked: (1 - games) * seconds, waited: games * seconds, itemsIn: 1 },
    ],
    [
      elapsed,
      { type: "threads-flow", group: "players", threads: 2, seconds, worked: games * seconds, waited: 0.5 },
    ],
    [
      elapsed,
      { type: "threads-flow", group: "learn", threads: 1, seconds, worked: (1 - games) * seconds, waited: 0 },
    ],
    [
      elapsed,
      {
        type: "evaluator-flow",
        evaluator: "evaluator_of_zero",
        net: "zero",
        threads: 2,
        seconds,
        batches: 30,
        rows: 300,
        busy: games * seconds,
        sizes: [0, 5, 0, 25],
        versions: 1,
      },
    ],
    [
      elapsed,
      {
        type: "buffer-flow",
        stage: "replay",
        seconds,
        examples: 100 * elapsed,
        ages: { mean: elapsed / 20, oldest: Math.floor(elapsed / 5) },
      },
    ],
    [
      elapsed,
      { type: "machine-flow", seconds, processor: 1.8 * seconds, idle: 0, cores: 2, memory: 1e9, heap: 1e8 },
    ],
  ];
};

const learning = run(...interval(5, 5, 0.2), ...interval(10, 5, 0.4), ...interval(12, 2, 1));

describe("the section on working times", () => {
  it("is left out for runs of earlier versions, which record no flows", () => {
    expect(flowsSection(run([1, { type: "note", level: "info", message: "hello" }]))).toBeUndefined();
  });

  it("says what holds the run up, draws a lane for each part, batches, memory and ages", () => {
    const section = flowsSection(learning)!;
    const text = String(markup`${section.body}`);
    expect(text).toContain("&quot;learn&quot; holds the run up: it worked 58% of the time");
    for (const id of ["flow-lanes", "batch-sizes", "memory", "buffer-ages"])
      expect(text).toContain(`<figure id="${id}">`);
    for (const lane of ["games", "learn", "2 threads that play", "1 thread of learn", "net zero", "2 cores"])
      expect(text).toContain(`>${lane}</text>`);
    // The first size with any batch is the first class.
    expect(text).toMatch(/>2–3<\/text>/);
    expect(text).not.toMatch(/>1<\/text><text class="tick"[^>]*>2–3/);
    const tables = Object.fromEntries(section.tables.map((table) => [table.name, table.rows]));
    expect(Object.keys(tables)).toEqual(["flows", "flow-totals", "batch-sizes", "machine", "buffers"]);
    expect(tables["flow-totals"]).toEqual([
      ["games", 41.67, 58.33, 0, 0, 3, 26.666666666666668, 64],
      ["learn", 58.33, 41.67, 0, 3, 3, null, null],
      ["2 threads that play", 20.83, 6.25, null, null, null, null, null],
      ["1 thread of learn", 58.33, 0, null, null, null, null, null],
      ["net zero", 20.83, null, null, null, null, null, null],
      ["2 cores", 90, null, null, null, null, null, null],
    ]);
    expect(tables["flows"]).toHaveLength(6 * 3);
    expect(tables["flows"]![1]).toEqual(["games", 5, 10, 40, 60, 0]);
    expect(tables["batch-sizes"]).toEqual([
      ["zero", 1, 1, 0],
      ["zero", 2, 3, 15],
      ["zero", 4, 7, 0],
      ["zero", 8, 15, 75],
    ]);
    expect(tables["buffers"]!.at(-1)).toEqual(["replay", 12, 1200, null, 0.6, 2]);
  });

  it("shows a run of one interval without lines, and of a net that computed nothing", () => {
    const still = interval(3, 3, 0.5).map(([elapsed, flow]): [number, FlowEvent] => [
      elapsed,
      flow.type === "evaluator-flow" ? { ...flow, batches: 0, rows: 0, busy: 0, sizes: [0, 0] } : flow,
    ]);
    const text = String(markup`${flowsSection(run(...still))!.body}`);
    expect(text).not.toContain('id="memory"');
    expect(text).not.toContain('id="batch-sizes"');
    expect(text).toContain('id="flow-lanes"');
  });

  it("says what was computed again on the CPU, and the largest difference", () => {
    const events = [...interval(5, 5, 1), ...interval(10, 5, 1)].map(
      ([elapsed, flow]): [number, FlowEvent] => [
        elapsed,
        flow.type === "evaluator-flow" ? { ...flow, checked: { rows: 16, largest: elapsed / 1e6 } } : flow,
      ],
    );
    const section = flowsSection(run(...events))!;
    expect(String(markup`${section.body}`)).toContain("Evaluations that were computed again on the CPU");
    expect(section.tables.find(({ name }) => name === "checked-evaluations")!.rows).toEqual([
      ["zero", 600, 32, 1e-5],
    ]);
  });

  it("shows no ages in a run that ended before its first game did", () => {
    const early = [...interval(5, 5, 1), ...interval(10, 5, 1)].map(
      ([elapsed, flow]): [number, FlowEvent] => [
        elapsed,
        flow.type === "buffer-flow" ? { ...flow, examples: 0 } : flow,
      ],
    );
    const text = String(markup`${flowsSection(run(...early))!.body}`);
    expect(text).not.toContain('id="buffer-ages"');
    expect(text).toContain('id="memory"');
  });
});

describe("coarser", () => {
  it("keeps all time and all counts, whatever the number of intervals", () => {
    const all = totals(flowsOf(learning));
    const [games] = flowsOf(learning);
    for (const most of [1, 2, 3, 100]) {
      const joined = coarser(games!, most);
      expect(joined.length).toBeLessThanOrEqual(most);
      expect(joined.at(-1)!.elapsed).toBe(12);
      const sum = joined.reduce((seconds, { flow }) => seconds + flow.seconds, 0);
      expect(sum).toBeCloseTo(12, 12);
    }
    expect(all.stages.map(({ stage, seconds }) => [stage, seconds])).toEqual([
      ["games", 12],
      ["learn", 12],
    ]);
    expect(all.machine).toMatchObject({ seconds: 12, cores: 2 });
    expect(all.machine!.processor).toBeCloseTo(21.6, 12);
  });
});
