import { ComputeUnavailable, type Engine, type EngineOptions } from "../../../compute/engine.ts";
import { openEngine } from "../../../compute/open-engine.ts";
import { type LossOptions, openLoss } from "../../../models/nets/loss.ts";
import { openTraining } from "../../../models/nets/training.ts";
import type { OptimiserOptions } from "../../../compute/optimiser.ts";
import { Random } from "../../../random.ts";
import { type Schedule, scheduled } from "../../../schedule.ts";
import { randomReplay } from "../cost/random-games.ts";
import { type ComputeConfig, networkOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import type { Foreseen, GamesOffer } from "../../operator.ts";
import { batchLayout } from "../../play/examples/batch-layout.ts";
import { BatchSampler } from "../../learning/replay/batch-sampler.ts";
import { weightsOf } from "../../run/weights/named-tensors.ts";
import { freshWeights } from "../../run/weights/net-weights.ts";
import { processorSecondsFrom } from "../../../workers/processor-time.ts";

/** Positions of a batch at most, and steps at most. */
const MOST_ROWS = 16;
const MOST_STEPS = 40;

/** Processor seconds of the steps. */
const SECONDS = 0.8;

/** A step of more multiplications than this is not tried: some steps would take seconds. */
const MOST_PRODUCTS = 2e9;

/**
 * The loss on one batch that is learned again and again falls. If it is not below this share of its start in the end, the steps are too
 * large: with bounded activations a loss does not grow without end, but saturates. Rates of a millionth let it fall by more.
 */
const FALLEN = 0.999;

/** A loss that rises to this multiple of its start has diverged, even if it falls again. The first steps of Adam may raise it by a half. */
const RISEN = 4;

/**
 * Nets that learn have memorised a batch of 16 positions after 40 steps: of the experiments that come with ludoflow none had more than 0.18 of
 * its loss left, a net of eight filters at a rate of 0.001 had 0.53. A net whose planes were divided by 255 had 0.77.
 */
const LEARNED = 0.7;

/** The settings of a trainer that a trial needs. */
interface Trained {
  readonly net: string;
  readonly batch: number;
  readonly loss: LossOptions;
  readonly optimiser: OptimiserOptions;
  readonly rate: Schedule;
}

/**
 * Takes the first steps of a run on one batch of positions of random games, with fresh weights and the rates of these steps, and
 * warns if the loss rises instead of falling, or falls by little.
 */
export async function rateTrial(
  { net: name, batch, loss, optimiser, rate }: Trained,
  opened: OpenExperiment,
  games: GamesOffer,
): Promise<Foreseen[]> {
  const { experiment } = opened;
  const network = networkOf(opened, name);
  const rows = Math.min(batch, MOST_ROWS);
  const { input, parameters } = network.net;
  const products = parameters.reduce((sum, { shape }) => {
    const weights = shape.reduce((all, each) => all * each, 1);
    // The weights of a convolution are applied at every cell.
    return sum + weights * (shape.length === 4 ? input[0] * input[1] : 1);
  }, 0);
  // Three passes: forwards, back to the inputs and to the weights.
  if (3 * products * rows > MOST_PRODUCTS)
    return [
      {
        key: "rate",
        note: "the learning rate was not tried: a step of this net takes too long",
      },
    ];
  let engine: Engine;
  try {
    engine = await openEngine(trialCompute(experiment.compute));
  } catch (error) {
    // The run reports this error, unless PyTorch computes its nets.
    if (error instanceof ComputeUnavailable) return [];
    throw error;
  }
  const sampler = new BatchSampler(
    opened.game,
    batchLayout({ batch: rows, loss, symmetries: false }, network),
  );
  const drawn = sampler.draw(randomReplay(opened, games), Random.named("foresight", "batch"), 0);
  const training = await openTraining(
    engine,
    network.net,
    openLoss(loss),
    { optimiser, rows, brief: true },
    { weights: weightsOf(freshWeights(opened, name)) },
  );
  try {
    const passed = processorSecondsFrom();
    const losses: number[] = [];
    while (losses.length < MOST_STEPS && passed() < SECONDS) {
      const step = Float32Array.of(scheduled(rate, losses.length + 1));
      losses.push((await training.steps([drawn], step))["total"]![0]!);
    }
    const last = scheduled(rate, losses.length);
    if (diverged(losses)) return [divergence(last, rows, losses)];
    const learned = losses.length < MOST_STEPS || losses.at(-1)! < LEARNED * losses[0]!;
    return learned ? [] : [slowness(last, rows, losses)];
  } finally {
    await training.dispose();
  }
}

/** Whether losses on one batch do not fall, or are NaN. */
function diverged(losses: readonly number[]): boolean {
  const late = losses.slice(-Math.ceil(losses.length / 4));
  return losses.some((loss) => !(loss < RISEN * losses[0]!)) || Math.min(...late) > FALLEN * losses[0]!;
}

/** Where the steps are tried: on the CPU. PyTorch's process takes seconds to start, and ONNX Runtime takes the same steps. */
function trialCompute({ python: _python, engine, ...compute }: ComputeConfig): EngineOptions {
  return { ...compute, engine: engine === "torch" ? "onnx" : engine, device: "cpu", threads: 1 };
}

function slowness(rate: number, rows: number, losses: readonly number[]): Foreseen {
  const says = `in ${losses.length} steps on one batch of ${rows} positions of random games, at the learning rate ${rate}, the loss falls only from ${losses[0]!.toPrecision(3)} to ${losses.at(-1)!.toPrecision(3)}: a net that learns memorises so few positions`;
  return {
    key: "rate",
    name: "frozen-net",
    says,
    cure: "Raise the rate. Else look at the net: whether what it sees is about as large as 1 (planes of zeros and ones are not divided), whether each layer reaches the heads, and whether it has enough weights",
  };
}

function divergence(rate: number, rows: number, losses: readonly number[]): Foreseen {
  const text = (loss: number) => (Number.isFinite(loss) ? loss.toPrecision(3) : "no number");
  const worst = losses.reduce((most, loss) => (loss <= most ? most : loss), losses[0]!);
  const says = `at the learning rate ${rate} training diverges: in ${losses.length} steps on one batch of ${rows} positions of random games the loss goes from ${text(losses[0]!)} up to ${text(worst)} and ends at ${text(losses.at(-1)!)}, although it should fall`;
  return {
    key: "rate",
    name: "diverging-rate",
    says,
    cure: "Take a tenth of the rate",
  };
}
