import { describe, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { PolicyOptions } from "../../../src/search/softmax/boltzmann-policy.ts";
import { HashEvaluator, hashGame, hashValue } from "../depth-first/hash-game.ts";
import { referenceSearch, type ReferencePolicy } from "./mc-softmax-reference.ts";
import { ladder, ladderEvaluator } from "../depth-first/ladder-game.ts";
import { casesOf } from "../../number-of-cases.ts";

type Named = readonly [PolicyOptions, ReferencePolicy];
const halving = (factor: number, n: number) => factor / 2 ** Math.log10(n);
const linear: Named = [
  { use: "linear" },
  { map: "max", temperature: ({ simulation: i, simulations: n }) => 1 - (i - 1) / n },
];
const allRounds: Named = [
  { use: "linear", over: "all-rounds" },
  {
    map: "max",
    temperature: ({ tree, trees, simulation, simulations }) =>
      1 - ((simulation - 1) * trees + tree) / (trees * simulations),
  },
];
const allTrees: Named = [
  { use: "linear", over: "all-trees" },
  {
    map: "max",
    temperature: ({ tree, trees, simulation, simulations }) =>
      1 - (tree * simulations + simulation - 1) / (trees * simulations),
  },
];
const lLog: Named = ["L-log", { map: "log", temperature: ({ visits }) => halving(0.4, visits) }];
const gLog: Named = ["G-log", { map: "log", temperature: ({ simulation }) => halving(0.4, simulation) }];
const lMax: Named = ["L-max", { map: "max", temperature: ({ visits }) => halving(2, visits) }];
const gMax: Named = ["G-max", { map: "max", temperature: ({ simulation }) => halving(2, simulation) }];
const average: Named = ["ave", { map: "none", temperature: () => Infinity }];
const best: Named = ["best", { map: "none", temperature: () => 0 }];
const constant: Named = [0.3, { map: "max", temperature: () => 0.3 }];
const raw: Named = [
  { use: "constant", value: 4, map: "none" },
  { map: "none", temperature: () => 4 },
];
const uniform: Named = [
  { use: "uniform", from: 0.005, to: 1 },
  { map: "max", temperature: () => NaN, uniform: [0.005, 1] },
];

describe("mc-softmax against the slow reference, from the same draws", () => {
  const settings = [
    {
      name: "experiment 1, 10-tree",
      trees: 10,
      simulations: 10,
      randomness: "fixed",
      samples: 2,
      selection: linear,
      backup: linear,
    },
    {
      name: "experiment 1, 5-tree",
      trees: 5,
      simulations: 20,
      randomness: "fixed",
      samples: 2,
      selection: linear,
      backup: linear,
    },
    {
      name: "experiment 1, 1-tree",
      trees: 1,
      simulations: 100,
      randomness: "fixed",
      samples: 5,
      selection: linear,
      backup: linear,
    },
    {
      name: "experiment 1, greedy",
      trees: 1,
      simulations: 10,
      randomness: "fixed",
      samples: 1,
      selection: linear,
      backup: linear,
    },
    {
      name: "experiment 2",
      trees: 1,
      simulations: 100,
      randomness: "chance",
      samples: 3,
      selection: lMax,
      backup: best,
    },
    {
      name: "experiment 1, 10-tree, temperatures over all rounds",
      trees: 10,
      simulations: 10,
      randomness: "fixed",
      samples: 2,
      selection: allRounds,
      backup: allRounds,
    },
    {
      name: "experiment 1, 5-tree, temperatures tree after tree",
      trees: 5,
      simulations: 20,
      randomness: "fixed",
      samples: 2,
      selection: allTrees,
      backup: allTrees,
    },
    {
      name: "experiment 2, all inner nodes",
      trees: 1,
      simulations: 100,
      randomness: "chance",
      samples: "inner",
      selection: lMax,
      backup: best,
    },
    {
      name: "experiment 2, nodes of more than 10 visits",
      trees: 1,
      simulations: 100,
      randomness: "chance",
      samples: { above: 10 },
      selection: lMax,
      backup: best,
    },
    {
      name: "fixed trees, nodes of more than 3 visits",
      trees: 3,
      simulations: 30,
      randomness: "fixed",
      samples: { above: 3 },
      selection: allRounds,
      backup: allTrees,
    },
    {
      name: "L-log, ave",
      trees: 1,
      simulations: 60,
      randomness: "chance",
      samples: 0,
      selection: lLog,
      backup: average,
    },
    {
      name: "G-log, L-log",
      trees: 2,
      simulations: 40,
      randomness: "chance",
      samples: 1,
      selection: gLog,
      backup: lLog,
    },
    {
      name: "G-max, G-log",
      trees: 1,
      simulations: 60,
      randomness: "fixed",
      samples: 1,
      selection: gMax,
      backup: gLog,
    },
    {
      name: "ave, G-max",
      trees: 3,
      simulations: 30,
      randomness: "chance",
      samples: 1,
      selection: average,
      backup: gMax,
    },
    {
      name: "best, L-max",
      trees: 1,
      simulations: 60,
      randomness: "chance",
      samples: 1,
      selection: best,
      backup: lMax,
    },
    {
      name: "constants",
      trees: 2,
      simulations: 40,
      randomness: "chance",
      samples: 1,
      selection: constant,
      backup: raw,
    },
    {
      name: "uniform everywhere",
      trees: 2,
      simulations: 40,
      randomness: "chance",
      samples: 2,
      selection: uniform,
      backup: uniform,
    },
  ] as const;
  for (const { name, trees, simulations, randomness, samples, selection, backup } of settings)
    it(name, () => {
      for (let seed = 0; seed < casesOf(25); seed++) {
        const game = hashGame({
          seed,
          players: 1 + (seed % 3),
          branching: 2 + (seed % 4),
          depth: 3 + (seed % 7),
          chance: (seed % 5) / 6,
        });
        const search = openSearch("mc-softmax", game, {
          trees,
          simulations,
          randomness,
          samples:
            typeof samples === "number"
              ? samples
              : samples === "inner"
                ? { use: "inner" }
                : { use: "visits", above: samples.above },
          selection: selection[0],
          backup: backup[0],
          sampling: uniform[0],
        });
        // The second search of a game runs in buffers that the first has used.
        for (const start of [0, 1]) {
          const state = game.initial();
          if (start === 1) state.path = seed + 12345;
          const mine = Random.named("mc-softmax", name, seed, start);
          const theirs = Random.resume(mine.state());
          const decision = drive(search.search(state, mine, 0), new HashEvaluator(game));
          const reference = referenceSearch(game, state, theirs, {
            trees,
            simulations,
            randomness,
            samples,
            selection: selection[1],
            backup: backup[1],
            sampling: uniform[1],
            value: hashValue,
          });
          expect(decision.action).toBe(decision.actions[reference.action]);
          expect([...decision.visits]).toEqual(reference.visits);
          closeTo(decision.actionValues, reference.actionValues);
          closeTo(decision.values, reference.values);
          // Paths have an order, nodes have none.
          const ordered = (found: readonly { state: { path: number }; values: readonly number[] }[]) =>
            typeof samples === "number" ? found : found.toSorted((a, b) => a.state.path - b.state.path);
          const [mySamples, theirSamples] = [ordered(decision.samples), ordered(reference.samples)];
          expect(mySamples.map((sample) => sample.state)).toEqual(theirSamples.map((sample) => sample.state));
          closeTo(
            mySamples.flatMap((sample) => sample.values),
            theirSamples.flatMap((sample) => sample.values),
          );
          expect(mine.state()).toEqual(theirs.state());
        }
      }
    });
});

function closeTo(found: ArrayLike<number>, wanted: ArrayLike<number>): void {
  expect(found.length).toBe(wanted.length);
  for (let i = 0; i < wanted.length; i++)
    expect(Math.abs(found[i]! - wanted[i]!)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(wanted[i]!)));
}

