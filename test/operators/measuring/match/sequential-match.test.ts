import { expect, it } from "vitest";
import { ContestTally } from "../../../../src/operators/measuring/match/contest.ts";
import { SequentialMatch } from "../../../../src/operators/measuring/match/sequential-match.ts";
import { eloEstimate, scoreOfElo } from "../../../../src/stats/elo.ts";
import { sequentialEstimate } from "../../../../src/stats/sequential-estimate.ts";

const settings = { elo0: 0, elo1: 100, alpha: 0.05, beta: 0.05 };

/** A match of two with these scores of the first agent, which ends when the test decides. */
function played(scores: Iterable<number>) {
  const match = new SequentialMatch(settings, 2);
  const tally = new ContestTally(["a", "b"], 2);
  const means = new Map<number, number>();
  let before = 0;
  for (const score of scores) {
    const { games } = tally;
    const seats = games % 2 === 0 ? ["a", "b"] : ["b", "a"];
    const returns = games % 2 === 0 ? [score, 1 - score] : [1 - score, score];
    tally.add({ seats, returns, actions: Int32Array.of(games) }, Math.floor(games / 2));
    match.add(score);
    if (games % 2 === 1) {
      const mean = (before + score) / 2;
      means.set(mean, (means.get(mean) ?? 0) + 1);
    }
    before = score;
    if (match.decided) break;
  }
  return { match, tally, means };
}

it("gives Elo and ratings that allow for the end of the test, beside the plain score", () => {
  const { match, means, tally } = played(Array.from({ length: 1000 }, (_, i) => [1, 0.5, 1, 0, 0.5][i % 5]!));
  const plain = tally.contest;
  const { pairs, standings, test } = match.resultOf(plain);
  expect(test!.verdict).toBe("elo1");
  const { score0, score1 } = { score0: scoreOfElo(0), score1: scoreOfElo(100) };
  const score = sequentialEstimate(means, { score0, score1, alpha: 0.05, beta: 0.05 }, 2);
  expect(test!.score).toEqual(score);
  expect(pairs[0]!.elo).toEqual(eloEstimate(score));
  expect(pairs[0]!.score).toEqual(plain.pairs[0]!.score);
  expect(standings[0]!.wins).toEqual(plain.standings[0]!.wins);
  // The test ended while the score was high.
  expect(score.value).toBeLessThan(pairs[0]!.score.value);
  const [a, b] = standings.map(({ rating }) => rating);
  expect(a!.value - b!.value).toBeCloseTo(pairs[0]!.elo.value, 9);
  expect(a!.interval[1]).toBeCloseTo(pairs[0]!.elo.interval[1] / 2, 9);
  expect(b!.interval[0]).toBeCloseTo(-a!.interval[1], 9);
});

it("keeps finite ratings if the first agent wins all, and the plain result without a whole block", () => {
  const all = played(Array.from({ length: 1000 }, () => 1));
  const { pairs, standings } = all.match.resultOf(all.tally.contest);
  expect(pairs[0]!.elo.value).toBe(Infinity);
  expect(standings[0]!.rating).toEqual(all.tally.contest.standings[0]!.rating);
  const one = played([1]);
  const { test, ...contest } = one.match.resultOf(one.tally.contest);
  expect(contest).toEqual(one.tally.contest);
  expect(test).toEqual(one.match.result);
});
