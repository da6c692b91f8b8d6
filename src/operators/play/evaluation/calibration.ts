import type { Engine } from "../../../compute/engine.ts";
import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import { PlanePacker } from "../../../games/packed-planes.ts";
import { NO_INDEX } from "../../../models/nets/gather-logits.ts";
import { gatherWidth } from "../../../models/nets/gather-width.ts";
import { openInference } from "../../../models/nets/inference.ts";
import { int8Error, type Int8Error, int8Ranges } from "../../../models/nets/int8.ts";
import { type Inference, type InferenceBatch, INT8_RANGES, type Net } from "../../../models/net.ts";
import type { OpenNetwork } from "../../../models/registry.ts";
import { Random } from "../../../random.ts";
import { networkOf, type OpenExperiment } from "../../experiment/open-experiment.ts";

/** Number of positions of random games by which a net is calibrated that has learned from none. */
const POSITIONS = 256;

/** The weights of a net by name. */
type Weights = ReadonlyMap<string, Float32Array>;

/** Positions for a net, and their number. */
export interface CalibrationSample {
  readonly batch: InferenceBatch;
  readonly rows: number;
}

/** Whether a net of an experiment plays in int8. */
export function playsInInt8({ experiment }: OpenExperiment, name: string): boolean {
  return experiment.nets[name]!.evaluations === "int8";
}

/**
 * A net as its experiment has it computed in play. In int8 it takes the ranges that are among the weights; if there are
 * none, those of random games: they are a function of the weights.
 */
export async function openPlayingNet(
  engine: Engine,
  opened: OpenExperiment,
  name: string,
  weights: Weights,
): Promise<Inference> {
  const { net } = networkOf(opened, name);
  if (!playsInInt8(opened, name)) return openInference(engine, net, weights);
  const ranges = weights.get(INT8_RANGES) ?? (await randomRanges(engine, opened, name, weights));
  return openInference(engine, net, weights, ranges);
}

/** The ranges of a net's activations in random games. */
function randomRanges(engine: Engine, opened: OpenExperiment, name: string, weights: Weights) {
  const { batch, rows } = randomSample(opened.game, networkOf(opened, name));
  return int8Ranges(engine, networkOf(opened, name).net, weights, batch, rows);
}

/** What a net in int8 has been calibrated to. */
export interface Calibration {
  /** See `int8Ranges`. */
  readonly ranges: Float32Array;
  /** On the positions of the calibration. */
  readonly error: Int8Error;
}

/** Calibrates a net by positions. */
export async function calibrated(
  engine: Engine,
  net: Net,
  weights: Weights,
  { batch, rows }: CalibrationSample,
): Promise<Calibration> {
  const ranges = await int8Ranges(engine, net, weights, batch, rows);
  const float32 = await openInference(engine, net, weights);
  const int8 = await openInference(engine, net, weights, ranges);
  try {
    return { ranges, error: await int8Error(net, float32, int8, batch, rows) };
  } finally {
    await Promise.all([float32.dispose(), int8.dispose()]);
  }
}

/** The positions of some random games, the same in every call. */
export function randomSample<S>(game: Game<S>, { net, planes }: OpenNetwork): CalibrationSample {
  const packer = new PlanePacker(planes);
  const width = net.maxLegal === undefined ? 0 : gatherWidth(net.maxLegal, net.maxLegal);
  const batch = {
    bytes: new Uint8Array(POSITIONS * packer.bytes),
    floats: new Float32Array(POSITIONS * packer.floats),
    gather: new Int32Array(POSITIONS * width).fill(NO_INDEX),
    width,
  };
  const legal = new Int32Array(game.maxLegal);
  let rows = 0;
  for (let number = 0; rows < POSITIONS; number++) {
    const random = Random.named("calibration", number);
    const state = game.initial();
    for (let mover = game.toMove(state); mover !== OVER && rows < POSITIONS; mover = game.toMove(state)) {
      if (mover === CHANCE) {
        game.play(state, game.chance!.sample(state, random));
        continue;
      }
      const count = game.legal(state, legal);
      packer.write(state, batch, rows);
      if (width > 0)
        for (let i = 0; i < count; i++)
          batch.gather[rows * width + i] = net.logitOf?.[legal[i]!] ?? legal[i]!;
      rows++;
      game.play(state, legal[random.below(count)]!);
    }
  }
  return { batch, rows };
}
