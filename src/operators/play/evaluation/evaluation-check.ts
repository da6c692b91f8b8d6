import { computesItself, type Engine, type EngineOptions } from "../../../compute/engine.ts";
import { ROWS } from "../../../compute/tensors.ts";
import { NumberUnsound } from "../../../messages/number-unsound.ts";
import { openLayers } from "../../../models/nets/layer-outputs.ts";
import { packedShapes } from "../../../models/nets/packed-input.ts";
import type { Inference, InferenceBatch, InferenceOutputs, Net } from "../../../models/net.ts";
import type { EvaluatorMeter } from "./evaluator-meter.ts";

/** The share of the batches that is computed again if a file does not say, unless ONNX Runtime computes on the CPU. */
const USUAL_SHARE = 0.01;

/**
 * The largest relative difference that is rounding. In float32 two correct engines differ by some 1e-5 after twenty layers; a layer
 * that is wrong by a hundredth changes outputs by far more.
 */
export const MOST_DIFFERENCE = 1e-3;

/** Maximum number of rows of a batch that are computed again: a CPU takes a thousand times as long as a GPU. */
const MOST_ROWS = 16;

/** A check begins only if so many times the time of the last one has passed since: checks take at most a twentieth of a thread. */
const REST = 20;

/** Probabilities below this are not compared: their logarithms have no exact digits. */
const LEAST_PROBABILITY = 1e-6;
/** Values and logits that are smaller than this, in their own unit, are compared as if they were this large. */
const FLOOR = 0.01;

/** The share of the batches that is computed again on the CPU. */
export function checkedShare(compute: EngineOptions & { readonly check?: number }): number {
  if (compute.check !== undefined) return compute.check;
  return computesItself({ device: "cpu", ...compute }) && compute.engine !== "tfjs" ? 0 : USUAL_SHARE;
}

/** What is needed to compare a net's evaluations. */
export interface EvaluationCheckOptions {
  /** The share of the batches, more than 0, at most 1. */
  readonly share: number;
  readonly net: Net;
  /** The engine that is checked, and the one that it is compared with. */
  readonly engine: Engine;
  readonly reference: Engine;
  /** Opens a version on the reference, in the precision in which it is played with. */
  readonly open: (weights: ReadonlyMap<string, Float32Array>) => Promise<Inference>;
  readonly meter: Pick<EvaluatorMeter, "checked">;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Computes a share of a net's batches again on the CPU, and fails if the numbers differ by more than rounding: a wrong driver, a
 * wrong kernel or a stale version of the weights then ends a run in its first minute.
 *
 * The first batch of each version is compared, then one of 1 / share batches, as long as checks take at most a twentieth of the
 * time. Of a batch at most 16 rows are compared, each time others. What is compared changes no result.
 */
export class EvaluationCheck {
  readonly #options: EvaluationCheckOptions;
  readonly #now: () => number;
  #batches = 0;
  #checks = 0;
  #restsUntil = 0;

