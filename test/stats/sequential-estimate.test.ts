import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import { scoreOfElo } from "../../src/stats/elo.ts";
import { endsAbove, sequentialEstimate, staysAbove } from "../../src/stats/sequential-estimate.ts";
import { logLikelihoodRatio, sequentialVerdict } from "../../src/stats/sequential-test.ts";
import { ShareTally } from "../../src/stats/share-tally.ts";
import { casesOf } from "../number-of-cases.ts";
import { meanScore, pairOfGames, type PairsOfGames } from "./block-samples.ts";

const test = (elo0: number, elo1: number) => ({
  score0: scoreOfElo(elo0),
  score1: scoreOfElo(elo1),
  alpha: 0.05,
  beta: 0.05,
});

describe("endsAbove and staysAbove", () => {
  const walks = [
    { drift: 0, variance: 1, above: 1, below: 2 },
    { drift: 0.8, variance: 0.5, above: 1.5, below: 1 },
    { drift: -0.6, variance: 2, above: 1, below: 1.2 },
  ];

  it("agree with walks of small steps", () => {
    const random = Random.named("walks");
    const [steps, trials] = [400, casesOf(10_000)];
    for (const { above, below, drift, variance } of walks) {
      const time = 1.5;
      const counts = { above: 0, below: 0, over: 0 };
      const [by, spread] = [(drift * time) / steps, Math.sqrt((variance * time) / steps)];
      for (let trial = 0; trial < trials; trial++) {
        let at = 0;
        let step = 0;
        // Walks of steps pass barriers by .583 of the spread of a step.
        for (; step < steps && at < above && at > -below; step++) at += by + spread * random.normal();
        if (at >= above) counts.above++;
        else if (at <= -below) counts.below++;
        else if (at >= 0.2) counts.over++;
      }
      const walk = { drift, variance, above: above + 0.583 * spread, below: below + 0.583 * spread };
      const error = 4 * Math.sqrt(0.25 / trials);
      expect(Math.abs(endsAbove(walk, time) - counts.above / trials)).toBeLessThan(error);
      const turned = { drift: -drift, variance, above: walk.below, below: walk.above };
      expect(Math.abs(endsAbove(turned, time) - counts.below / trials)).toBeLessThan(error);
      expect(Math.abs(staysAbove(walk, time, 0.2) - counts.over / trials)).toBeLessThan(error);
    }
  });

  it("make 1 together at any time, and Wald's probabilities in the end", () => {
    for (const walk of walks) {
      const { above, below, drift, variance } = walk;
      const turned = { drift: -drift, variance, above: below, below: above };
      for (const time of [1e-3, 0.1, 1, 10, 100])
        expect(endsAbove(walk, time) + endsAbove(turned, time) + staysAbove(walk, time, -below)).toBeCloseTo(
          1,
          5,
        );
      const exponent = (-2 * drift) / variance;
      const last =
        drift === 0
          ? below / (above + below)
          : (1 - Math.exp(exponent * below)) / (1 - Math.exp(exponent * (above + below)));
      expect(endsAbove(walk, 200)).toBeCloseTo(last, 5);
    }
  });

  it("stay within [0, 1] for walks far from any chance", () => {
    for (const drift of [-1, -0.1, 0, 0.1, 1])
      for (const variance of [1e-12, 1e-4, 1, 1e4])
        for (const time of [1, 1000]) {
          const walk = { drift, variance, above: 3, below: 3 };
          for (const probability of [endsAbove(walk, time), staysAbove(walk, time, -3)]) {
            expect(probability).toBeGreaterThan(-1e-6);
            expect(probability).toBeLessThan(1 + 1e-6);
          }
        }
  });
});

/** A match of pairs with a test of at most so many pairs: its block scores, and the plain tally. */
function played(pairs: PairsOfGames, elos: readonly [number, number], most: number, random: Random) {
  const outcomes = new Map<number, number>();
  const tally = new ShareTally();
  const hypotheses = test(...elos);
  for (let block = 0; block < most; block++) {
    const [one, other] = pairOfGames(pairs, random);
    const mean = (one + other) / 2;
    outcomes.set(mean, (outcomes.get(mean) ?? 0) + 1);
    tally.add(block, one + other, 2);
    if (sequentialVerdict(logLikelihoodRatio(outcomes, hypotheses), hypotheses) !== "undecided") break;
  }
  return { plain: tally.estimate, estimate: sequentialEstimate(outcomes, hypotheses, 2) };
}

