import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resumeRun, startRun } from "../../graph/tiny-run.ts";
import { writtenSuite } from "../../operators/tested-suite.ts";

describe("the stage test-suite", () => {
  it("gives shares by group and the errors of values by outcome, also after a crash", async () => {
    const folder = join(scratchFolder(), "run");
    const set = [
      "graph.suite.by=[side]",
      "graph.suite.values=true",
      "graph.suite.agents=[exact, alone, random]",
    ];
    const copy = join(scratchFolder(), "run");
    const events: RunEvent[] = [];
    await startRun(writtenSuite(), folder, set, {
      onEvent: (event) => {
        events.push(event);
        const amid = event.type === "progress" && event.stage === "suite" && event.done === 2;
        if (amid && !existsSync(copy)) cpSync(folder, copy, { recursive: true });
      },
    });
    const rounds = events.filter((event) => event.type === "suite");
    expect(rounds.length).toBeGreaterThan(1);
    for (const { agents } of rounds) {
      const [exact, alone, random] = agents;
      expect(exact!.groups!.map(({ group, positions, right }) => [group, positions, right])).toEqual([
        ["first", 1, 1],
        ["second", 3, 3],
      ]);
      expect(exact!.valueErrors!.map(({ outcome, positions, value }) => [outcome, positions, value])).toEqual(
        [
          [1, 2, 0],
          [0, 2, 0],
        ],
      );
      // Tanh keeps the values of a net within -1 and 1.
      for (const { outcome, value } of alone!.valueErrors!) {
        expect(value).toBeGreaterThan(0);
        expect(value).toBeLessThan((1 + Math.abs(outcome)) ** 2);
      }
      expect(random!.groups).toHaveLength(2);
      expect(alone!.groups!.reduce((sum, { right }) => sum + right, 0)).toBe(alone!.right);
    }
    await resumeRun(copy);
    const all = readMetrics(metricsPath(copy)).flatMap((event) =>
      event.type === "suite" ? [event.agents] : [],
    );
    expect(all).toEqual(rounds.map(({ agents }) => agents));
  });
});