  constructor(options: EvaluationCheckOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The version with checks. `called` is what messages call it. Its `run` throws NumberUnsound. */
  watch(inference: Inference, weights: ReadonlyMap<string, Float32Array>, called: string): Inference {
    let reference: Promise<Inference> | undefined;
    return {
      ...(inference.outOfRange === undefined ? {} : { outOfRange: () => inference.outOfRange!() }),
      run: async (batch, rows, out) => {
        await inference.run(batch, rows, out);
        const first = reference === undefined;
        const due = this.#isDue();
        if (!first && !due) return;
        const begun = this.#now();
        const opened = await (reference ??= this.#options.open(weights));
        await this.#compare(opened, weights, called, batch, rows, out);
        const ended = this.#now();
        this.#restsUntil = ended + REST * (ended - begun);
      },
      dispose: async () => {
        await Promise.all([inference.dispose(), reference?.then((opened) => opened.dispose())]);
      },
    };
  }

  #isDue(): boolean {
    const { share } = this.#options;
    const before = Math.floor(this.#batches * share);
    this.#batches++;
    return Math.floor(this.#batches * share) > before && this.#now() >= this.#restsUntil;
  }

  async #compare(
    reference: Inference,
    weights: ReadonlyMap<string, Float32Array>,
    called: string,
    batch: InferenceBatch,
    rows: number,
    out: InferenceOutputs,
  ): Promise<void> {
    const { engine, meter, net, reference: cpu } = this.#options;
    const count = Math.min(rows, MOST_ROWS);
    const first = (this.#checks++ * MOST_ROWS) % (rows - count + 1);
    const part = partOf(net, batch, first, count);
    const width = net.actions === undefined ? 0 : batch.width;
    const expected = {
      value: new Float32Array(net.hasValue === false ? 0 : count * net.seats),
      prior: new Float32Array(count * width),
    };
    await reference.run(part, count, expected);
    const value = out.value.subarray(first * net.seats, first * net.seats + expected.value.length);
    const prior = (out.prior ?? expected.prior).subarray(first * width, (first + count) * width);
    const differences = {
      values: valueDifference(value, expected.value, net.valueScale),
      priors: priorDifference(prior, expected.prior, width),
    };
    const largest = Math.max(differences.values, differences.priors);
    meter.checked(count, largest);
    if (largest <= MOST_DIFFERENCE) return;
    const which = differences.values >= differences.priors ? "values" : "priors";
    // A model has no layers of ours, and tfjs records no graph whose values could be looked at.
    const named = net.model === undefined && engine.name !== "tfjs";
    const layer = named ? await this.#firstWrong(weights, part, count) : undefined;
    throw new NumberUnsound(
      `${called} is not computed correctly: the ${which} of ${engine.description} differ from those of ${cpu.description} by ${largest.toPrecision(2)} of their size, where rounding differs by at most ${MOST_DIFFERENCE}${layer === undefined ? "" : `; ${layer}`}. What this run has played and learned is not to be trusted: update the driver and the package that computes, or choose another device or engine under compute (docs/evaluation.md#checked-evaluations)`,
    );
  }

  /** The first layer whose output differs, as a clause. */
  async #firstWrong(
    weights: ReadonlyMap<string, Float32Array>,
    batch: InferenceBatch,
    rows: number,
  ): Promise<string> {
    const { engine, net, reference } = this.#options;
    const [actual, expected] = await Promise.all(
      [engine, reference].map(async (each) => {
        const layers = await openLayers(each, net, weights);
        try {
          return await layers.run(batch, rows);
        } finally {
          await layers.dispose();
        }
      }),
    );
    for (const [name, numbers] of expected!)
      if (relativeDifference(actual!.get(name)!, numbers, 0) > MOST_DIFFERENCE)
        return `the first layer that differs is ${name}`;
    return "computed again from the same weights no layer differs, as if the numbers were those of another version";
  }
}

/** Rows of a batch, without copies. */
function partOf(
  net: Net,
  { bytes, floats, gather, width }: InferenceBatch,
  first: number,
  count: number,
): InferenceBatch {
  const widths = packedShapes(net, ROWS);
  const part = <A extends Uint8Array | Float32Array | Int32Array>(array: A, size = 0) =>
    array.subarray(first * size, (first + count) * size) as A;
  return {
    bytes: part(bytes, widths["bytes"]?.[1]),
    floats: part(floats, widths["floats"]?.[1]),
    gather: part(gather, width),
    width,
  };
}

/** The largest difference of two arrays, relative to the largest number of the second, or to `least` if that is larger. */
function relativeDifference(actual: Float32Array, expected: Float32Array, least: number): number {
  let difference = 0;
  let size = Math.max(least, 1e-30);
  for (const [i, value] of expected.entries()) {
    size = Math.max(size, Math.abs(value));
    // Equal infinite numbers, and NaN on both sides: a net that gives such numbers is reported elsewhere.
    if (Object.is(actual[i], value)) continue;
    const error = Math.abs(actual[i]! - value);
    difference = Math.max(difference, Number.isNaN(error) ? Infinity : error);
  }
  return difference / size;
}

function valueDifference(actual: Float32Array, expected: Float32Array, scale: number): number {
  return relativeDifference(actual, expected, FLOOR * scale);
}

/** The largest difference of logits, which are the logarithms of the priors but for a constant, relative to their spread in a row. */
function priorDifference(actual: Float32Array, expected: Float32Array, width: number): number {
  let difference = 0;
  let spread = FLOOR;
  for (let row = 0; row < expected.length; row += width) {
    let [least, most] = [Infinity, -Infinity];
    for (let i = row; i < row + width; i++) {
      const probability = expected[i]!;
      if (!(probability >= LEAST_PROBABILITY)) continue;
      const logarithm = Math.log(probability);
      least = Math.min(least, logarithm);
      most = Math.max(most, logarithm);
      const error = Math.abs(Math.log(actual[i]!) - logarithm);
      difference = Math.max(difference, Number.isNaN(error) ? Infinity : error);
    }
    spread = Math.max(spread, most - least);
  }
  return difference / spread;
}
