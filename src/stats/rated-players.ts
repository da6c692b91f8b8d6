import type { Estimate } from "./intervals.ts";
import { PRIOR_BLOCKS } from "./share-tally.ts";
import { studentT95 } from "./student-t.ts";

/** The results between two players. */
export interface PairResult {
  /** Numbers of the two players. */
  readonly players: readonly [number, number];
  /** Score of the first one: wins, and draws as half. */
  readonly score: number;
  /** Number of games; more than 0. */
  readonly games: number;
  /** The number of the block of games that the result is from: results of one block may depend on each other. */
  readonly block: number;
}

const PRECISION = 1e-10;
const MOST_ROUNDS = 1000;
/** Longest step of a strength, in units of the natural logarithm of odds. */
const LONGEST_STEP = 2;

/**
 * Strengths by the model of Bradley and Terry (1952), `P(i beats j) = 1 / (1 + exp(s_j - s_i))`, of players that have played each other
 * in some pairs only. `about` is what values and 95% intervals are differences to: player 0, whose own strength is then 0
 * and certain, or the mean of all players. A player that no results connect with player 0 has no strength: undefined.
 *
 * The likelihood is penalised by Jeffreys' prior (Firth 1993, Biometrika 80; in logistic regression: Heinze and Schemper
 * 2002, Statistics in Medicine 21). This removes the first-order bias, and the maximum is finite also if a player
 * lost or won every game. Virtual draws in every pair alike would press a long chain of players together; here a pair
 * gets as many as it has influence, one less than players in all.
 *
 * Intervals are Wald's with Student's t and a covariance that is robust against any dependence within blocks (White 1982,
 * Econometrica 50; Liang and Zeger 1986, Biometrika 73): games of one opening, players at one table, draws. As in
 * `ShareTally`, the variance of independent wins and losses has a weight beside it, of `PRIOR_BLOCKS` blocks a strength, so
 * results that are all alike leave an interval of positive width. Intervals of a single block are infinite. Takes O(n^3)
 * time a round.
 */
export function ratedPlayers(
  count: number,
  results: readonly PairResult[],
  about: "first" | "mean" = "first",
): (Estimate | undefined)[] {
  const reached = connected(count, results);
  const number = new Map(reached.map((player, place) => [player, place]));
  const between = results.flatMap(({ players: [a, b], ...result }) =>
    number.has(a) ? [{ ...result, players: [number.get(a)!, number.get(b)!] as const }] : [],
  );
  const n = reached.length - 1;
  const { covariance: independent, strengths } = penalisedMaximum(n + 1, pooled(between));
  const blocks = new Set(between.map(({ block }) => block)).size;
  const covariance = overBlocks(independent, strengths, between, blocks);
  const quantile = blocks > 1 ? studentT95(Math.max(1, blocks - n)) : Infinity;
  const middle = about === "mean" ? strengths.reduce((sum, value) => sum + value, 0) / (n + 1) : 0;
  const entry = (i: number, j: number) => (i > 0 && j > 0 ? covariance[(i - 1) * n + j - 1]! : 0);
  /** The covariance of a player's strength with the mean of all. */
  const withMean = (i: number) => reached.reduce((sum, _, j) => sum + entry(i, j), 0) / (n + 1);
  const ofMean = about === "mean" ? reached.reduce((sum, _, i) => sum + withMean(i), 0) / (n + 1) : 0;
  return Array.from({ length: count }, (_, player): Estimate | undefined => {
    const i = number.get(player);
    if (i === undefined) return undefined;
    const variance = entry(i, i) + (about === "mean" ? ofMean - 2 * withMean(i) : 0);
    const half = variance > 0 ? quantile * Math.sqrt(variance) : 0;
    const value = strengths[i]! - middle;
    return { value, interval: [value - half, value + half] };
  });
}

/** The players that results connect with player 0, player 0 included, in the order of their numbers. */
function connected(count: number, results: readonly PairResult[]): number[] {
  const reached = new Set([0]);
  for (let before = 0; reached.size > before;) {
    before = reached.size;
    for (const { players } of results)
      if (players.some((player) => reached.has(player))) for (const player of players) reached.add(player);
  }
  return Array.from({ length: count }, (_, player) => player).filter((player) => reached.has(player));
}

/** The results of every two players, all blocks together. */
function pooled(results: readonly PairResult[]): PairResult[] {
  const pairs = Map.groupBy(results, ({ players: [a, b] }) => `${a} ${b}`);
  return [...pairs.values()].map((own) => ({
    ...own[0]!,
    score: own.reduce((sum, { score }) => sum + score, 0),
    games: own.reduce((sum, { games }) => sum + games, 0),
  }));
}

