import { describe, expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";

const experiment = `
name: valued
seed: 4
game: { rules: tic-tac-toe }
nets:
  policy: { use: mlp, hidden: [4], policy: true }
  value: { use: mlp, hidden: [4], values: win-loss }
  share: { use: mlp, hidden: [4], values: win-share }
  table: { use: linear }
agents:
  sampler: { use: policy, net: policy }
  uniform: { use: random }
graph:
  games: { use: value-games, first: uniform, then: sampler, games: 40, longest: 5 }
  selfish: { use: self-play, agent: uniform, games: 4, generation: 4, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 40 }
  train: { use: trainer, from: replay, net: value, batch: 8, steps: 4, rate: 0.01 }
  error: { use: value-error, games: games, nets: [value], rollouts: [{ agent: uniform, count: 4 }] }
`;

describe("stages of value nets", () => {
  it.each<[readonly string[], RegExp | undefined]>([
    [[], undefined],
    [["games.first=nobody"], /games\.first: no agent "nobody"/],
    [["games.then=nobody"], /games\.then: no agent "nobody"/],
    [["games.generation=7"], /games\.generation: 40 games cannot be divided into generations of 7/],
    [["games.longest=0"], /games\.longest/],
    [["train.net=share"], /train\.net: "share" predicts win-share .* played for win-loss/],
    [["games.values=win-share"], /error\.values: the examples of these games have win-share/],
    [["games.heldOut=0"], /error\.games: none of these games are held out/],
    [["error.games=selfish"], /error\.games: none of these games are held out/],
    [["error.games=null"], /error: give either games or a collection/],
    [["error.nets=[nobody]"], /error\.nets\.0: no net "nobody"/],
    [["error.nets=[value, table]"], /error\.nets\.1: "table" has no value head to measure/],
    [
      ["error.nets=[share]"],
      /error\.nets\.0: "share" predicts win-share, and errors are measured of win-loss/,
    ],
    [["error.nets=[]", "error.rollouts=[]"], /error\.nets: nothing is measured/],
    [["error.nets=[]"], undefined],
    [["error.rollouts=[{ agent: nobody }]"], /error\.rollouts\.0\.agent: no agent "nobody"/],
    [["error.rollouts=[{ agent: uniform }, { agent: uniform }]"], /error\.rollouts: an agent is named twice/],
  ])("are checked with %s", (set, says) => {
    const file = writeExperiment(scratchFolder(), experiment);
    const changed = set.map((each) => `graph.${each}`);
    const check = () => checkGraph(readExperiment(file, changed));
    if (says === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(says);
  });

  it("are refused in a game with moves of chance", () => {
    const file = writeExperiment(scratchFolder(), experiment);
    const check = () => checkGraph(readExperiment(file, ["game={ rules: 2048 }"]));
    expect(check).toThrow(/games: 2048 has moves of chance/);
    expect(check).toThrow(/error: 2048 has moves of chance, and rollouts cannot begin at a position/);
  });
});
