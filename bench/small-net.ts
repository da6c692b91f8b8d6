import type { EvaluationRequest } from "../src/games/evaluation.ts";
import type { Game } from "../src/games/game.ts";
import { checkExperiment } from "../src/graph/experiment-file.ts";
import { initialWeights } from "../src/models/net.ts";
import {
  type BlockingEvaluator,
  openBlockingEvaluator,
} from "../src/operators/play/evaluation/blocking-evaluator.ts";
import { type Experiment, networkOf, openExperiment } from "../src/operators/experiment/open-experiment.ts";
import { Random } from "../src/random.ts";

/** Rows of a request: as many as batches of many games have at least. */
export const BATCH = 32;

/** A game, and the evaluator of an untrained residual net for it, of 32x4 unless the options in `net` say otherwise. */
export function openSmallNet(
  rules: string,
  net: Readonly<Record<string, unknown>>,
): { readonly game: Game<unknown>; readonly evaluator: BlockingEvaluator } {
  const { experiment } = checkExperiment("small-net", {
    name: "small-net",
    seed: 1,
    game: { rules },
    nets: { zero: { use: "residual", filters: 32, blocks: 4, valueUnits: 64, values: "win-loss", ...net } },
    agents: {},
    graph: {},
  } as unknown as Experiment);
  const opened = openExperiment(experiment);
  const weights = initialWeights(networkOf(opened, "zero").net, Random.named("small net"));
  return { game: opened.game, evaluator: openBlockingEvaluator(experiment, "zero", weights) };
}

/** A request of `BATCH` positions, these states in turn. */
export function requestOf(game: Game<unknown>, states: readonly unknown[]): EvaluationRequest<unknown> {
  return {
    states: Array.from({ length: BATCH }, (_, i) => states[i % states.length]),
    count: BATCH,
    values: new Float64Array(BATCH * game.players),
    priors: new Float32Array(BATCH * game.maxLegal),
  };
}