/** The strengths, 0 that of player 0, and the covariance of the others, row-major [count - 1, count - 1]. All are connected. */
function penalisedMaximum(count: number, results: readonly PairResult[]) {
  const n = count - 1;
  const strengths = new Float64Array(count);
  const step = new Float64Array(n);
  let covariance = new Float64Array(0);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const expected = results.map(({ players: [a, b] }) => 1 / (1 + Math.exp(strengths[b]! - strengths[a]!)));
    const weights = results.map(({ games }, k) => games * expected[k]! * (1 - expected[k]!));
    covariance = inverse(information(n, results, weights), n);
    step.fill(0);
    for (const [k, { games, players, score }] of results.entries()) {
      const leverage = weights[k]! * varianceOfDifference(covariance, n, players);
      const slope = score - games * expected[k]! + leverage * (0.5 - expected[k]!);
      for (let i = 0; i < n; i++) step[i]! += slope * covarianceWith(covariance, n, i, players);
    }
    const longest = step.reduce((most, size) => Math.max(most, Math.abs(size)), 0);
    if (longest < PRECISION) break;
    const scale = Math.min(1, LONGEST_STEP / longest);
    for (let i = 0; i < n; i++) strengths[i + 1]! += scale * step[i]!;
  }
  return { covariance, strengths };
}

/**
 * The covariance of the strengths over blocks: C S C, with C the covariance if games were independent wins and losses and S the
 * covariance of the slopes of the log likelihood, summed over each block.
 */
function overBlocks(
  independent: Float64Array,
  strengths: Float64Array,
  results: readonly PairResult[],
  blocks: number,
): Float64Array {
  const n = strengths.length - 1;
  const slopes = new Map<number, Map<number, number>>();
  for (const {
    block,
    games,
    players: [a, b],
    score,
  } of results) {
    const slope = score - games / (1 + Math.exp(strengths[b]! - strengths[a]!));
    const of = slopes.get(block) ?? new Map<number, number>();
    slopes.set(block, of);
    if (a > 0) of.set(a - 1, (of.get(a - 1) ?? 0) + slope);
    if (b > 0) of.set(b - 1, (of.get(b - 1) ?? 0) - slope);
  }
  const spread = new Float64Array(n * n);
  for (const of of slopes.values())
    for (const [i, one] of of) for (const [j, other] of of) spread[i * n + j]! += one * other;
  const prior = PRIOR_BLOCKS * n;
  return product(product(independent, spread, n), independent, n).map(
    (value, i) => (blocks * value + prior * independent[i]!) / (blocks + prior),
  );
}

/** The product of two matrices, row-major [n, n]. */
function product(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const result = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++)
      for (let j = 0; j < n; j++) result[i * n + j]! += a[i * n + k]! * b[k * n + j]!;
  return result;
}

/** The Fisher information of the strengths of players 1 to n, row-major [n, n]. */
function information(n: number, results: readonly PairResult[], weights: readonly number[]): Float64Array {
  const matrix = new Float64Array(n * n);
  for (const [k, { players }] of results.entries()) {
    const [a, b] = [players[0] - 1, players[1] - 1];
    const weight = weights[k]!;
    if (a >= 0) matrix[a * n + a]! += weight;
    if (b >= 0) matrix[b * n + b]! += weight;
    if (a >= 0 && b >= 0) {
      matrix[a * n + b]! -= weight;
      matrix[b * n + a]! -= weight;
    }
  }
  return matrix;
}

/** The covariance of the strength of player i + 1 with the difference of two players' strengths. */
function covarianceWith(
  covariance: Float64Array,
  n: number,
  i: number,
  [a, b]: PairResult["players"],
): number {
  return (a > 0 ? covariance[i * n + a - 1]! : 0) - (b > 0 ? covariance[i * n + b - 1]! : 0);
}

function varianceOfDifference(covariance: Float64Array, n: number, players: PairResult["players"]): number {
  const [a, b] = players;
  return (
    (a > 0 ? covarianceWith(covariance, n, a - 1, players) : 0) -
    (b > 0 ? covarianceWith(covariance, n, b - 1, players) : 0)
  );
}

/** The inverse of a symmetric positive definite matrix, row-major [n, n], by Cholesky's decomposition. */
function inverse(matrix: Float64Array, n: number): Float64Array<ArrayBuffer> {
  const root = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= root[i * n + k]! * root[j * n + k]!;
      root[i * n + j] = i === j ? Math.sqrt(sum) : sum / root[j * n + j]!;
    }
  const result = new Float64Array(n * n);
  const column = new Float64Array(n);
  for (let unit = 0; unit < n; unit++) {
    // Solves root root' x = e for the unit vector e; entries of the first half before `unit` are 0.
    for (let i = 0; i < n; i++) {
      let sum = i === unit ? 1 : 0;
      for (let k = unit; k < i; k++) sum -= root[i * n + k]! * column[k]!;
      column[i] = i < unit ? 0 : sum / root[i * n + i]!;
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = column[i]!;
      for (let k = i + 1; k < n; k++) sum -= root[k * n + i]! * column[k]!;
      column[i] = sum / root[i * n + i]!;
    }
    for (let i = 0; i < n; i++) result[i * n + unit] = column[i]!;
  }
  return result;
}
