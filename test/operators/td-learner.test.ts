import { describe, expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { ExperimentInvalid } from "../../src/graph/problem.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";

/** What is wrong with a learner of these settings, on tic-tac-toe and a linear value function or on 2048 and tuples. */
function problemsOf(game: "tic-tac-toe" | "2048", settings: string, agent = "{ use: random }"): string {
  const linear = game === "tic-tac-toe";
  const text = `
name: refused
seed: 1
game: { rules: ${game} }
nets: { value: { use: ${linear ? "linear" : "n-tuple"} } }
agents: { opener: ${agent} }
graph:
  book: { use: uct-openings, agent: opener, openings: 5 }
  learn: { use: td-learner, net: value, games: 10, every: 10, ${settings} }
`;
  try {
    checkGraph(readExperiment(writeExperiment(scratchFolder(), text)));
    return "";
  } catch (error) {
    if (error instanceof ExperimentInvalid) return error.message;
    throw error;
  }
}

describe("the settings of a td-learner stage", () => {
  it.each([
    "step: td, decay: 100, traces: keep, exploration: { use: random-opening }",
    "step: td, exploration: { use: epsilon-greedy }",
    "step: td, openings: book, exploration: { use: uct-opening, order: in-turn }",
  ])("takes a linear value function with %s", (settings) => {
    expect(problemsOf("tic-tac-toe", settings)).toBe("");
  });

  it.each([
    { settings: "lambda: 0.5", says: /graph\.learn\.?(step)?.*step: td/ },
    {
      settings: "step: td, exploration: { use: uct-opening }",
      says: /graph\.learn\.exploration: uct-opening needs the name of a stage that gives openings/,
    },
    {
      settings: "step: td, openings: book",
      says: /graph\.learn\.openings: openings are begun with only by exploration/,
    },
  ])("refuses a linear value function with $settings", ({ settings, says }) => {
    expect(problemsOf("tic-tac-toe", settings)).toMatch(says);
  });

  it.each(["decay: 100", "traces: cut", "exploration: { use: epsilon-greedy }"])(
    "refuses an n-tuple network with %s",
    (settings) => {
      expect(problemsOf("2048", settings)).toMatch(
        new RegExp(`graph\\.learn\\.${settings.split(":")[0]}: an n-tuple network`),
      );
    },
  );

  it("refuses to begin with what is no tile", () => {
    expect(problemsOf("2048", "begin: { tile: 100 }")).toMatch(
      /graph\.learn\.begin: tile: 100 is not a tile/,
    );
  });

  it("refuses several threads on a linear value function", () => {
    expect(problemsOf("tic-tac-toe", "step: td, threads: 2")).toMatch(
      /graph\.learn\.threads: "value" is learned by one/,
    );
  });

  it.each([
    { agent: "{ use: mc-softmax, net: value }", settings: "", says: "" },
    {
      agent: "{ use: uct }",
      settings: "",
      says: /search\.agent: "opener" must play by the net that is learned/,
    },
    {
      agent: "{ use: mc-softmax, net: value }",
      settings: ", threads: 2",
      says: /learn\.threads: a search's games are learned by one thread/,
    },
    {
      agent: "{ use: mc-softmax, net: value }",
      settings: ", begin: { tile: 64 }",
      says: /learn\.begin: the games of a search begin at the start/,
    },
    {
      agent: "{ use: mc-softmax, net: value }",
      settings: ", restart: 10",
      says: /learn\.restart: only games that are played greedily are begun again, and with search\.after: 0/,
    },
    {
      agent: "{ use: mc-softmax, net: value }",
      settings: "",
      targets: "{ use: samples, clip: 100 }",
      says: /learn\.search\.targets: "opener" samples no positions: give agents\.opener the option samples/,
    },
    {
      agent: "{ use: mc-softmax, net: value, samples: 1 }",
      settings: "",
      targets: "{ use: samples }",
      says: "",
    },
    {
      agent: "{ use: expectimax, net: value, downgrade: 64 }",
      settings: "",
      says: /learn\.search\.targets: "opener" searches lesser boards .* leave downgrade out of agents\.opener, or learn returns/,
    },
    {
      agent: "{ use: expectimax, net: value, downgrade: 64 }",
      settings: "",
      targets: "{ use: returns, lambda: 0.5 }",
      says: "",
    },
  ])(
    "takes or refuses a search by $agent to learn from, with $settings",
    ({ agent, settings, says, targets }) => {
      const text = `
name: searched
seed: 1
game: { rules: 2048 }
nets: { value: { use: n-tuple } }
agents: { opener: ${agent} }
graph:
  learn: { use: td-learner, net: value, games: 10, every: 10, search: { agent: opener, targets: ${targets ?? "{ use: node-value }"} }${settings} }
`;
      let message = "";
      try {
        checkGraph(readExperiment(writeExperiment(scratchFolder(), text)));
      } catch (error) {
        message = (error as Error).message;
      }
      if (says === "") expect(message).toBe("");
      else expect(message).toMatch(says);
    },
  );

  it("refuses openings by an agent whose net is still to be learned", () => {
    expect(problemsOf("tic-tac-toe", "step: td", "{ use: greedy, net: value }")).toMatch(
      /graph\.book\.agent: "opener" has a net/,
    );
  });
});
