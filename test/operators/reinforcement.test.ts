import { describe, expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";

const experiment = `
name: reinforced
seed: 4
game: { rules: tic-tac-toe }
nets:
  before: { use: mlp, hidden: [4], policy: true }
  policy: { use: mlp, hidden: [4], policy: true }
  other: { use: mlp, hidden: [5], policy: true }
  value: { use: mlp, hidden: [4] }
  table: { use: linear }
agents:
  learner: { use: gumbel, net: before, simulations: 4 }
  sampler: { use: policy, net: policy }
  greedy: { use: policy, net: policy, temperature: 0 }
  searcher: { use: gumbel, net: policy, simulations: 4 }
graph:
  games: { use: self-play, agent: learner, games: 8, generation: 8, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 8 }
  supervised: { use: trainer, from: replay, net: before, batch: 8, steps: 4, rate: 0.01, loss: { use: alphazero } }
  reinforced: { use: reinforcement, from: supervised, net: policy, agent: sampler, steps: 10, rate: 0.01 }
`;

describe("a reinforcement stage", () => {
  it.each<[readonly string[], RegExp | undefined]>([
    [[], undefined],
    [["agent=nobody"], /reinforced\.agent: no agent "nobody"/],
    [["agent=learner"], /reinforced\.agent: "learner" must draw its moves from the policy .* use: policy/],
    [["agent=searcher"], /reinforced\.agent: "searcher" must draw its moves/],
    [["agent=greedy"], /reinforced\.agent: "greedy" must draw its moves .* temperature: 1/],
    [["net=other"], /reinforced\.agent: "sampler" plays with "policy", and this stage learns "other"/],
    [["net=other"], /reinforced\.from: "other" cannot start from the weights of "before"/],
    [["net=table"], /reinforced\.net: "table" is not a net for gradient descent/],
    [["net=value"], /reinforced\.net: "value" has no policy to learn/],
    [["from=games"], /reinforced\.from: reinforcement reads weights here/],
    [["rate=[{ value: 1 }, { value: 2 }]"], /reinforced\.rate: every entry but the last has an until/],
    [["baseline={ use: value-net, net: nobody }"], /reinforced\.baseline\.net: no net "nobody"/],
    [["baseline={ use: value-net, net: value }"], /reinforced\.baseline\.net: "value" predicts returns/],
    [
      ["baseline={ use: value-net, net: value }", "nets.value.values=win-loss"],
      /reinforced\.baseline\.net: "value" has no weights of its own/,
    ],
    [["game={ rules: 2048 }"], /reinforced\.agent: 2048 is played alone/],
  ])("is checked with %s", (set, says) => {
    const file = writeExperiment(scratchFolder(), experiment);
    const changed = set.map((each) => (/^(nets|game)[.=]/.test(each) ? each : `graph.reinforced.${each}`));
    const check = () => checkGraph(readExperiment(file, changed));
    if (says === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(says);
  });
});