describe("mc-softmax by hand", () => {
  const decide = (options: object) =>
    drive(
      openSearch("mc-softmax", ladder, { backup: "best", ...options }).search(
        ladder.initial(),
        Random.named("hand"),
        0,
      ),
      ladderEvaluator,
    );

  it("expands the root in the first simulation and values moves by reward plus the net", () => {
    const decision = decide({ simulations: 1 });
    expect([...decision.actionValues]).toEqual([4 + 10, 0 + 13]);
    expect([...decision.visits]).toEqual([0, 0]);
    expect(decision.action).toBe(0);
    expect(decision.values).toEqual([14]);
  });

  it("corrects a move by what lies below it", () => {
    // Best first: the second simulation goes to move 0 (14), whose only outcome of weight .75 leads to 2 + 3 or
    // 0 + 6; the third then goes to move 1 (13), whose value is 20 after either outcome.
    const second = decide({ simulations: 2, selection: "best" });
    expect([...second.visits]).toEqual([1, 0]);
    expect([4 + 6, 4 + 1]).toContain(second.actionValues[0]);
    expect(second.action).toBe(1);
    const third = decide({ simulations: 3, selection: "best" });
    expect(third.actionValues[1]).toBe(0 + 20);
  });

  it("weights outcomes by probability once both are known", () => {
    const decision = decide({ simulations: 200, selection: "ave" });
    expect(decision.actionValues[0]).toBeCloseTo(4 + 0.75 * 6 + 0.25 * 1, 12);
    expect(decision.actionValues[1]).toBe(20);
  });

  it("keeps the outcome it drew when randomness is fixed, and averages trees", () => {
    const one = decide({ simulations: 50, selection: "ave", randomness: "fixed" });
    expect([4 + 6, 4 + 1]).toContain(one.actionValues[0]);
    const many = decide({ simulations: 50, selection: "ave", randomness: "fixed", trees: 400 });
    // The mean of 400 draws: within 4 standard errors of the probability-weighted value.
    expect(Math.abs(many.actionValues[0]! - 8.75)).toBeLessThan((4 * 5 * Math.sqrt(0.75 * 0.25)) / 20);
  });

  it("backs up the Boltzmann mean", () => {
    const decision = decide({
      simulations: 200,
      selection: "ave",
      backup: { use: "constant", value: 2, map: "none" },
    });
    const soft = (a: number, b: number) => {
      const weight = Math.exp(a / 2) / (Math.exp(a / 2) + Math.exp(b / 2));
      return weight * a + (1 - weight) * b;
    };
    expect(decision.actionValues[0]).toBeCloseTo(4 + 0.75 * soft(5, 6) + 0.25 * 1, 12);
  });

  it("samples the positions that were searched, with their values in the tree", () => {
    const decision = decide({ simulations: 200, selection: "ave", samples: 3, sampling: 0 });
    // Move 1 is best; its afterstate (rung 2) has the value 20 in the tree and 13 by the net. Half of the paths go on
    // over rung 8, where the only move leads to rung 9.
    const samples = decision.samples.map(({ state, values }) => [state.rung, ...values]);
    expect(samples.filter(([rung]) => rung === 2)).toEqual([
      [2, 20],
      [2, 20],
      [2, 20],
    ]);
    expect(samples.filter(([rung]) => rung !== 2)).toEqual(
      samples.filter(([rung]) => rung === 9).map(() => [9, 20]),
    );
  });

  it("samples nodes by their visits", () => {
    // Rungs 1 and 2 are the moves of the root, and have all visits but the first; 5, 6 and 9 lie below them.
    const sampled = (samples: object) => {
      const decision = decide({ simulations: 40, selection: "ave", samples });
      const [one, two] = decision.visits;
      return { one: one!, two: two!, rungs: decision.samples.map(({ state }) => state.rung) };
    };
    const inner = sampled({ use: "inner" });
    expect(inner.rungs.toSorted((a, b) => a - b)).toEqual([1, 2, 5, 6, 9]);
    const { one, two, rungs } = sampled({ use: "visits", above: Math.min(inner.one, inner.two) });
    expect([one, two]).toEqual([inner.one, inner.two]);
    expect(rungs).toEqual([one > two ? 1 : 2]);
    expect(sampled({ use: "visits", above: 40 }).rungs).toEqual([]);
    expect(sampled({ use: "visits" })).toEqual(sampled({ use: "visits", above: 10 }));
  });

  it("samples nothing that was not searched below", () => {
    for (const samples of [4, { use: "inner" }, { use: "visits", above: 0 }])
      expect(decide({ simulations: 1, samples }).samples).toEqual([]);
  });
});

