import { describe, expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";
import { warmed } from "./warmed-self-play.ts";

describe("self-play with a warm start", () => {
  it.each<[string, RegExp]>([
    ["warmStart.agent=nobody", /games\.warmStart\.agent: no agent "nobody"/],
    ["warmStart.agent=learner", /games\.warmStart\.agent: the agent "learner" has a net/],
    ["warmStart.games=13", /games\.warmStart\.games: the whole run has 12 games only/],
    [
      "examples={ use: alphazero, resultWeight: [{ value: 1 }, { value: 0 }] }",
      /games\.examples\.resultWeight: every entry but the last has an until/,
    ],
    [
      "examples={ use: alphazero, values: { solver: { fromPly: 2 } } }",
      /games\.examples\.values: tic-tac-toe has no solver: leave values out/,
    ],
    ["examples={ use: td }", /games\.warmStart: only examples "alphazero" can be made/],
  ])("refuses %s", (set, says) => {
    const file = writeExperiment(scratchFolder(), warmed);
    expect(() => checkGraph(readExperiment(file, [`graph.games.${set}`]))).toThrow(says);
  });
});

describe("self-play that learns what a search samples", () => {
  const sampling = `name: sampling
seed: 1
game: { rules: tic-tac-toe }
nets: { zero: { use: residual, filters: 2, blocks: 1, valueUnits: 2 } }
agents: { learner: { use: mc-softmax, net: zero, simulations: 4 } }
graph:
  games: { use: self-play, agent: learner, games: 2, generation: 1, examples: { use: search-samples } }
`;

  it("needs an agent that samples", () => {
    const file = writeExperiment(scratchFolder(), sampling);
    expect(() => checkGraph(readExperiment(file, []))).toThrow(
      /games\.examples: "learner" samples no positions: give agents\.learner the option samples/,
    );
    expect(() => checkGraph(readExperiment(file, ["agents.learner.samples=1"]))).not.toThrow();
  });
});

describe("self-play against a pool of earlier selves", () => {
  const pooled = warmed.replace("warmStart: { agent: teacher, games: 8 }", "pool: { share: 0.5, size: 4 }");

  it.each<[readonly string[], RegExp | undefined]>([
    [[], undefined],
    [
      ["graph.games.agent=teacher"],
      /games\.pool: the agent "teacher" has no net, so it has no earlier selves/,
    ],
    [
      ["graph.games.examples={ use: search-samples }"],
      /games\.pool: examples "search-samples" do not record which player's search they are from/,
    ],
    [
      ["graph.games.pool.size=12"],
      /games\.pool\.size: the games are played with up to 13 versions of "zero" at once, and its evaluator holds 12; .* versions: 13 }/,
    ],
    [
      ["graph.games.pool.size=12", "graph.evaluator={ use: batch-evaluator, net: zero, versions: 13 }"],
      undefined,
    ],
    [
      ["game={ rules: 2048 }", "graph.games.examples={ use: td }"],
      /games\.pool: no seat is left for an earlier self in 2048/,
    ],
  ])("is checked with %s", (set, says) => {
    const file = writeExperiment(scratchFolder(), pooled);
    const check = () => checkGraph(readExperiment(file, set));
    if (says === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(says);
  });
});
