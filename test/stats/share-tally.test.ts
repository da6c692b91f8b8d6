import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import { proportionEstimate } from "../../src/stats/intervals.ts";
import { ShareTally } from "../../src/stats/share-tally.ts";
import { studentT95 } from "../../src/stats/student-t.ts";
import { casesOf } from "../number-of-cases.ts";
import { meanScore, orderOf, pairOfGames } from "./block-samples.ts";

interface Block {
  readonly won: number;
  readonly games: number;
}

function estimateOf(blocks: readonly Block[]) {
  const tally = new ShareTally();
  for (const [i, { games, won }] of blocks.entries()) tally.add(i, won, games);
  return tally.estimate;
}

/** Wilson's interval by its definition: the shares whose standardised distance to the observed one is at most t. */
function slowInterval(blocks: readonly Block[]): [number, number] {
  const games = blocks.reduce((sum, block) => sum + block.games, 0);
  const share = blocks.reduce((sum, block) => sum + block.won, 0) / games;
  const count = blocks.length;
  const squares = blocks.reduce((sum, block) => sum + (block.won - share * block.games) ** 2, 0);
  const independent = games * share * (1 - share);
  const effect = independent === 0 ? 1 : ((squares / independent) * count + 2) / (count + 2);
  const t = studentT95(count - 1);
  const inside = (p: number) => Math.abs(share - p) <= t * Math.sqrt((effect * p * (1 - p)) / games);
  const end = (outside: number) => {
    let [far, near] = [outside, share];
    for (let i = 0; i < 60; i++) {
      const middle = (far + near) / 2;
      if (inside(middle)) near = middle;
      else far = middle;
    }
    return near;
  };
  return [end(0), end(1)];
}

/** The share of trials in which the interval of a sample covers the truth. */
function coverage(truth: number, trials: number, sample: () => readonly Block[]): number {
  let covered = 0;
  for (let i = 0; i < trials; i++) {
    const { interval } = estimateOf(sample());
    if (interval[0] <= truth && truth <= interval[1]) covered++;
  }
  return covered / trials;
}

/** What a coverage of 95% stays above: four standard errors less. */
const least = (trials: number) => 0.95 - 4 * Math.sqrt((0.95 * 0.05) / trials);

describe("ShareTally", () => {
  it("gives the interval of its definition, for blocks of any sizes, in whatever order games come", () => {
    const random = Random.named("share tally");
    for (let trial = 0; trial < 200; trial++) {
      const games = Array.from({ length: 2 + random.below(60) }, () => ({
        block: random.below(20),
        won: random.below(3) / 2,
      }));
      const tally = new ShareTally();
      for (const { block, won } of games) tally.add(block, won);
      const blocks = [...Map.groupBy(games, ({ block }) => block).values()].map((own) => ({
        games: own.length,
        won: own.reduce((sum, { won }) => sum + won, 0),
      }));
      if (blocks.length === 1) continue;
      const { interval, value } = tally.estimate;
      const [low, high] = slowInterval(blocks);
      expect(value).toBeCloseTo(games.reduce((sum, { won }) => sum + won, 0) / games.length, 12);
      expect(interval[0]).toBeCloseTo(low, 9);
      expect(interval[1]).toBeCloseTo(high, 9);
    }
  });

  it("is for many single games that are won or lost about Wilson's interval", () => {
    const { interval } = estimateOf(
      Array.from({ length: 1000 }, (_, i) => ({ won: Number(i < 300), games: 1 })),
    );
    const wilson = proportionEstimate(300, 1000).interval;
    expect(interval[0]).toBeCloseTo(wilson[0], 3);
    expect(interval[1]).toBeCloseTo(wilson[1], 3);
  });

  it("exchanges its ends with the two sides", () => {
    const random = Random.named("sides");
    const blocks = Array.from({ length: 30 }, () => ({ won: random.below(5) / 2, games: 2 }));
    const own = estimateOf(blocks);
    const theirs = estimateOf(blocks.map(({ games, won }) => ({ games, won: games - won })));
    expect(theirs.value).toBeCloseTo(1 - own.value, 12);
    expect(theirs.interval[0]).toBeCloseTo(1 - own.interval[1], 12);
    expect(theirs.interval[1]).toBeCloseTo(1 - own.interval[0], 12);
  });

  it("is narrow if each pair ends 1:1, and never of width 0", () => {
    const width = (count: number, won: number) => {
      const { interval } = estimateOf(Array.from({ length: count }, () => ({ won, games: 2 })));
      return interval[1] - interval[0];
    };
    const independent = proportionEstimate(200, 400).interval;
    expect(width(200, 1)).toBeLessThan((independent[1] - independent[0]) / 8);
    for (const count of [2, 20, 200, 2000]) expect(width(count, 1)).toBeGreaterThan(0);
    expect(width(20, 1)).toBeGreaterThan(3 * width(200, 1));
  });

  it("has an end at 1 if all is won, and knows nothing from one block", () => {
    const all = estimateOf(Array.from({ length: 20 }, () => ({ won: 2, games: 2 })));
    expect([all.value, all.interval[1]]).toEqual([1, 1]);
    expect(all.interval[0]).toBeCloseTo(40 / (40 + studentT95(19) ** 2), 12);
    expect(estimateOf([{ won: 3, games: 4 }])).toEqual({ value: 0.75, interval: [0, 1] });
    expect(() => new ShareTally().estimate).toThrow(RangeError);
  });

  it.each([5, 15, 50, 200])(
    "covers the share of %i pairs with draws and openings that favour a colour",
    (count) => {
      const trials = casesOf(5000, 1000);
      for (const strength of [0, 1, 2.5])
        for (const draws of [0, 0.6, 0.95])
          for (const bias of [0, 3]) {
            const pairs = { strength, draws, bias };
            const random = Random.named("pairs", count, strength, draws, bias);
            const covered = coverage(meanScore(pairs), trials, () =>
              Array.from({ length: count }, () => {
                const [one, other] = pairOfGames(pairs, random);
                return { won: one + other, games: 2 };
              }),
            );
            expect(covered, JSON.stringify(pairs)).toBeGreaterThan(least(trials));
          }
    },
  );

  it.each([5, 50])("covers the share of a player in %i blocks of four seats", (count) => {
    const trials = casesOf(5000, 1000);
    const random = Random.named("seats", count);
    // By place in the order of play; a deal favours one of the seats.
    const covered = coverage(0.25, trials, () =>
      Array.from({ length: count }, () => {
        const best = random.below(4);
        const seats = [0, 1, 2, 3];
        return {
          games: 4,
          won: seats.filter(
            (own) =>
              orderOf(
                seats.map((seat) => Number(seat === best)),
                random,
              )[0] === own,
          ).length,
        };
      }),
    );
    expect(covered).toBeGreaterThan(least(trials));
  });
});
