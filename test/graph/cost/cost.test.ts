import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { costOf, type Speeds, worksOf } from "../../../src/graph/cost/cost.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import type { StageWork } from "../../../src/operators/run/stage-work.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../tiny-run.ts";

const worksIn = (file: string) =>
  worksOf(checkGraph(readExperiment(join(import.meta.dirname, "../../../experiments", file))));

const speeds = (given: Partial<Record<keyof Speeds, Record<string, number>>>): Speeds => ({
  agents: new Map(Object.entries(given.agents ?? {})),
  decisions: new Map(Object.entries(given.decisions ?? {})),
  stages: new Map(Object.entries(given.stages ?? {})),
});

const games = (total: number, rest: Partial<StageWork> = {}): StageWork => ({
  unit: "games",
  total,
  purpose: "learn",
  ...rest,
});

describe("the work of stages", () => {
  it("is that of the paper in blokuszero.yaml: 79,000 games, 70,000 steps, eight rounds of 300 games", () => {
    const works = worksIn("blokuszero.yaml");
    expect(Object.fromEntries([...works].map(([stage, { total, unit }]) => [stage, [total, unit]]))).toEqual({
      games: [79_000, "games"],
      weights: [70_000, "steps"],
      curve: [8 * 300, "games"],
      rollouts: [900, "games"],
      policy: [30, "games"],
    });
    // One of four seats against three of the other agent.
    expect(works.get("curve")!.deciders).toEqual({ player: 1 / 4, "mcts-800": 3 / 4 });
    expect(works.get("policy")!.deciders).toEqual({ player: 1 / 4, "mcts-800": 3 / 4 });
  });

  it("counts rounds from the first weights to the last, and each agent's games of one player", () => {
    const works = worksIn("quickstart.yaml");
    expect(works.get("curve")).toMatchObject({ total: 6 * 100, deciders: { greedy: 1 } });
    expect(works.get("gain")).toMatchObject({ total: 2 * 16, deciders: { greedy: 0.5, "mc-softmax": 0.5 } });
    expect(works.get("learn")).toEqual({ unit: "games", total: 5000, purpose: "learn", threads: 1 });
    expect(works.has("saved")).toBe(false);
  });

  it("has the warm start's agent for its games, and openings only to their last ply", () => {
    const deciders = worksIn("blokuszero-fast.yaml").get("games")!.deciders!;
    expect(deciders["teacher"]).toBeCloseTo(600 / 1600);
    expect(deciders["learner"]).toBeCloseTo(1000 / 1600);
    expect(worksIn("duo-td.yaml").get("openings")).toMatchObject({ unit: "openings", total: 100, plies: 4 });
  });
});

