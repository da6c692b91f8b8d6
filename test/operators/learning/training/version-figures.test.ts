import { expect, it } from "vitest";
import type { Engine } from "../../../../src/compute/engine.ts";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import { openInference } from "../../../../src/models/nets/inference.ts";
import { openLoss } from "../../../../src/models/nets/loss.ts";
import { openTraining, type TrainingState } from "../../../../src/models/nets/training.ts";
import { checkSource } from "../../../../src/graph/experiment-file.ts";
import { randomSample } from "../../../../src/operators/play/evaluation/calibration.ts";
import { networkOf, openExperiment } from "../../../../src/operators/experiment/open-experiment.ts";
import { weightsOf } from "../../../../src/operators/run/weights/named-tensors.ts";
import { freshWeights } from "../../../../src/operators/run/weights/net-weights.ts";
import {
  type ComparedVersion,
  VersionFigures,
} from "../../../../src/operators/learning/training/version-figures.ts";
import { Random } from "../../../../src/random.ts";
import { batchFor } from "../../../models/nets/random-batches.ts";

const BETA2 = 0.9;
const ROWS = 6;
const source = {
  file: "version-figures.yaml",
  value: {
    name: "version-figures",
    game: { rules: "tic-tac-toe" },
    nets: { zero: { use: "residual", filters: 4, blocks: 1, valueUnits: 8, values: "win-loss" } },
    agents: { learner: { use: "gumbel", net: "zero" } },
    graph: { match: { use: "arena", agents: ["learner", "learner"], games: 2 } },
  },
  places: new Map(),
};
const opened = openExperiment(checkSource(source).experiment);
const { net } = networkOf(opened, "zero");
const start = freshWeights(opened, "zero");
const loss = openLoss({ use: "alphazero" });
const adam = { use: "adam", beta2: BETA2 } as const;
const rate = 0.01;
const batches = Array.from({ length: 3 }, (_, step) => batchFor(net, ROWS, Random.named("batch", step)));

/** The state after each step of Adam, the start first. */
async function learned(engine: Engine): Promise<TrainingState[]> {
  const training = await openTraining(
    engine,
    net,
    loss,
    { optimiser: adam, rows: ROWS },
    { weights: weightsOf(start) },
  );
  const states = [await training.state()];
  for (const batch of batches) {
    await training.steps([batch], Float32Array.of(rate));
    states.push(await training.state());
  }
  await training.dispose();
  return states;
}

/** The squared norm of the gradient of a batch: what plain gradient descent at the rate 1 takes from the weights. */
async function squaredNorm(engine: Engine, weights: TrainingState["weights"], step: number): Promise<number> {
  const optimiser = { use: "sgd", momentum: 0 } as const;
  const training = await openTraining(engine, net, loss, { optimiser, rows: ROWS }, { weights });
  await training.steps([batches[step]!], Float32Array.of(1));
  const after = (await training.state()).weights;
  await training.dispose();
  return net.parameters
    .filter(({ trained }) => trained)
    .reduce(
      (all, { name }) =>
        all + weights.get(name)!.reduce((sum, weight, i) => sum + (weight - after.get(name)![i]!) ** 2, 0),
      0,
    );
}

/** The values of every eighth position of random games, between -1 and 1. */
async function valuesOf(engine: Engine, weights: TrainingState["weights"]): Promise<number[]> {
  const inference = await openInference(engine, net, weights);
  const { batch, rows } = randomSample(opened.game, networkOf(opened, "zero"));
  const value = new Float32Array(rows * 2);
  await inference.run(batch, rows, { value, prior: new Float32Array(rows * batch.width) });
  await inference.dispose();
  return [...value].filter((_, i) => Math.floor(i / 2) % 8 === 0);
}

it("compares versions by norms of gradients and by values, also from the middle of a version on", async () => {
  const engine = await openEngine({ threads: 1 });
  const states = await learned(engine);
  const open = (from: TrainingState, tensors = start) =>
    VersionFigures.open(engine, opened, "zero", { optimiser: adam, values: true }, from, tensors);
  const figures = await open(states[0]!);
  const first = await figures.of(states[1]!);
  // Interrupted after a step of the second version.
  const continued = await open(states[2]!, figures.kept);
  const second = await figures.of(states[3]!);
  expect(await continued.of(states[3]!)).toEqual(second);

  const squares: number[] = [];
  for (const step of [0, 1, 2]) squares.push(await squaredNorm(engine, states[step]!.weights, step));
  expect(first["gradient norm"]! / Math.sqrt(squares[0]!)).toBeCloseTo(1, 3);
  const weighted = (BETA2 * squares[1]! + squares[2]!) / (1 + BETA2);
  expect(second["gradient norm"]! / Math.sqrt(weighted)).toBeCloseTo(1, 3);

  const [before, after] = [
    await valuesOf(engine, states[1]!.weights),
    await valuesOf(engine, states[3]!.weights),
  ];
  expect(after).toHaveLength(2 * 32);
  // The range of values is 2.
  const drift = after.reduce((sum, value, i) => sum + Math.abs(value - before[i]!) / 2, 0) / after.length;
  expect(second["value drift"]! / drift).toBeCloseTo(1, 4);
  expect(drift).toBeGreaterThan(0.0001);
});

it("has no norm of another optimiser than Adam, and no values that are not learned", async () => {
  const engine = await openEngine({ threads: 1 });
  const version: ComparedVersion = { weights: weightsOf(start), optimiser: new Map() };
  const of = async (optimiser: Parameters<typeof VersionFigures.open>[3]["optimiser"], values: boolean) => {
    const figures = await VersionFigures.open(engine, opened, "zero", { optimiser, values }, version, start);
    return Object.keys(await figures.of(version));
  };
  expect(await of({ use: "sgd" }, true)).toEqual(["value drift"]);
  expect(await of(adam, false)).toEqual(["gradient norm"]);
});
