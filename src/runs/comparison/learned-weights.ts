import { grouped } from "../../report/run-data.ts";
import {
  cosine,
  longestTaught,
  settledGames,
  type WeightCurves,
  weightCurvesOf,
  weightsAfter,
} from "../../report/weight-curves.ts";
import { type Estimate, intervalWithin, meanEstimate } from "../../stats/intervals.ts";

/** The cosine from which on a direction counts as that of the reference. */
export const SAME_DIRECTION = 0.95;

/** The weights of one learner of a run, as far as a comparison needs them. */
export interface RunWeights {
  readonly stage: string;
  /** The learner of the same run whose final weights give the direction: the one with the most games. */
  readonly reference: string;
  /** The first game from which all weights stay within the band about their last values. */
  readonly settled: number;
  /** The first game from which the cosine stays at or above `SAME_DIRECTION`; undefined if it ends below. */
  readonly directed: number | undefined;
  /** Cosines with the final weights of the reference, after round numbers of games; without those of weights that are all 0. */
  readonly cosines: ReadonlyMap<number, number>;
}

/** A mean over runs, of which not all need to have the number. */
export interface CountedEstimate extends Estimate {
  readonly runs: number;
}

/** What the runs of a group have learned in one stage. Intervals are over seeds (Student's t); they are infinite for one run. */
export interface WeightsResult {
  readonly stage: string;
  readonly reference: string;
  readonly group: string;
  readonly runs: number;
  readonly settled: CountedEstimate;
  /** Over the runs that end in the direction of the reference; undefined if none does. */
  readonly directed: CountedEstimate | undefined;
  readonly cosines: readonly (CountedEstimate & { readonly games: number })[];
}

/** The weights of the learners of a run; learners with the same features have a common reference. */
export function runWeights(run: Parameters<typeof weightCurvesOf>[0]): RunWeights[] {
  return grouped(weightCurvesOf(run), ({ names }) => names.join("\n")).flatMap(([, learners]) => {
    const reference = longestTaught(learners);
    return learners.map((learner) => weightsOf(learner, reference));
  });
}

function weightsOf(learner: WeightCurves, reference: WeightCurves): RunWeights {
  const { games, stage } = learner;
  const final = weightsAfter(reference, -1);
  const all = games.map((_, at) => cosine(weightsAfter(learner, at), final));
  const before = all.findLastIndex((each) => !(each >= SAME_DIRECTION));
  return {
    stage,
    reference: reference.stage,
    settled: Math.max(...settledGames(learner)),
    directed: games[before + 1],
    cosines: new Map(
      games.flatMap((game, at) => (isRound(game) && Number.isFinite(all[at]) ? [[game, all[at]!]] : [])),
    ),
  };
}

/** Whether a number of games is 1, 2 or 5 times a power of ten. */
function isRound(games: number): boolean {
  return /^[125]0*$/.test(String(games));
}

/** The weights of groups of runs, learner by learner. */
export function groupWeights(
  groups: readonly (readonly { readonly weights: readonly RunWeights[] }[])[],
  names: readonly string[],
): WeightsResult[] {
  const stages = new Set(groups.flat().flatMap(({ weights }) => weights.map(({ stage }) => stage)));
  return [...stages].flatMap((stage) =>
    groups.flatMap((members, i): WeightsResult[] => {
      const found = members.flatMap(({ weights }) => weights.filter((each) => each.stage === stage));
      if (found.length === 0) return [];
      const games = [...new Set(found.flatMap(({ cosines }) => [...cosines.keys()]))].toSorted(
        (a, b) => a - b,
      );
      return [
        {
          stage,
          reference: found[0]!.reference,
          group: names[i]!,
          runs: found.length,
          settled: counted(found.map(({ settled }) => settled))!,
          directed: counted(found.flatMap(({ directed }) => directed ?? [])),
          cosines: games.map((game) => ({
            games: game,
            ...asCosine(counted(found.flatMap(({ cosines }) => cosines.get(game) ?? []))!),
          })),
        },
      ];
    }),
  );
}

/** Of a single run nothing is known about other seeds: its interval has no end. */
function asCosine(estimate: CountedEstimate): CountedEstimate {
  return estimate.runs === 1
    ? estimate
    : { ...estimate, interval: intervalWithin(estimate.interval, [-1, 1]) };
}

function counted(values: readonly number[]): CountedEstimate | undefined {
  return values.length === 0 ? undefined : { runs: values.length, ...meanEstimate(values) };
}
