import type { Engine } from "../../../src/compute/engine.ts";
import type { OptimiserOptions } from "../../../src/compute/optimiser.ts";
import { cnn22 } from "../../../src/models/nets/cnn22.ts";
import { convolutional } from "../../../src/models/nets/convolutional.ts";
import { openLoss, type LossOptions } from "../../../src/models/nets/loss.ts";
import { mlp } from "../../../src/models/nets/mlp.ts";
import { initialWeights, type Net } from "../../../src/models/net.ts";
import { residual } from "../../../src/models/nets/residual.ts";
import { openTraining, type TrainingState } from "../../../src/models/nets/training.ts";
import { Random } from "../../../src/random.ts";
import { boardGame, netOf } from "../boards.ts";
import { batchFor } from "./random-batches.ts";

/** All auxiliary heads of a residual net. */
export const everything = { score: true, ownership: true, reply: true } as const;

/** A board for nets. */
export const board = boardGame(2, 11, [4, 4, 5]);

const packed = [
  { as: "bits", channels: 9 },
  { as: "uniform", channels: 2 },
  { as: "bytes", channels: 4, divisor: 200 },
  { as: "floats", channels: 2 },
] as const;

/** Every net and every part that a net may have, small, because the reference is slow. */
export const smallNets: readonly Net[] = [
  netOf(cnn22, board, { filters: [6, 8], units: [10, 7], deviation: 0.3, valueScale: 100 }),
  netOf(mlp, board, { hidden: [10, 9], policy: true }),
  netOf(mlp, board, { hidden: [12], valueActivation: "linear", valueScale: 50 }),
  netOf(residual, board, { filters: 6, blocks: 2, valueUnits: 8 }),
  // 5x5 filters on a board no larger than they are, and on a larger one; actions off the board.
  netOf(convolutional, boardGame(2, 18, [4, 4, 5], 1, undefined, 2), { filters: 6, layers: 2 }),
  netOf(convolutional, boardGame(2, 60, [7, 5, 3], 2), {
    filters: 5,
    layers: 3,
    value: true,
    valueUnits: 6,
  }),
  netOf(convolutional, boardGame(2, 7, [4, 4, 3]), { filters: 4, layers: 2, policy: false, value: true }),
  // Larger than what is convolved as a small board, and with filters that fill blocks of channels.
  netOf(residual, boardGame(2, 7, [5, 5, 3]), { filters: 16, blocks: 1, valueUnits: 5 }),
  netOf(residual, boardGame(3, 11, [3, 5, 3], 2), {
    filters: 5,
    blocks: 2,
    valueUnits: 6,
    policyHead: "convolutional",
    globalPooling: 3,
    ...everything,
  }),
  // AlphaZero's value head, and initial weights as by Caffe.
  netOf(residual, boardGame(2, 11, [3, 5, 3]), {
    filters: 5,
    blocks: 1,
    valueUnits: 6,
    valueFilters: 1,
    valueOutputs: "mover",
    values: "win-loss",
    xavier: "caffe",
  }),
  // More channels than a block has, and not whole blocks of them.
  netOf(residual, boardGame(2, 60, [5, 5, 17], 9, packed, 2), {
    filters: 16,
    blocks: 2,
    valueUnits: 5,
    policyHead: "convolutional",
    globalPooling: 8,
    ...everything,
  }),
];

/** All losses that a net can learn by. */
export function lossesOf(net: Net): readonly LossOptions[] {
  return [
    ...(net.hasValue === false
      ? []
      : ([
          { use: "value-regression" },
          { use: "value-regression", error: "huber" },
          { use: "value-regression", clip: 0.3 },
          { use: "value-regression", weighted: true },
        ] as const)),
    ...(net.actions === undefined || net.hasValue === false
      ? []
      : ([
          { use: "alphazero" },
          { use: "alphazero", legalOnly: true, weighted: true },
          { use: "alphazero", legalOnly: true, valueWeight: 0.7 },
        ] as const)),
    ...(net.name === "convolutional" && net.actions !== undefined
      ? ([{ use: "policy" }, { use: "policy", legalOnly: false }] as const)
      : []),
  ];
}

/** Trains a net from its initial weights, by one drawn minibatch of four positions for each rate. */
export async function trained(
  engine: Engine,
  net: Net,
  loss: LossOptions,
  options: OptimiserOptions,
  rates: readonly number[],
  averaging: { readonly averaging?: number } = {},
): Promise<{ losses: Readonly<Record<string, Float32Array>>; state: TrainingState }> {
  const random = Random.named("training", net.name);
  const weights = initialWeights(net, random);
  const rows = 4;
  const training = await openTraining(
    engine,
    net,
    openLoss(loss),
    { optimiser: options, rows, ...averaging },
    { weights },
  );
  const batches = rates.map(() => batchFor(net, rows, random));
  const losses = await training.steps(batches, Float32Array.from(rates));
  const state = await training.state();
  await training.dispose();
  return { losses, state };
}
