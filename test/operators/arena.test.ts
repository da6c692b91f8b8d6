import { describe, expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";

/** What is wrong with a match of these settings, between agents of three kinds. */
const problems = (arena: string) => {
  const text = `
name: refused
seed: 5
game: { rules: tic-tac-toe }
agents:
  random: { use: random }
  uct: { use: uct, simulations: 12 }
  weak: { use: uct, simulations: 3 }
graph:
  match: { use: arena, ${arena} }
`;
  try {
    checkGraph(readExperiment(writeExperiment(scratchFolder(), text)));
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("mistakes in the settings of an arena", () => {
  it.each([
    ["agents: [uct], games: 2, seats: all-pairs", /all-pairs needs at least two agents/],
    ["agents: [uct, uct], games: 2", /an agent is named twice/],
    ["agents: [uct, weak], games: 2, openings: {}", /give plies, .* or a book/],
    ["agents: [uct, weak], games: 2, openings: { plies: 1, book: x }", /and not both/],
    [
      "agents: [uct, weak], games: 2, openings: { book: no-such }",
      /opening book \/.*\/no-such: cannot be read/,
    ],
    ["agents: [uct, weak, random], games: 9, sequential: { elo0: 0, elo1: 5 }", /between two agents, not 3/],
    ["agents: [uct, weak], games: 9, sequential: { elo0: 5, elo1: 5 }", /elo1 must be above elo0/],
  ])("are reported: %s", (arena, message) => {
    expect(problems(arena)).toMatch(message);
  });
});
