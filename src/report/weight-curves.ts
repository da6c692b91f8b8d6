import type { WithExperiment } from "./experiment-settings.ts";
import { eventsOf, grouped, type RunData } from "./run-data.ts";

/** One learner's weights after some of its games, in order. */
export interface WeightCurves {
  readonly stage: string;
  readonly names: readonly string[];
  readonly games: readonly number[];
  /** By name: the weight after each of `games`. */
  readonly weights: readonly (readonly number[])[];
}

/** Half the width of the band that counts as settled, in parts of the learner's greatest final weight. */
export const BAND = 0.1;

/** The named weights that the learners of a run have emitted, learner by learner in the order of the experiment. */
export function weightCurvesOf(run: Pick<RunData, "events"> & WithExperiment): WeightCurves[] {
  return grouped(eventsOf(run, "weights"), ({ stage }) => stage).map(([stage, of]) => {
    const { names } = of[0]!;
    return {
      stage,
      names,
      games: of.map(({ learned }) => learned),
      weights: names.map((_, i) => of.map(({ values }) => values[i]!)),
    };
  });
}

/** The first game from which a weight stays within `band` of its last value. */
export function settledFrom(games: readonly number[], weights: readonly number[], band: number): number {
  const final = weights.at(-1)!;
  const outside = weights.findLastIndex((weight) => Math.abs(weight - final) > band);
  return games[outside + 1]!;
}

/** By weight: the first game from which it stays within the band about its last value. */
export function settledGames({ games, weights }: WeightCurves): number[] {
  const band = BAND * Math.max(...weights.map((curve) => Math.abs(curve.at(-1)!)));
  return weights.map((curve) => settledFrom(games, curve, band));
}

/** The learner with the most games, the first of equals. */
export function longestTaught(learners: readonly WeightCurves[]): WeightCurves {
  return learners.reduce((longest, each) => (each.games.at(-1)! > longest.games.at(-1)! ? each : longest));
}

/** The weights at a place in the list of games, negative places from its end. */
export function weightsAfter({ weights }: WeightCurves, at: number): number[] {
  return weights.map((curve) => curve.at(at)!);
}

/** The cosine of the angle between two vectors; NaN if one is 0. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  const product = a.reduce((sum, weight, at) => sum + weight * b[at]!, 0);
  return product / (Math.hypot(...a) * Math.hypot(...b));
}
