import { expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { equalTimeSection } from "../../../src/report/sections/equal-time.ts";
import type { RunData } from "../../../src/report/run-data.ts";
import { timed } from "../example-run.ts";

const run = (events: readonly RunEvent[]): RunData => ({
  name: "run",
  folder: ".",
  manifest: {},

  experiment: "",
  events: events.map((event, i) => timed(i, event)),
});

it("shows what was measured and fixed, and the lines that fix it elsewhere", () => {
  const event: RunEvent = {
    type: "equal-time",
    stage: "duel",
    reference: "net",
    agents: [
      { agent: "net", measured: [{ decisions: 40, milliseconds: 8, evaluatorMilliseconds: 6 }] },
      {
        agent: "uct",
        simulations: 1234,
        measured: [{ simulations: 300, decisions: 41, milliseconds: 2 }],
      },
      { agent: "random", measured: [{ decisions: 42, milliseconds: 0.001 }] },
    ],
  };
  expect(equalTimeSection(run([]))).toBeUndefined();
  // A resumption tells it again.
  const { body, tables } = equalTimeSection(run([event, event]))!;
  const text = String(body);
  expect(text).toContain(
    "duel: as much processor time a decision as net, 8 ms (6 of evaluators): 1,234 simulations",
  );
  expect(text).toContain("But random takes 0.001 ms a decision");
  expect(text).toContain("agents:\n  uct: { simulations: 1234 }");
  expect(tables).toHaveLength(1);
  expect(tables[0]!.rows).toEqual([
    ["duel", "net", 1, null, 40, 8, 2, 6, null],
    ["duel", "uct", 1, 300, 41, 2, 2, 0, 1234],
    ["duel", "random", 1, null, 42, 0.001, 0.001, 0, null],
  ]);
});
