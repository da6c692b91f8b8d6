import { computesItself, type Engine } from "../../../compute/engine.ts";
import { int8Activations, int8Error, int8Ranges } from "../../../models/nets/int8.ts";
import type { Inference } from "../../../models/net.ts";
import { openInference } from "../../../models/nets/inference.ts";
import { networkOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import { randomSample, type CalibrationSample } from "./calibration.ts";

/** What was measured of a net, and what it is computed in from then on. */
export interface DecidedEvaluations {
  readonly evaluations: "float32" | "int8";
  /** How many times as fast int8 is. All figures are absent if the net or its engine has no int8. */
  readonly speedup?: number;
  /** Mean absolute difference of values, in units of the net's `valueScale`; absent without a value head. */
  readonly valueError?: number;
  /** Mean divergence of priors in nats; absent without a policy. */
  readonly divergence?: number;
}

/** The least speed-up, and the greatest errors, for which int8 is chosen. */
const LEAST_SPEEDUP = 1.3;
const MOST_VALUE_ERROR = 0.03;
const MOST_DIVERGENCE = 0.02;

/** Rows of the batches that are timed: about as many as games in flight request. */
const ROWS = 16;
/** Number of times that each form is timed. The fastest time counts: other work of the machine comes and goes. */
const ROUNDS = 15;

/** Measures a net of `evaluations: auto` with the weights that a run begins with, and decides. */
export async function decideEvaluations(
  engine: Engine,
  opened: OpenExperiment,
  name: string,
  weights: ReadonlyMap<string, Float32Array>,
): Promise<DecidedEvaluations> {
  const network = networkOf(opened, name);
  const { net } = network;
  const { compute } = opened.experiment;
  if (compute.engine === "tfjs" || !computesItself(compute) || int8Activations(net) === 0)
    return { evaluations: "float32" };
  const sample = randomSample(opened.game, network);
  const { batch, rows } = sample;
  const ranges = await int8Ranges(engine, net, weights, batch, rows);
  const forms = [
    await openInference(engine, net, weights),
    await openInference(engine, net, weights, ranges),
  ];
  try {
    const [float32, int8] = forms as [Inference, Inference];
    const { divergence, value } = await int8Error(net, float32, int8, batch, rows);
    const [slow, fast] = (await timesOf(forms, sample, net.seats)) as [number, number];
    const speedup = slow / fast;
    const valueError = value / net.valueScale;
    const exact = !(valueError > MOST_VALUE_ERROR) && !(divergence > MOST_DIVERGENCE);
    return {
      evaluations: exact && speedup >= LEAST_SPEEDUP ? "int8" : "float32",
      speedup: rounded(speedup),
      ...(Number.isNaN(valueError) ? {} : { valueError: rounded(valueError) }),
      ...(Number.isNaN(divergence) ? {} : { divergence: rounded(divergence) }),
    };
  } finally {
    for (const form of forms) await form.dispose();
  }
}

/** The least time of a batch of each form, in milliseconds. */
async function timesOf(
  forms: readonly Inference[],
  { batch }: CalibrationSample,
  seats: number,
): Promise<number[]> {
  const out = { value: new Float32Array(ROWS * seats), prior: new Float32Array(ROWS * batch.width) };
  const times = forms.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, form] of forms.entries()) {
      const begun = performance.now();
      await form.run(batch, ROWS, out);
      times[i] = Math.min(times[i]!, performance.now() - begun);
    }
  return times;
}

function rounded(figure: number): number {
  return Number(figure.toPrecision(3));
}
