import type { Engine } from "../../../compute/engine.ts";
import type { OptimiserOptions } from "../../../compute/optimiser.ts";
import { ROWS } from "../../../compute/tensors.ts";
import { STEP } from "../../../compute/training-program.ts";
import { trainingFigures } from "../../../events/training-figures.ts";
import { playedFor } from "../../../games/outcome.ts";
import { packedShapes, packedTypes, unpackPlanes } from "../../../models/nets/packed-input.ts";
import { present } from "../../../models/nets/inference.ts";
import { randomSample } from "../../play/evaluation/calibration.ts";
import { networkOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import { forecastRange } from "../../play/forecast-tally.ts";
import type { Tensor, Tensors } from "../../run/items.ts";
import { sumOf } from "../../../stats/sum-of.ts";
import { part } from "../../run/weights/named-tensors.ts";

/** Number of positions whose values are compared: they take a tenth of the time of a step of 256 positions. */
const POSITIONS = 32;

/** The names under which a state in the middle of a version holds what the version before is compared by. */
const PREFIX = "figures/";

type Arrays = ReadonlyMap<string, Float32Array>;

/** A version of a net: its weights as they play, and the state of its optimiser. */
export interface ComparedVersion {
  readonly weights: Arrays;
  readonly optimiser: Arrays;
}

/** Computes the values of the positions, in units of the range of values. */
type ValuesOf = (weights: Arrays) => Promise<Float32Array>;

/** What is kept of a version. */
interface Kept {
  /** The values of the positions; empty if none are compared. */
  readonly values: Float32Array;
  /** The number of steps before it, and the sum of Adam's running mean squared gradients over all weights. */
  readonly steps: number;
  readonly squares: number;
}

/**
 * Compares each version of a net with the one before. Training steps compute nothing more for it:
 *
 * - Values of 32 positions of random games, the same for all versions, are computed anew.
 * - The norm of the gradient follows from the state of Adam. From one version to the next, n steps later, the running mean of the
 *   squared gradients goes from s to s'. So the mean over these steps, of which later ones weigh a little more, is
 *   (s' - beta2^n s) / (1 - beta2^n). Its root is the norm. Another optimiser keeps no squares.
 */
export class VersionFigures {
  readonly #valuesOf: ValuesOf | undefined;
  readonly #beta2: number | undefined;
  #before: Kept = { values: new Float32Array(0), steps: 0, squares: 0 };

  private constructor(valuesOf: ValuesOf | undefined, optimiser: OptimiserOptions) {
    this.#valuesOf = valuesOf;
    this.#beta2 = optimiser.use === "adam" ? (optimiser.beta2 ?? 0.999) : undefined;
  }

  /**
   * Begins with a version, or in the middle of one: then `start` holds what `kept` has added to its state. `values` is whether values
   * are learned.
   */
  static async open(
    engine: Engine,
    opened: OpenExperiment,
    net: string,
    { optimiser, values: learnsValues }: { readonly optimiser: OptimiserOptions; readonly values: boolean },
    version: ComparedVersion,
    start: Tensors,
  ): Promise<VersionFigures> {
    const valuesOf = learnsValues ? await openValues(engine, opened, net) : undefined;
    const figures = new VersionFigures(valuesOf, optimiser);
    const values = part(start, `${PREFIX}values`).get("");
    const counts = part(start, `${PREFIX}counts`).get("");
    figures.#before =
      values instanceof Float32Array && counts instanceof Float64Array
        ? { values, steps: counts[0]!, squares: counts[1]! }
        : await figures.#keptOf(version);
    return figures;
  }

  /** The figures of the next version by name. */
  async of(version: ComparedVersion): Promise<Readonly<Record<string, number>>> {
    const before = this.#before;
    const now = (this.#before = await this.#keptOf(version));
    const decay = (this.#beta2 ?? NaN) ** (now.steps - before.steps);
    const squares = Math.max(0, (now.squares - decay * before.squares) / (1 - decay));
    const changes = now.values.map((value, i) => Math.abs(value - before.values[i]!));
    return {
      ...(this.#beta2 === undefined ? {} : { [trainingFigures.gradientNorm]: Math.sqrt(squares) }),
      ...(this.#valuesOf === undefined
        ? {}
        : { [trainingFigures.valueDrift]: sumOf(changes) / changes.length }),
    };
  }

  /** What a state in the middle of a version must hold. */
  get kept(): Tensors {
    const { squares, steps, values } = this.#before;
    return new Map<string, Tensor>([
      [`${PREFIX}values`, { shape: [values.length], data: values }],
      [`${PREFIX}counts`, { shape: [2], data: Float64Array.of(steps, squares) }],
    ]);
  }

  async #keptOf({ optimiser, weights }: ComparedVersion): Promise<Kept> {
    const squares = [...optimiser].filter(([name]) => name.startsWith("square/"));
    return {
      values: (await this.#valuesOf?.(weights)) ?? new Float32Array(0),
      steps: optimiser.get(STEP)?.[0] ?? 0,
      squares: squares.reduce((all, [, each]) => all + sumOf(each), 0),
    };
  }
}

/** Opens a net whose weights are inputs; undefined if its values have no bounds. */
async function openValues(
  engine: Engine,
  opened: OpenExperiment,
  name: string,
): Promise<ValuesOf | undefined> {
  const network = networkOf(opened, name);
  const { net, values: kind } = network;
  const range = forecastRange(playedFor(opened.game, kind));
  if (Number.isNaN(range)) return undefined;
  const parameters = Object.fromEntries(net.parameters.map(({ name: path, shape }) => [path, shape]));
  const compiled = await engine.compile(
    (inputs) => present({ value: net.forward(inputs, unpackPlanes(net, inputs), false).value }),
    { ...packedShapes(net, ROWS), ...parameters },
    { types: packedTypes, name: `${net.name} values` },
  );
  const { batch, rows } = randomSample(opened.game, network);
  const [bytes, floats] = [everyRow(batch.bytes, rows), everyRow(batch.floats, rows)];
  return async (weights) => {
    const value = new Float32Array(POSITIONS * net.seats);
    await compiled.run({ bytes, floats, ...Object.fromEntries(weights) }, { value }, POSITIONS);
    return value.map((each) => each / range);
  };
}

/** Rows at equal distances: neighbours are of one game. */
function everyRow<A extends Uint8Array | Float32Array>(all: A, rows: number): A {
  const [width, every] = [all.length / rows, Math.floor(rows / POSITIONS)];
  return all.filter((_: number, i: number) => Math.floor(i / width) % every === 0) as A;
}
