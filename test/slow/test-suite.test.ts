import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent, SuiteResult } from "../../src/events/event.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { resumeRun, startRun, writeExperiment } from "../graph/tiny-run.ts";

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

const told = (events: readonly RunEvent[]) =>
  events.filter((event): event is SuiteResult => event.type === "suite");

describe("the stage test-suite beside a learner", () => {
  it("tests along the learning, exact players once, and goes on after a stop with the same figures", async () => {
    const file = written();
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
