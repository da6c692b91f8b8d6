import { differenceOfShares, welchDifference } from "../../stats/differences.ts";
import { type Estimate, meanEstimate, pairedGain } from "../../stats/intervals.ts";
import type { CurvePoint } from "./run-curves.ts";

/** How a difference was estimated, in words for people. */
export type DifferenceMethod =
  | "paired by seed, Student's t over seeds"
  | "Welch's t over seeds"
  | "paired by game, Student's t over games of one seed"
  | "Welch's t over games of one seed"
  | "Newcombe's interval over games of one seed";

/** A difference of two groups, with its interval. */
export interface GroupDifference extends Estimate {
  readonly method: DifferenceMethod;
  /** Number of pairs; absent if nothing is paired. */
  readonly pairs?: number;
  /** The difference in Elo, with an interval over seeds; in matches of two agents in games of two players. */
  readonly elo?: Estimate;
}

/** A run's result at the amount of learning at which groups are compared. */
export interface SeedResult {
  readonly seed: number;
  readonly point: CurvePoint;
}

/**
 * The results of the runs `a` minus those of the runs `b`. Runs of one seed are paired: they begin with the same weights and draws.
 * If each group has one run, the interval is over their games. Undefined if neither is possible.
 */
export function differenceFrom(
  a: readonly SeedResult[],
  b: readonly SeedResult[],
): GroupDifference | undefined {
  const pairs = a.flatMap((one) => {
    const other = b.find(({ seed }) => seed === one.seed);
    return other === undefined ? [] : [{ one: one.point, other: other.point }];
  });
  const [eloOfA, eloOfB] = [elos(a), elos(b)];
  if (pairs.length > 1) {
    const gains = pairs.flatMap(({ one, other }) =>
      one.elo === undefined || other.elo === undefined ? [] : [one.elo - other.elo],
    );
    return {
      ...meanEstimate(pairs.map(({ one, other }) => one.value - other.value)),
      method: "paired by seed, Student's t over seeds",
      pairs: pairs.length,
      ...(gains.length === pairs.length && { elo: meanEstimate(gains) }),
    };
  }
  if (a.length > 1 && b.length > 1)
    return {
      ...welchDifference(values(a), values(b)),
      method: "Welch's t over seeds",
      ...(eloOfA && eloOfB && { elo: welchDifference(eloOfA, eloOfB) }),
    };
  const [pair] = pairs;
  if (pair !== undefined) return overGames(pair.one, pair.other, true);
  if (a.length === 1 && b.length === 1) return overGames(a[0]!.point, b[0]!.point, false);
  return undefined;
}

function values(results: readonly SeedResult[]): number[] {
  return results.map(({ point }) => point.value);
}

/** The Elo of each run; undefined if not all have one. */
function elos(results: readonly SeedResult[]): number[] | undefined {
  const found = results.flatMap(({ point: { elo } }) => (elo === undefined ? [] : [elo]));
  return found.length === results.length ? found : undefined;
}

/** The difference of two runs over their games; `sameSeed` says that they have one seed. */
function overGames(one: CurvePoint, other: CurvePoint, sameSeed: boolean): GroupDifference | undefined {
  if (one.measure !== other.measure) return undefined;
  if (one.measure === "share won")
    return { ...differenceOfShares(one, other), method: "Newcombe's interval over games of one seed" };
  if (one.returns.length < 2 || other.returns.length < 2) return undefined;
  // In one-player games, game i of a stage has the same chance draws in all runs of one seed.
  if (sameSeed && one.returns.length === other.returns.length)
    return {
      ...pairedGain(one.returns, other.returns),
      method: "paired by game, Student's t over games of one seed",
      pairs: one.returns.length,
    };
  return { ...welchDifference(one.returns, other.returns), method: "Welch's t over games of one seed" };
}
