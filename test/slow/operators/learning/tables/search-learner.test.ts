import { describe, expect, it } from "vitest";
import { Game2048 } from "../../../../../src/games/2048/2048.ts";
import { nTuple } from "../../../../../src/models/n-tuple/n-tuple.ts";
import { type LearnerOptions, type SavedArrays, tablesBuffer } from "../../../../../src/models/tables.ts";
import { SearchLearner } from "../../../../../src/operators/learning/tables/search-learner.ts";
import type { SearchTargets } from "../../../../../src/operators/learning/tables/search-targets.ts";
import { Random } from "../../../../../src/random.ts";
import { driveEpisode } from "../../../../../src/search/drive.ts";
import { episode } from "../../../../../src/search/episode.ts";
import { openSearch } from "../../../../../src/search/registry.ts";

const game = new Game2048({ rows: 2, columns: 3 });
const open = nTuple.open(game, { tuples: "board", initialValue: 0, stages: [] });
const greedy: LearnerOptions = { lambda: 0.5, step: { use: "tc", rate: 1 } };
const arrays = (saved: SavedArrays) => new Map([...saved].map(([name, { data }]) => [name, data]));

function learnerOf(targets: SearchTargets, after: number, tables = open.load(new Map())) {
  const search = openSearch("mc-softmax", game, { simulations: 8, samples: 2 });
  const learner = new SearchLearner({
    game,
    open,
    tables,
    search,
    targets,
    step: { use: "tc", rate: 0.5 },
    after,
    greedy,
  });
  return { tables, learner };
}

describe("a search learner", () => {
  it.each<SearchTargets>([
    { use: "node-value" },
    { use: "eval-value" },
    { use: "returns", lambda: 0.5 },
    { use: "mixed", weight: 0.5 },
    { use: "clipped" },
    { use: "target-net", every: 7 },
    { use: "double" },
    { use: "samples", clip: 3 },
  ])("goes on from a checkpoint bit by bit: $use", (targets) => {
    const { tables, learner } = learnerOf(targets, 20);
    for (let i = 0; i < 33; i++) learner.playGame(Random.named("search", i));
    const resumed = open.load(arrays(open.save(tables)));
    const second = learnerOf(targets, 20, resumed).learner;
    second.restore(arrays(learner.state()));
    for (let i = 33; i < 60; i++)
      expect(second.playGame(Random.named("search", i))).toEqual(learner.playGame(Random.named("search", i)));
    expect(open.save(resumed)).toEqual(open.save(tables));
    expect(second.state()).toEqual(learner.state());
  });

  it.each([undefined, 0.5])("learns what the search sampled, each sample within %s of its value", (clip) => {
    const targets = { use: "samples", ...(clip === undefined ? {} : { clip }) } as const;
    const { tables, learner } = learnerOf(targets, 0);
    const alone = open.load(new Map());
    const step = open.afterstates!.stepper(alone, { use: "tc", rate: 0.5 });
    const evaluator = open.evaluator!(alone);
    const search = openSearch("mc-softmax", game, { simulations: 8, samples: 2 });
    let clipped = 0;
    for (let i = 0; i < 8; i++) {
      const random = Random.named("samples", i);
      const { samples } = driveEpisode(
        episode(game, [{ search, random, evaluator: 0 }], random, { keep: { samples: true } }),
        [evaluator],
      );
      expect(samples.length).toBeGreaterThan(10);
      for (const { state, values } of samples) {
        const request = { states: [state], count: 1, values: new Float64Array(1) };
        evaluator.evaluate(request);
        const difference = values[0]! - request.values[0]!;
        const far = clip !== undefined && Math.abs(difference) > clip;
        if (far) clipped++;
        step(state, far ? request.values[0]! + Math.sign(difference) * clip : values[0]!);
      }
      learner.playGame(Random.named("samples", i));
    }
    expect(new Float32Array(tablesBuffer(tables))).toEqual(new Float32Array(tablesBuffer(alone)));
    expect(clipped > 0).toBe(clip !== undefined);
  });

  it("learns greedily first, as the greedy learner alone", () => {
    const { tables, learner } = learnerOf({ use: "node-value" }, 10);
    const alone = open.load(new Map());
    const plain = open.learner(alone, greedy);
    for (let i = 0; i < 10; i++)
      expect(learner.playGame(Random.named("first", i))).toEqual(plain.playGame(Random.named("first", i)));
    expect(new Float32Array(tablesBuffer(tables))).toEqual(new Float32Array(tablesBuffer(alone)));
  });

  it("tells the game that the search played, and comes near what is earned where it learns returns", () => {
    const { learner } = learnerOf({ use: "returns", lambda: 1 }, 300);
    let value = 0;
    let score = 0;
    for (let i = 0; i < 900; i++) {
      const { returns, startValue } = learner.playGame(Random.named("returns", i));
      const state = game.initial();
      for (const action of learner.actions) game.play(state, action);
      expect(game.toMove(state)).toBeLessThan(-1);
      expect(state.score).toBe(returns[0]);
      if (i < 500) continue;
      value += startValue / 400;
      score += returns[0]! / 400;
    }
    expect(Math.abs(value / score - 1)).toBeLessThan(0.15);
  });
});
