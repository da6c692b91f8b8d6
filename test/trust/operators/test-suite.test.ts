import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent, SuiteResult } from "../../../src/events/event.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resumeRun, startRun } from "../../graph/tiny-run.ts";
import { writtenSuite } from "../../operators/tested-suite.ts";

const told = (events: readonly RunEvent[]) =>
  events.filter((event): event is SuiteResult => event.type === "suite");

describe("the stage test-suite beside a learner", () => {
  it("tests along the learning, exact players once, and goes on after a stop with the same figures", async () => {
    const file = writtenSuite();
    const events: RunEvent[] = [];
    await startRun(file, join(scratchFolder(), "whole"), [], { onEvent: (event) => events.push(event) });
    const rounds = told(events);
    expect(rounds.map(({ learned }) => learned)).toEqual([0, 4, 6]);
    for (const { agents } of rounds) {
      expect(agents.map(({ agent }) => agent)).toEqual(["alone", "exact", "random"]);
      expect(agents[1]!.right).toBe(4);
      expect(agents[2]).toEqual(rounds[0]!.agents[2]);
    }

    // A stop in the second round, and the rest later.
    const folder = join(scratchFolder(), "parts");
    const parts: RunEvent[] = [];
    let decided = 0;
    await startRun(file, folder, [], {
      onEvent: (event, stop) => {
        parts.push(event);
        if (event.type === "progress" && event.stage === "suite" && ++decided === 14) stop.request();
      },
    });
    expect(told(parts)).toHaveLength(1);
    const before = decided;
    await resumeRun(folder, {
      onEvent: (event) => {
        parts.push(event);
        if (event.type === "progress" && event.stage === "suite") decided++;
      },
    });
    // A round that is repeated after a stop tells the same again.
    const figures = (of: readonly RunEvent[]) =>
      new Map(told(of).map(({ agents, learned }) => [learned, agents]));
    expect(figures(parts)).toEqual(figures(events));
    // 12 decisions of the first round, and 4 of the net in each later one; few are made again.
    expect(before).toBeGreaterThanOrEqual(14);
    expect(decided).toBeLessThan(12 + 4 + 4 + 4);
  });
});
