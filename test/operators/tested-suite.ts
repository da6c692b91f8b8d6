import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";

/** In each a single move keeps the value: a win in the second and the third, a draw in the others. */
const suite = `position,moves,side,outcome
3/x1o/x2 o,a3,second,0
o1x/x2/xo1 o,b2,second,1
1xx/3/o2 o,a3,second,1
x2/oo1/x2 x,c2,first,0
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

/** Writes an experiment with a suite beside a learner, and the suite; returns the path of the experiment. */
export function writtenSuite(): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, "suite.csv"), suite);
  return writeExperiment(folder, experiment);
}
