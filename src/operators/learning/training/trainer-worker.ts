/** The thread of a trainer: holds the weights and the state of the optimiser, and performs optimiser steps. */
import { parentPort, workerData } from "node:worker_threads";
import type { OptimiserOptions } from "../../../compute/optimiser.ts";
import { openEngine } from "../../../compute/open-engine.ts";
import { INT8_RANGES } from "../../../models/net.ts";
import { NO_INDEX } from "../../../models/nets/gather-logits.ts";
import type { Int8Error } from "../../../models/nets/int8.ts";
import { type LossOptions, openLoss } from "../../../models/nets/loss.ts";
import { openTraining, type TrainingBatch } from "../../../models/nets/training.ts";
import { serve } from "../../../workers/serve.ts";
import type { Tensor, Tensors } from "../../run/items.ts";
import { calibrated, playsInInt8, type CalibrationSample } from "../../play/evaluation/calibration.ts";
import { type ComputeConfig, type Experiment, openExperiment } from "../../experiment/open-experiment.ts";
import { floats, part, rangesTensor, weightsOf } from "../../run/weights/named-tensors.ts";
import { VersionFigures } from "./version-figures.ts";

/** The `workerData` of the thread. */
export interface TrainerData {
  readonly experiment: Experiment;
  readonly net: string;
  readonly compute: ComputeConfig;
  readonly batch: number;
  readonly optimiser: OptimiserOptions;
  readonly loss: LossOptions;
  /** Decay of the moving average of the weights, which plays in place of the weights; null for no average. */
  readonly averaging: number | null;
  /** Whether minibatches at the rate 0 only add their gradients to that of the next step. */
  readonly accumulating?: boolean;
  /** The tensors of an earlier `state` response. With an average, `weights/...` is the average and `learned/...` the weights in training. */
  readonly start: Tensors;
}

/** A request to the thread. */
export type ToTrainer =
  | { readonly type: "steps"; readonly batches: readonly TrainingBatch[]; readonly rates: Float32Array }
  | {
      readonly type: "state";
      /** Whether this is a version, to be compared with the one before, or a part of one; absent: nothing is compared. */
      readonly compare?: "version" | "partial";
    };

/** The response to a request of the same type. */
export type FromTrainer =
  | { readonly type: "steps"; readonly losses: Readonly<Record<string, Float32Array>> }
  | {
      readonly type: "state";
      readonly tensors: Tensors;
      /** Figures of a version by name. */
      readonly figures?: Readonly<Record<string, number>>;
      /** Of weights that have learned in this thread and play in int8. */
      readonly int8Error?: Int8Error;
    };

const {
  experiment,
  net: name,
  compute,
  batch,
  optimiser,
  loss,
  averaging,
  accumulating = false,
  start,
} = workerData as TrainerData;
const opened = openExperiment(experiment);
const open = opened.nets.get(name)!;
if (open.kind !== "network") throw new Error(`"${name}" is not trained by gradient descent`);
const { net } = open;
const state = floats(part(start, "optimiser/"));
const learned = floats(part(start, "learned/"));
const options = { optimiser, rows: batch, accumulating, ...(averaging === null ? {} : { averaging }) };
const enginePromise = openEngine(compute);
const opening = enginePromise.then((engine) =>
  openTraining(engine, net, openLoss(loss), options, {
    weights: learned.size === 0 ? weightsOf(start) : learned,
    ...(state.size === 0 ? {} : { optimiser: state }),
  }),
);
const calibrates = playsInInt8(opened, name);
/** The ranges of the activations, once weights have some. */
let ranges = weightsOf(start).get(INT8_RANGES);
/** The positions of the last minibatch since the ranges were measured. */
let sample: CalibrationSample | undefined;
const shapes = new Map(net.parameters.map(({ name: parameter, shape }) => [parameter, shape]));

/** A copy of the positions of a minibatch: its memory is used again. */
function sampleOf({ bytes, floats, policyIndices }: TrainingBatch): CalibrationSample {
  const width = net.maxLegal ?? 0;
  const gather = policyIndices?.slice() ?? new Int32Array(batch * width).fill(NO_INDEX);
  return { batch: { bytes: bytes.slice(), floats: floats.slice(), gather, width }, rows: batch };
}

let watched: Promise<VersionFigures> | undefined;
/** What compares the versions, the first one with that of the start. */
function figuresOf(): Promise<VersionFigures> {
  watched ??= enginePromise.then((engine) =>
    VersionFigures.open(
      engine,
      opened,
      name,
      { optimiser, values: net.hasValue !== false && openLoss(loss).value },
      { weights: weightsOf(start), optimiser: state },
      start,
    ),
  );
  return watched;
}

// Before training is open, so that the thread can be ended meanwhile.
serve<ToTrainer, FromTrainer>(parentPort!, async (request) => {
  const training = await opening;
  if (request.type === "steps") {
    const losses = await training.steps(request.batches, request.rates);
    if (calibrates) sample = sampleOf(request.batches.at(-1)!);
    return { type: "steps", losses };
  }
  const { compare } = request;
  const now = await training.state();
  const tensors = new Map<string, Tensor>();
  const played = now.average ?? now.weights;
  for (const [parameter, data] of played)
    tensors.set(`weights/${parameter}`, { shape: shapes.get(parameter)!, data });
  const version = { weights: played, optimiser: now.optimiser };
  const figures = compare === "version" ? await (await figuresOf()).of(version) : undefined;
  if (compare === "partial") for (const [key, tensor] of (await figuresOf()).kept) tensors.set(key, tensor);
  let int8Error: Int8Error | undefined;
  if (sample !== undefined) {
    ({ ranges, error: int8Error } = await calibrated(await enginePromise, net, played, sample));
    sample = undefined;
  }
  if (ranges !== undefined) tensors.set(...rangesTensor(ranges));
  if (now.average !== undefined)
    for (const [parameter, data] of now.weights)
      tensors.set(`learned/${parameter}`, { shape: shapes.get(parameter)!, data });
  for (const [slot, data] of now.optimiser) tensors.set(`optimiser/${slot}`, { shape: [data.length], data });
  return {
    type: "state",
    tensors,
    ...(figures === undefined ? {} : { figures }),
    ...(int8Error === undefined ? {} : { int8Error }),
  };
});
await opening;
