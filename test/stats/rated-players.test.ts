import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import type { Estimate } from "../../src/stats/intervals.ts";
import { type PairResult, ratedPlayers } from "../../src/stats/rated-players.ts";

/** American League 1987, as in the test of `bradleyTerry`; Baltimore first. */
const wins = [
  [0, 2, 4, 1, 3, 1, 7],
  [11, 0, 7, 9, 7, 7, 9],
  [9, 6, 0, 7, 5, 11, 9],
  [12, 4, 6, 0, 7, 7, 8],
  [10, 6, 8, 6, 0, 6, 7],
  [12, 6, 2, 6, 7, 0, 7],
  [6, 4, 4, 5, 6, 6, 0],
];
const league = (times: number): PairResult[] =>
  wins.flatMap((row, a) =>
    row.flatMap((won, b) =>
      a < b ? [{ players: [a, b] as const, score: times * won, games: times * (won + wins[b]![a]!) }] : [],
    ),
  );

/** The penalised log likelihood by its definition: log L + log det I / 2. */
function penalised(strengths: readonly number[], results: readonly PairResult[]): number {
  const n = strengths.length - 1;
  const matrix = Array.from({ length: n }, () => Array.from({ length: n }, () => 0));
  let sum = 0;
  for (const { games, players, score } of results) {
    const [a, b] = players;
    const p = 1 / (1 + Math.exp(strengths[b]! - strengths[a]!));
    sum += score * Math.log(p) + (games - score) * Math.log(1 - p);
    const contrast = Array.from({ length: n }, (_, i) => Number(i + 1 === a) - Number(i + 1 === b));
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) matrix[i]![j]! += games * p * (1 - p) * contrast[i]! * contrast[j]!;
  }
  return sum + Math.log(determinant(matrix)) / 2;
}

function determinant(matrix: readonly (readonly number[])[]): number {
  if (matrix.length === 0) return 1;
  return matrix[0]!.reduce(
    (sum, entry, column) =>
      sum +
      (column % 2 === 0 ? 1 : -1) *
        entry *
        determinant(matrix.slice(1).map((row) => row.filter((_, i) => i !== column))),
    0,
  );
}

describe("ratedPlayers", () => {
  it("gives with many games the published strengths and standard errors of the American League of 1987", () => {
    // As the R package BradleyTerry2 prints them.
    const published = [
      [0, 0],
      [1.5814, 0.3433],
      [1.4364, 0.3396],
      [1.2945, 0.3367],
      [1.2476, 0.3359],
      [1.1077, 0.3339],
      [0.6839, 0.3319],
    ];
    const times = 10_000;
    for (const [i, rated] of ratedPlayers(7, league(times)).entries()) {
      const { interval, value } = rated!;
      expect(value).toBeCloseTo(published[i]![0]!, 3);
      expect((interval[1] - interval[0]) / 2 / 1.959964).toBeCloseTo(published[i]![1]! / Math.sqrt(times), 6);
    }
  });

  it("is for two players the logarithm of the odds, half a win added to each side", () => {
    for (const [won, lost] of [
      [30, 10],
      [20, 0],
      [7.5, 7.5],
    ] as const) {
      const [anchor, other] = ratedPlayers(2, [{ players: [1, 0], score: won, games: won + lost }]);
      expect(anchor).toEqual({ value: 0, interval: [0, 0] });
      expect(other!.value).toBeCloseTo(Math.log((won + 0.5) / (lost + 0.5)), 8);
      const p = (won + 0.5) / (won + lost + 1);
      const error = 1 / Math.sqrt((won + lost) * p * (1 - p));
      expect(other!.interval[1] - other!.value).toBeCloseTo(1.959964 * error, 5);
    }
  });

  it("maximises the penalised likelihood, also where a player has won or lost all", () => {
    const sweep: PairResult[] = [
      { players: [0, 1], score: 0, games: 10 },
      { players: [2, 1], score: 12, games: 12 },
      { players: [2, 3], score: 3.5, games: 8 },
      { players: [0, 3], score: 1, games: 2 },
    ];
    for (const results of [league(1), sweep]) {
      const strengths = ratedPlayers(results === sweep ? 4 : 7, results).map((rated) => rated!.value);
      const best = penalised(strengths, results);
      const random = Random.named(1, "penalised");
      for (let trial = 0; trial < 50; trial++) {
        const moved = strengths.map((value, i) => (i === 0 ? 0 : value + (random.float() - 0.5) / 10));
        expect(penalised(moved, results)).toBeLessThan(best);
      }
    }
  });

  it("does not press a long chain together, and its intervals grow along it", () => {
    // Each of 40 players scores .7 in 20 games with the one before: .847 each, in units of the logarithm of odds.
    const chain = Array.from({ length: 39 }, (_, i): PairResult => ({
      players: [i + 1, i],
      score: 14,
      games: 20,
    }));
    const rated = ratedPlayers(40, chain).map((each) => each!);
    const width = ({ interval }: Estimate) => interval[1] - interval[0];
    expect(rated[39]!.value / 39).toBeCloseTo(Math.log(14.5 / 6.5), 6);
    expect(width(rated[36]!)).toBeCloseTo(2 * width(rated[9]!), 6);
  });

  it("gives differences to the mean of all players with the intervals of these differences", () => {
    // Of two players, each is half the difference away from the mean.
    const two: PairResult[] = [{ players: [1, 0], score: 9, games: 12 }];
    const [, other] = ratedPlayers(2, two);
    const about = ratedPlayers(2, two, "mean");
    for (const [i, sign] of [-1, 1].entries()) {
      expect(about[i]!.value).toBeCloseTo((sign * other!.value) / 2, 10);
      expect(about[i]!.interval[1] - about[i]!.value).toBeCloseTo(
        (other!.interval[1] - other!.value) / 2,
        10,
      );
    }
    // The difference does not depend on which player is the first.
    const seven = ratedPlayers(7, league(1), "mean");
    const turned = league(1).map(({ players: [a, b], ...result }) => ({
      ...result,
      players: [(a + 3) % 7, (b + 3) % 7] as const,
    }));
    for (const [i, rated] of ratedPlayers(7, turned, "mean").entries()) {
      expect(rated!.value).toBeCloseTo(seven[(i + 4) % 7]!.value, 8);
      expect(rated!.interval[0]).toBeCloseTo(seven[(i + 4) % 7]!.interval[0], 8);
    }
  });

  it("knows nothing of players that no results connect with the first one", () => {
    const apart: PairResult[] = [
      { players: [0, 2], score: 1, games: 2 },
      { players: [1, 3], score: 1, games: 2 },
    ];
    expect(ratedPlayers(4, apart).map((rated) => rated?.value)).toEqual([0, undefined, 0, undefined]);
    expect(ratedPlayers(2, [])).toEqual([{ value: 0, interval: [0, 0] }, undefined]);
  });
});