describe("mc-softmax in a corridor", () => {
  it("goes as deep as its simulations take it", () => {
    const game = hashGame({ seed: 6, players: 1, branching: 1, depth: 200, chance: 0, ends: 0 });
    const search = openSearch("mc-softmax", game, { simulations: 180 });
    const decision = drive(search.search(game.initial(), Random.named("deep"), 0), new HashEvaluator(game));
    // Simulation n expands the n-th position: the rewards on the way, and V of the last one's only successor.
    const state = game.initial();
    for (let ply = 0; ply < 180; ply++) game.play(state, 0);
    expect(decision.values[0]).toBeCloseTo(state.returns[0]! + hashValue(state, 0), 9);
  });
});

describe("mc-softmax requests", () => {
  it("makes one request for all trees in each simulation, and only one for the root", () => {
    const game = hashGame({ seed: 3, players: 1, branching: 3, depth: 30, chance: 0.3 });
    const evaluator = new HashEvaluator(game);
    const search = openSearch("mc-softmax", game, { trees: 10, simulations: 10 });
    drive(search.search(game.initial(), Random.named(1), 0), evaluator);
    expect(evaluator.requests).toBeLessThanOrEqual(10);
    expect(evaluator.states).toBeLessThanOrEqual(3 + 9 * search.maxRequest);
    expect(search.maxRequest).toBe(30);
  });
});
