import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { didYouMean, ExperimentInvalid } from "../../src/graph/problem.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { tablesExperiment, trainingExperiment, writeExperiment } from "./tiny-run.ts";

const golden = join(import.meta.dirname, "golden");

/** All problems of a file, one a line, without the names of folders. */
function problemsOf(file: string, set: readonly string[] = []): string[] {
  try {
    checkGraph(readExperiment(file, set));
    return [];
  } catch (error) {
    if (!(error instanceof ExperimentInvalid)) throw error;
    return error.message.split("\n").map((line) => line.replace(/^\/\S+\//, ""));
  }
}

const problemsWith = (set: readonly string[], text = trainingExperiment) =>
  problemsOf(writeExperiment(scratchFolder(), text, "a.yaml"), set);

describe("checkGraph", () => {
  it("tells all that is wrong with a file at once, in reading order, with places and remedies", async () => {
    const told = problemsOf(join(golden, "very-wrong.yaml"));
    await expect(`${told.join("\n")}\n`).toMatchFileSnapshot(join(golden, "very-wrong.txt"));
  });

  it("finds nothing wrong with files that are right", () => {
    expect(problemsWith([])).toEqual([]);
    expect(problemsWith([], tablesExperiment)).toEqual([]);
  });

  it.each<[string, RegExp]>([
    [
      "graph.weights.batch=61",
      /^--set graph\.weights\.batch=61: graph\.weights\.batch: a batch of 61 is larger than the buffer/,
    ],
    [
      "graph.games.generation=7",
      /graph\.games\.generation: 60 games are no whole number of generations of 7/,
    ],
    [
      "graph.weights.loss.use=alphazero",
      /graph\.weights\.loss: the loss alphazero needs a net with a policy/,
    ],
    [
      "agents.learner={ use: puct, net: value }",
      /agents\.learner\.net: puct needs a net with a policy, and "value" gives values only/,
    ],
    ["game.rules=chess", /game\.rules: there is no "chess" \(known: 2048, tic-tac-toe\)/],
    ["game.rules=204", /game\.rules: there is no "204"; did you mean "2048"\?/],
    ["agents.learner.use=greddy", /agents\.learner\.use: there is no "greddy"; did you mean "greedy"\?/],
    ["nets.value.use=mlpp", /nets\.value\.use: there is no "mlpp"; did you mean "mlp"\?/],
    ["graph.replay.from=gamse", /graph\.replay\.from: no stage "gamse"; did you mean "games"\?/],
    ["graph.replay.from=weights", /replay-buffer reads games here, and "weights" \(trainer\) gives weights/],
    ["graph.weights.net=other", /graph\.weights\.net: no net "other" \(known here: value\)/],
    ["graph.games.agent=other", /graph\.games\.agent: no agent "other" \(known here: learner\)/],
    ["graph.curve.agents.0=lerner", /graph\.curve\.agents\.0: no agent "lerner"; did you mean "learner"\?/],
    [
      "graph.second={ use: trainer, from: replay, net: value, batch: 1, steps: 1, rate: 1 }",
      /graph\.second\.net: net "value" is learned by stage "weights" already/,
    ],
    [
      "graph.table={ use: td-learner, net: value, games: 1, every: 1 }",
      /"value" is no value function on tables; learn it with a trainer/,
    ],
    ["graph={}", /graph: expected at least 1 of them/],
    ["seed=1.5", /seed: expected a whole number, found 1\.5/],
    ["seed=1e300", /seed: expected a number <= 9007199254740991/],
    ["workers=0", /workers: expected a number >= 1, found 0/],
    ["name=../up", /name: expected text of the form/],
    ["nets.value.hidden=12", /nets\.value\.hidden: expected a list, found 12/],
    ["game=null", /game: "game" is missing: The game and its options/],
    ["game.rows=9", /game\.rows: expected a number <= 4, found 9/],
  ])("refuses --set %s", (set, message) => {
    const told = problemsWith([set]);
    expect(told.join("\n")).toMatch(message);
    for (const line of told) expect(line).not.toMatch(/undefined|\[object|NaN/);
  });

  it("refuses nets that do not fit the game, in its own words", () => {
    const set = ["nets.value={ use: n-tuple, tuples: 4x6 }"];
    expect(problemsWith(set).join("\n")).toMatch(
      /nets\.value: the net n-tuple cannot play 2048: the tuples 4x6 are not made for a 2x2 board/,
    );
    expect(
      problemsWith(["game.rules=tic-tac-toe", "game.rows=null", "game.columns=null"], tablesExperiment).join(
        "\n",
      ),
    ).toMatch(/nets\.value: the net n-tuple cannot play tic-tac-toe/);
  });

  it("orders stages so that each comes after those it reads, and follows all ports", () => {
    const file = writeExperiment(
      scratchFolder(),
      trainingExperiment.replace(
        "graph:\n",
        "graph:\n  early: { use: arena, after: weights, agents: [learner], games: 1 }\n",
      ),
    );
    const { stages } = checkGraph(readExperiment(file));
    const order = stages.map(({ name }) => name);
    for (const stage of stages)
      for (const from of Object.values(stage.inputs))
        expect(order.indexOf(from)).toBeLessThan(order.indexOf(stage.name));
    expect(order).toHaveLength(6);
    expect(stages.find(({ name }) => name === "early")!.inputs).toEqual({ after: "weights" });
  });

  it("fills in every default", () => {
    const { setting } = checkGraph(readExperiment(writeExperiment(scratchFolder(), trainingExperiment)));
    expect(setting.experiment).toMatchObject({
      schedule: "synchronous",
      compute: { engine: "auto", device: "cpu", threads: 1 },
      nets: { value: { policy: false } },
      graph: {
        games: { retries: 0, monitor: { low: 0.1, high: 1.5 } },
        weights: { optimiser: { use: "adam" } },
      },
    });
  });
});

describe("didYouMean", () => {
  it("suggests the nearest known name, where one is near", () => {
    const known = ["trainer", "arena", "replay-buffer", "checkpoint"];
    const suggested = (given: string) => /"(.*)"/.exec(didYouMean(given, known))?.[1];
    expect(["trianer", "Trainer", "areena", "replaybuffer", "chekpoint"].map(suggested)).toEqual([
      "trainer",
      "trainer",
      "arena",
      "replay-buffer",
      "checkpoint",
    ]);
    expect(["x", "zebra", "", "completely-else"].map(suggested)).toEqual(Array(4).fill(undefined));
    expect(didYouMean("x", [])).toBe("");
  });
});