describe("sequentialEstimate", () => {
  it("covers the score, and is as often above as below it, whatever ended the test", () => {
    const trials = casesOf(1500);
    const all = { trials: 0, covered: 0, below: 0 };
    const plainly = { trials: 0, covered: 0, below: 0 };
    for (const most of [30, 1000])
      for (const draws of [0, 0.7])
        for (const elo of [0, 30, 60, 200]) {
          const pairs = { strength: (elo * Math.LN10) / 400, draws, bias: 1 };
          const random = Random.named("matches", most, draws, elo);
          const truth = meanScore(pairs);
          const holds = ([low, high]: readonly [number, number]) => low <= truth && truth <= high;
          let covered = 0;
          let below = 0;
          for (let trial = 0; trial < trials; trial++) {
            const { estimate, plain } = played(pairs, [0, 60], most, random);
            covered += Number(holds(estimate.interval));
            below += Number(estimate.value < truth);
            if (most < 1000 || elo !== 60) continue;
            plainly.trials++;
            plainly.covered += Number(holds(plain.interval));
            plainly.below += Number(plain.value < truth);
          }
          const what = JSON.stringify({ most, draws, elo });
          expect(covered / trials, what).toBeGreaterThan(0.95 - 4 * Math.sqrt((0.95 * 0.05) / trials));
          expect(Math.abs(below / trials - 0.5), what).toBeLessThan(0.15);
          all.trials += trials;
          all.covered += covered;
          all.below += below;
        }
    expect(all.covered / all.trials).toBeGreaterThan(0.95);
    expect(Math.abs(all.below / all.trials - 0.5)).toBeLessThan(0.03);
    // The plain share does not: this is what the estimate is for.
    expect(plainly.covered / plainly.trials).toBeLessThan(0.93);
    expect(plainly.below / plainly.trials).toBeLessThan(0.4);
  });

  it("is symmetric under exchange of the two sides", () => {
    const outcomes = new Map([
      [0, 3],
      [0.25, 9],
      [0.5, 30],
      [0.75, 15],
      [1, 8],
    ]);
    const own = sequentialEstimate(outcomes, test(0, 60), 2);
    const turned = new Map([...outcomes].map(([score, count]) => [1 - score, count]));
    const theirs = sequentialEstimate(turned, test(-60, 0), 2);
    expect(theirs.value).toBeCloseTo(1 - own.value, 5);
    expect(theirs.interval[0]).toBeCloseTo(1 - own.interval[1], 5);
    expect(theirs.interval[1]).toBeCloseTo(1 - own.interval[0], 5);
  });

  it("is the plain estimate if the test could hardly end before the last game", () => {
    const outcomes = new Map([
      [0.25, 12],
      [0.5, 60],
      [0.75, 20],
      [1, 8],
    ]);
    const tally = new ShareTally();
    let block = 0;
    for (const [score, count] of outcomes) for (let i = 0; i < count; i++) tally.add(block++, 2 * score, 2);
    const { interval, value } = sequentialEstimate(outcomes, { ...test(0, 1), alpha: 1e-9, beta: 1e-9 }, 2);
    const plain = tally.estimate;
    expect(value).toBeCloseTo(plain.value, 5);
    expect(interval[0]).toBeCloseTo(plain.interval[0], 5);
    expect(interval[1]).toBeCloseTo(plain.interval[1], 5);
  });

  it("has an end at 1 if all is won, a width if all ends alike, and knows nothing from one block", () => {
    const all = sequentialEstimate(new Map([[1, 30]]), test(0, 40), 2);
    expect([all.value, all.interval[1]]).toEqual([1, 1]);
    expect(all.interval[0]).toBeGreaterThan(0.8);
    const level = sequentialEstimate(new Map([[0.5, 30]]), test(0, 40), 2);
    expect(level.interval[0]).toBeLessThan(0.499);
    expect(level.interval[1]).toBeGreaterThan(0.501);
    expect(sequentialEstimate(new Map([[1, 1]]), test(0, 40), 2).interval).toEqual([0, 1]);
  });
});
