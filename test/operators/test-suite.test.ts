import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { startRun, writeExperiment } from "../graph/tiny-run.ts";

/** In each a single move keeps the value: a win in the second and the third, a draw in the others. */
const suite = `position,moves
3/x1o/x2 o,a3
o1x/x2/xo1 o,b2
1xx/3/o2 o,a3
x2/oo1/x2 x,c2
`;

const experiment = `
name: tested
seed: 6
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero: { use: mlp, hidden: [4], policy: true }
agents:
  learner: { use: puct-max-n, net: zero, simulations: 4 }
  alone: { use: policy, net: zero }
  exact: { use: minimax }
  random: { use: random }
graph:
  games: { use: self-play, agent: learner, games: 12, generation: 4, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 8 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 2, rate: 0.1, loss: { use: alphazero } }
  suite: { use: test-suite, after: weights, every: 2, file: suite.csv, agents: [alone, exact, random] }
`;

function written(): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, "suite.csv"), suite);
  return writeExperiment(folder, experiment);
}

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
    await startRun(written(), join(scratchFolder(), "run"), set, { onEvent: (event) => events.push(event) });
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
    [["suite.file=none.csv"], /suite\.file: test suite .*none\.csv: cannot be read/],
  ])("is checked with %s", (set, says) => {
    const file = written();
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
