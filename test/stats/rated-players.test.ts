import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import type { Estimate } from "../../src/stats/intervals.ts";
import { type PairResult, ratedPlayers } from "../../src/stats/rated-players.ts";
import { ShareTally } from "../../src/stats/share-tally.ts";
import { studentT95 } from "../../src/stats/student-t.ts";
import { casesOf } from "../number-of-cases.ts";
import { meanScore, orderOf, pairOfGames } from "./block-samples.ts";

/**
 * American League 1987, wins of the row over the column, 13 games a pair (Agresti, Categorical Data Analysis, table 10.10); Baltimore
 * first.
 */
const wins = [
  [0, 2, 4, 1, 3, 1, 7],
  [11, 0, 7, 9, 7, 7, 9],
  [9, 6, 0, 7, 5, 11, 9],
  [12, 4, 6, 0, 7, 7, 8],
  [10, 6, 8, 6, 0, 6, 7],
  [12, 6, 2, 6, 7, 0, 7],
  [6, 4, 4, 5, 6, 6, 0],
];
/** Strengths and standard errors of these teams, as the R package BradleyTerry2 prints them. */
const published = [
  [0, 0],
  [1.5814, 0.3433],
  [1.4364, 0.3396],
  [1.2945, 0.3367],
  [1.2476, 0.3359],
  [1.1077, 0.3339],
  [0.6839, 0.3319],
] as const;
const teams = [...wins.keys()];
const pairsOfTeams = teams.flatMap((a) => teams.flatMap((b) => (a < b ? [[a, b] as const] : [])));
/** The league so many times, each pair of teams in one block. */
const league = (times: number): PairResult[] =>
  pairsOfTeams.map(([a, b], block) => ({
    players: [a, b],
    score: times * wins[a]![b]!,
    games: times * (wins[a]![b]! + wins[b]![a]!),
    block,
  }));

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
  it("gives with many games the published strengths of the American League of 1987", () => {
    for (const [i, rated] of ratedPlayers(7, league(10_000)).entries())
      expect(rated!.value).toBeCloseTo(published[i]![0], 3);
  });

  it("gives the published standard errors if games are independent and won as often as the strengths say", () => {
    const times = 100;
    let block = 0;
    const games = pairsOfTeams.flatMap((players) => {
      const [own, other] = players.map((team) => published[team]![0]) as [number, number];
      const won = Math.round((13 * times) / (1 + Math.exp(other - own)));
      return Array.from({ length: 13 * times }, (_, i): PairResult => ({
        players,
        score: Number(i < won),
        games: 1,
        block: block++,
      }));
    });
    for (const [i, rated] of ratedPlayers(7, games).entries()) {
      const { interval, value } = rated!;
      expect(value).toBeCloseTo(published[i]![0], 2);
      const error = (interval[1] - interval[0]) / 2 / 1.959964;
      expect(Math.abs(error - published[i]![1] / Math.sqrt(times))).toBeLessThan(1e-4);
    }
  });

  it("is for two players the logarithm of the odds, half a win added to each side", () => {
    for (const [won, lost] of [
      [30, 10],
      [20, 0],
      [7.5, 7.5],
    ] as const) {
      const blocks = [0.4, 0.35, 0.25].map((share, block): PairResult => ({
        players: [1, 0],
        score: share * won,
        games: (won + lost) / 3,
        block,
      }));
      const [anchor, other] = ratedPlayers(2, blocks);
      expect(anchor).toEqual({ value: 0, interval: [0, 0] });
      expect(other!.value).toBeCloseTo(Math.log((won + 0.5) / (lost + 0.5)), 8);
      // Three blocks, and two in which wins and losses are independent.
      const p = (won + 0.5) / (won + lost + 1);
      const information = (won + lost) * p * (1 - p);
      const squares = blocks.reduce((sum, { games, score }) => sum + (score - games * p) ** 2, 0);
      const variance = ((3 * squares) / information ** 2 + 2 / information) / 5;
      expect(other!.interval[1] - other!.value).toBeCloseTo(studentT95(2) * Math.sqrt(variance), 6);
    }
  });

  it("maximises the penalised likelihood, also where a player has won or lost all", () => {
    const sweep: PairResult[] = [
      { players: [0, 1], score: 0, games: 10, block: 0 },
      { players: [2, 1], score: 12, games: 12, block: 1 },
      { players: [2, 3], score: 3.5, games: 8, block: 2 },
      { players: [0, 3], score: 1, games: 2, block: 3 },
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
    const chain = Array.from({ length: 39 * 10 }, (_, block): PairResult => ({
      players: [(block % 39) + 1, block % 39],
      score: block < 39 * 4 ? 2 : 1,
      games: 2,
      block,
    }));
    const rated = ratedPlayers(40, chain).map((each) => each!);
    const width = ({ interval }: Estimate) => interval[1] - interval[0];
    expect(rated[39]!.value / 39).toBeCloseTo(Math.log(14.5 / 6.5), 6);
    expect(width(rated[36]!)).toBeCloseTo(2 * width(rated[9]!), 6);
  });

  it("gives differences to the mean of all players with the intervals of these differences", () => {
    // Of two players, each is half the difference away from the mean.
    const two: PairResult[] = [
      { players: [1, 0], score: 5, games: 6, block: 0 },
      { players: [1, 0], score: 4, games: 6, block: 1 },
    ];
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
      { players: [0, 2], score: 1, games: 2, block: 0 },
      { players: [1, 3], score: 1, games: 2, block: 1 },
    ];
    expect(ratedPlayers(4, apart).map((rated) => rated?.value)).toEqual([0, undefined, 0, undefined]);
    expect(ratedPlayers(2, [])).toEqual([{ value: 0, interval: [0, 0] }, undefined]);
    // Of one block the spread is unknown.
    expect(
      ratedPlayers(
        2,
        apart.slice(0, 1).map((result) => ({ ...result, players: [0, 1] as const })),
      ),
    ).toEqual([
      { value: 0, interval: [0, 0] },
      { value: 0, interval: [-Infinity, Infinity] },
    ]);
  });

  it("agrees for two players with the score's interval, away from the ends", () => {
    const random = Random.named("two ways");
    for (const strength of [0, 0.5, 1])
      for (const draws of [0, 0.8]) {
        const tally = new ShareTally();
        const results = Array.from({ length: 150 }, (_, block): PairResult => {
          const [one, other] = pairOfGames({ strength, draws, bias: 2 }, random);
          tally.add(block, one + other, 2);
          return { players: [1, 0], score: one + other, games: 2, block };
        });
        const { interval, value } = ratedPlayers(2, results)[1]!;
        const logit = (share: number) => Math.log(share / (1 - share));
        const [low, high] = tally.estimate.interval.map(logit) as [number, number];
        expect(Math.abs(value - logit(tally.estimate.value))).toBeLessThan(0.01);
        expect(Math.abs((interval[1] - interval[0]) / (high - low) - 1)).toBeLessThan(0.03);
      }
  });

  const trials = casesOf(2500, 500);
  /** The share of intervals that cover; `sample` has the results of players of these strengths. */
  function coverage(strengths: readonly number[], sample: () => readonly PairResult[]): number {
    let covered = 0;
    const mean = strengths.reduce((sum, strength) => sum + strength, 0) / strengths.length;
    for (let trial = 0; trial < trials; trial++)
      for (const [i, rated] of ratedPlayers(strengths.length, sample(), "mean").entries()) {
        const [low, high] = rated!.interval;
        if (low <= strengths[i]! - mean && strengths[i]! - mean <= high) covered++;
      }
    return covered / trials / strengths.length;
  } // Intervals of one trial depend on each other: four standard errors as if they were one.
  const least = 0.95 - 4 * Math.sqrt((0.95 * 0.05) / trials);

  it.each([6, 40])("covers the strengths of four players in %i blocks of games at one table", (blocks) => {
    for (const gap of [0, 0.6]) {
      const random = Random.named("table", blocks, gap);
      const strengths = [0, 1, 2, 3].map((player) => gap * player);
      const sample = () =>
        Array.from({ length: 4 * blocks }, (_, game) => {
          const order = orderOf(strengths, random);
          return order.flatMap((ahead, place) =>
            order.slice(place + 1).map((behind): PairResult => ({
              players: [ahead, behind],
              score: 1,
              games: 1,
              block: game % blocks,
            })),
          );
        }).flat();
      expect(coverage(strengths, sample)).toBeGreaterThan(least);
    }
  });

  it.each([6, 60])(
    "covers the strengths of two players in %i pairs of games with colours exchanged",
    (blocks) => {
      for (const draws of [0, 0.9])
        for (const bias of [0, 2]) {
          const pairs = { strength: 1, draws, bias };
          const random = Random.named("pairs", blocks, draws, bias);
          const score = meanScore(pairs);
          const covered = coverage([0, Math.log(score / (1 - score))], () =>
            Array.from({ length: blocks }, (_, block): PairResult => {
              const [one, other] = pairOfGames(pairs, random);
              return { players: [1, 0], score: one + other, games: 2, block };
            }),
          );
          expect(covered, JSON.stringify(pairs)).toBeGreaterThan(least);
        }
    },
  );

  it("covers the strengths of eight players after a block of two games for every two", () => {
    const strengths = Array.from({ length: 8 }, (_, player) => 0.3 * player);
    const random = Random.named("round robin");
    const sample = () =>
      strengths.flatMap((_, a) =>
        strengths.slice(0, a).map((other, b): PairResult => {
          const [one, two] = pairOfGames({ strength: strengths[a]! - other, draws: 0.3, bias: 0 }, random);
          return { players: [a, b], score: one + two, games: 2, block: 8 * a + b };
        }),
      );
    expect(coverage(strengths, sample)).toBeGreaterThan(least);
  });
});
