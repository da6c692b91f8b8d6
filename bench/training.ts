import { join } from "node:path";
import { openEngine } from "../src/compute/open-engine.ts";
import { readExperiment } from "../src/graph/experiment-file.ts";
import { type LossOptions, openLoss } from "../src/models/nets/loss.ts";
import { initialWeights } from "../src/models/net.ts";
import { openTraining } from "../src/models/nets/training.ts";
import { networkOf, openExperiment } from "../src/operators/experiment/open-experiment.ts";
import { BatchSampler } from "../src/operators/learning/replay/batch-sampler.ts";
import { encodeGameExamples } from "../src/operators/play/examples/game-examples.ts";
import { HeldGames } from "../src/operators/learning/replay/held-games.ts";
import type { ReplayReady } from "../src/operators/run/items.ts";
import { batchLayout } from "../src/operators/play/examples/batch-layout.ts";
import { batchesAtOnce } from "../src/operators/learning/training/net-steps.ts";
import { Random } from "../src/random.ts";
import { processorMs } from "./in-turn.ts";
import { inventedGame } from "./invented-game.ts";
import { type BenchReport, median } from "./report.ts";

/** The experiment whose trainer is measured, and its stage. */
const FILE = join(import.meta.dirname, "../experiments/blokuszero-fast.yaml");
const STAGE = "weights";

/** Games in the buffer. */
const GAMES = 4;

/** Calls of each kind that are measured; the result is the median. */
const ROUNDS = 5;

/**
 * `bench training`: minibatches of `experiments/blokuszero-fast.yaml` as its trainer draws and learns them. The size of one;
 * the processor time of drawing one, and of a training step on one, copies of the batch included. One thread computes.
 *
 * The games are played by a search of few simulations with invented priors and values.
 */
export async function benchTraining(): Promise<BenchReport> {
  const opened = openExperiment(readExperiment(FILE).experiment);
  const { game } = opened;
  const settings = opened.experiment.graph[STAGE] as unknown as {
    readonly net: string;
    readonly batch: number;
    readonly loss: LossOptions;
    readonly symmetries: boolean;
    readonly optimiser: { readonly use: "adam" };
    readonly averaging: number;
  };
  const open = networkOf(opened, settings.net);
  const held = new HeldGames({ capacity: Infinity, games: () => Infinity, memory: Infinity });
  for (let index = 0; index < GAMES; index++) {
    const played = inventedGame(game, { search: "gumbel", simulations: 16, deviation: 1, index });
    const samples = encodeGameExamples(game, played, { resultWeight: 1, quick: "values" });
    const item = { source: "", index, generation: 0, closes: true, last: true, layout: "games" } as const;
    held.add({ ...item, samples, reread: () => samples });
  }
  const at = (position: number) => held.at(position);
  const replay = { layout: "games", size: held.size, at } as unknown as ReplayReady;
  const sampler = new BatchSampler(game, batchLayout(settings, open));
  const most = batchesAtOnce(sampler.bytes);
  const draw = (round: number) =>
    Array.from({ length: most }, (_, i) =>
      sampler.draw(replay, Random.named("bench", "training", round, i), i),
    );
  const training = await openTraining(
    await openEngine({ engine: "onnx", threads: 1 }),
    open.net,
    openLoss(settings.loss),
    { optimiser: settings.optimiser, rows: settings.batch, averaging: settings.averaging },
    { weights: initialWeights(open.net, Random.named("bench", "training")) },
  );
  const rates = new Float32Array(most).fill(1e-4);
  const drawing: number[] = [];
  const learning: number[] = [];
  // The round before 0 warms up.
  for (let round = -1; round < ROUNDS; round++) {
    const begun = processorMs();
    const batches = draw(round);
    const drawn = processorMs();
    await training.steps(batches, rates);
    if (round < 0) continue;
    drawing.push((drawn - begun) / most);
    learning.push((processorMs() - drawn) / most);
  }
  await training.dispose();
  const row = { case: `blokuszero-fast, ${settings.batch} positions` };
  return {
    bench: "training",
    rows: [
      { ...row, metric: "a minibatch", value: sampler.bytes, unit: "bytes" },
      { ...row, metric: "minibatches in a call", value: most, unit: "" },
      { ...row, metric: "drawing one", value: median(drawing), unit: "ms" },
      { ...row, metric: "a training step", value: median(learning), unit: "ms" },
    ],
  };
}
