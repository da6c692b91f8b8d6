import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkGraph } from "../src/graph/check-graph.ts";
import { readExperiment } from "../src/graph/experiment-file.ts";
import { networkOf } from "../src/operators/experiment/open-experiment.ts";
import { toFill } from "../src/operators/learning/replay/window.ts";
import { type Schedule, scheduled } from "../src/schedule.ts";

/** What the paper says of its run (sections 4 and 5.1), against the file that repeats it. */
describe("experiments/blokuszero.yaml", () => {
  const { opened } = checkGraph(readExperiment(join(import.meta.dirname, "../experiments/blokuszero.yaml")));
  const { agents, game, graph } = opened.experiment;
  const { net, planes, values } = networkOf(opened, "zero");
  const shapes = new Map(net.parameters.map(({ name, shape }) => [name, shape]));
  const weights = (part: RegExp) =>
    net.parameters
      .filter(({ name, trained }) => trained && part.test(name))
      .reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0);

  it("has the game and the net of section 4.1, with as many weights in its dense layers", () => {
    expect(game).toEqual({ rules: "blokus", scoring: "advanced", size: 20, largestPiece: 5 });
    expect(planes).toBe(opened.game.nets!.planes["history"]);
    expect(net.input).toEqual([20, 20, 33]);
    expect(net.actions).toBe(30_433);
    expect(values).toBe("win-loss");
    expect(weights(/^policy\/dense\//)).toBe(24_376_833);
    expect(weights(/^value\/(hidden|dense)\//)).toBe(410_884);
    const filters = [...shapes].filter(([name]) => /^block\d+\/.*\/filter$/.test(name));
    expect(filters.length).toBe(20);
    for (const [, shape] of filters) expect(shape).toEqual([3, 3, 128, 128]);
    expect(shapes.get("policy/conv/filter")).toEqual([1, 1, 128, 2]);
    expect(shapes.get("value/conv/filter")).toEqual([1, 1, 128, 4]);
  });

  it("draws the last dense layers after Xavier and all else after He", () => {
    for (const { name, initialiser } of net.parameters.filter(({ shape }) => shape.length > 1))
      expect([name, initialiser.use]).toEqual([
        name,
        ["policy/dense/matrix", "value/dense/matrix"].includes(name) ? "xavier-uniform" : "he-normal",
      ]);
  });

  it("plays and matches as section 5.1 says", () => {
    expect(agents["learner"]).toMatchObject({
      simulations: 800,
      cBase: 19_625,
      cInit: 1.25,
      noise: { epsilon: 0.25, alpha: 0.02 },
      temperature: [{ until: 20, value: 1 }, { value: 0 }],
    });
    expect(agents["player"]).toMatchObject({ simulations: 800, noise: null, temperature: [] });
    expect(agents["mcts-800"]).toMatchObject({
      simulations: 800,
      exploration: 0.2,
      progressiveHistory: 5,
      epsilon: 0.05,
      payoff: "win",
    });
    expect(graph["curve"]).toMatchObject({ seats: "one-vs-rest", games: 300, openings: { plies: 4 } });
  });

  it("learns 70 times 1,000 steps, the first time from 10,000 games, 1,000 new games between two", () => {
    const { games, generation } = graph["games"] as unknown as { games: number; generation: number };
    const { fill, games: held } = graph["replay"] as unknown as { fill: number; games: number };
    const { steps, rate, batch } = graph["weights"] as unknown as {
      steps: number;
      rate: Schedule;
      batch: number;
    };
    expect([fill, held, generation, steps, batch]).toEqual([10_000, 10_000, 1_000, 1_000, 64]);
    expect((games / generation - toFill(fill, generation)) * steps).toBe(70_000);
    expect([1, 40_000, 40_001, 70_000].map((step) => scheduled(rate, step))).toEqual([
      1e-3, 1e-3, 1e-4, 1e-4,
    ]);
    expect(graph["weights"]).toMatchObject({
      optimiser: { use: "sgd", momentum: 0.9, penalty: 1e-4 },
      loss: { use: "alphazero", valueWeight: 1, legalOnly: false },
      symmetries: false,
    });
    expect(graph["games"]).toMatchObject({ examples: { use: "alphazero", resultWeight: 1 } });
  });

  it("leaves out everything that came later", () => {
    expect(opened.experiment.nets["zero"]).toMatchObject({
      policyHead: "dense",
      score: false,
      ownership: false,
      reply: false,
    });
    expect(agents["learner"]).toMatchObject({
      use: "puct-max-n",
      playoutCap: null,
      forcedPlayouts: null,
      firstPlayReduction: null,
      reuse: false,
    });
  });
});