describe("costOf", () => {
  it("has a lower bound if an agent decided nothing in the time of its measurement", () => {
    const works = new Map([
      ["games", games(100, { deciders: { slow: 1 } })],
      ["match", games(10, { deciders: { quick: 1 } })],
    ]);
    const given = speeds({ agents: { slow: 2, quick: 0.1 }, decisions: { slow: 20, quick: 20 } });
    const cost = costOf(works, { ...given, slower: new Set(["slow"]) }, 2);
    expect([cost.seconds, cost.least, cost.unknown]).toEqual([100 * 20 * 2 + 10 * 20 * 0.1, ["games"], []]);
    expect(cost.stages.map(({ least }) => least)).toEqual([true, false]);
    // As soon as the stage itself has been measured in a run.
    const stages = new Map([["games", 3]]);
    expect(costOf(works, { ...given, stages, slower: new Set(["slow"]) }, 2).least).toEqual([]);
  });

  it("leaves out the decisions that openings draw", () => {
    const works = new Map([
      ["games", games(100, { deciders: { player: 1 }, drawn: 5.5 })],
      ["short", games(10, { deciders: { player: 1 }, drawn: 19, plies: 3 })],
      ["match", games(10, { deciders: { player: 1 }, drawn: 30 })],
    ]);
    const { stages } = costOf(works, speeds({ agents: { player: 0.1 }, decisions: { player: 20 } }), 2);
    // A game has one decision at least.
    expect(stages.map(({ perUnit }) => perUnit)).toEqual(
      [1.45, 0.1, 0.1].map((each) => expect.closeTo(each, 9)),
    );
    const zero = worksIn("connect-four-zero.yaml");
    expect(zero.get("games")!.drawn).toBeCloseTo(0.1 * 16 + 0.65 * 5.5, 9);
    expect(zero.get("against-uct")!.drawn).toBe(4);
  });

  it("adds the time of learning to that of the games, if a stage learns from games on the play host", () => {
    const works = new Map([["learn", games(100, { deciders: { player: 1 }, learns: true })]]);
    const agents = { agents: { player: 0.01 }, decisions: { player: 20 } };
    expect(costOf(works, speeds({ ...agents, stages: { learn: 0.3 } }), 2).seconds).toBeCloseTo(100 * 0.5);
    expect(costOf(works, speeds(agents), 2).unknown).toEqual(["learn"]);
  });

  it("adds up stages that keep all cores busy: games x decisions x seconds, by agent", () => {
    const works = new Map([
      ["play", games(100, { deciders: { slow: 0.25, fast: 0.75 } })],
      ["train", games(50, { unit: "steps", threads: Infinity })],
    ]);
    const known = speeds({
      agents: { slow: 0.4, fast: 0.1 },
      decisions: { slow: 10, fast: 10 },
      stages: { train: 2 },
    });
    // 100 games of 10 decisions of .175 seconds, and 50 steps of 2 seconds.
    expect(costOf(works, known, 2)).toMatchObject({ seconds: 175 + 100, unknown: [] });
  });

  it("lets stages of one thread run side by side, at least as long as the longest", () => {
    const works = new Map(["a", "b", "c"].map((stage) => [stage, games(10, { threads: 1 })]));
    const even = speeds({ stages: { a: 6, b: 6, c: 6 } });
    expect(costOf(works, even, 2)).toMatchObject({ seconds: 90, coreSeconds: 180 });
    expect(costOf(works, even, 8).seconds).toBe(60);
    expect(costOf(works, even, 1).seconds).toBe(180);
    expect(costOf(works, speeds({ stages: { a: 20, b: 1, c: 1 } }), 2).seconds).toBe(200);
  });

  it("counts a game no further than its plies", () => {
    const works = new Map([["openings", games(5, { deciders: { a: 1 }, plies: 4 })]]);
    expect(costOf(works, speeds({ agents: { a: 1 }, decisions: { a: 60 } }), 2).seconds).toBe(20);
  });

  it("prefers the measured speed of a stage to those of its agents, and names what is not known", () => {
    const works = new Map([
      ["games", games(10, { deciders: { a: 1 } })],
      ["match", games(10, { deciders: { a: 0.5, b: 0.5 } })],
    ]);
    const known = speeds({ agents: { a: 1 }, decisions: { a: 60, b: 60 }, stages: { games: 3 } });
    expect(costOf(works, known, 2)).toMatchObject({ seconds: 30, unknown: ["match"] });
    // Nothing is left to do.
    works.set("match", games(0, { deciders: { b: 1 } }));
    expect(costOf(works, known, 2)).toMatchObject({ seconds: 30, unknown: [] });
  });
});

it("takes all work of a run for an upper bound if an arena may end learning", () => {
  const text = (until: string) => `
name: ended
seed: 1
game: { rules: tic-tac-toe }
nets: { zero: { use: mlp, hidden: [4] } }
agents: { learner: { use: greedy, net: zero } }
graph:
  games: { use: self-play, agent: learner, games: 40, generation: 10, examples: { use: td } }
  replay: { use: replay-buffer, from: games, games: 20 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 4, rate: 0.01 }
  curve: { use: arena, after: weights, agents: [learner], earlier: { agent: learner, most: 1 }, games: 10${until} }
`;
  const early = (until: string) =>
    [...worksOf(checkGraph(readExperiment(writeExperiment(scratchFolder(), text(until))))).values()].map(
      ({ endsEarly }) => endsEarly === true,
    );
  expect(early("")).toEqual([false, false, false]);
  expect(early(", until: { gain: 50, versions: 1 }")).toEqual([true, true, true]);
});
