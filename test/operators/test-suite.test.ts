import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { startRun } from "../graph/tiny-run.ts";
import { writtenSuite } from "./tested-suite.ts";

describe("the stage test-suite", () => {
  it("tells the share of right moves of players without nets, once", async () => {
    const events: RunEvent[] = [];
    const set = [
      "nets.zero=null",
      ...["agents.learner", "agents.alone", "graph.games", "graph.replay", "graph.weights"].map(
        (key) => `${key}=null`,
      ),
      "graph.suite.after=null",
      "graph.suite.agents=[exact, random]",
    ];
    await startRun(writtenSuite(), join(scratchFolder(), "run"), set, {
      onEvent: (event) => events.push(event),
    });
    const [told, ...more] = events.filter((event) => event.type === "suite");
    expect(more).toEqual([]);
    const { agents, positions, uniform } = told!;
    expect(positions).toBe(4);
    // One of 6, 4, 6 and 5 legal moves.
    expect(uniform).toBeCloseTo((1 / 6 + 1 / 4 + 1 / 6 + 1 / 5) / 4, 12);
    expect(agents.map(({ agent }) => agent)).toEqual(["exact", "random"]);
    expect(agents[0]!.right).toBe(4);
    expect(agents[0]!.share.value).toBe(1);
    expect(agents[1]!.right).toBeLessThan(4);
  });

  it.each<[readonly string[], RegExp | undefined]>([
    [[], undefined],
    [["suite.after=null"], undefined],
    [["suite.agents=[nobody]"], /suite\.agents\.0: no agent "nobody"/],
    [["suite.agents=[exact, exact]"], /suite\.agents: an agent is named twice/],
    [["suite.by=[side]", "suite.values=true"], undefined],
    [["suite.by=[colour]"], /suite\.file: test suite .*suite\.csv: the first line names no column "colour"/],
    [["suite.file=none.csv"], /suite\.file: test suite .*none\.csv: cannot be read/],
  ])("is checked with %s", (set, says) => {
    const file = writtenSuite();
    const check = () =>
      checkGraph(
        readExperiment(
          file,
          set.map((each) => `graph.${each}`),
        ),
      );
    if (says === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(says);
  });
});
