import { describe, expect, it } from "vitest";
import { ContestTally } from "../../../../src/operators/measuring/match/contest.ts";
import type { Estimate } from "../../../../src/stats/intervals.ts";
import { ShareTally } from "../../../../src/stats/share-tally.ts";

/** The share of these games won, in blocks of so many. */
function shareOf(won: readonly number[], size = 1) {
  const tally = new ShareTally();
  for (const [i, each] of won.entries()) tally.add(Math.floor(i / size), each);
  return { games: won.length, ...tally.estimate };
}

/** A game of these agents, one letter a seat, with these returns. */
const game = (
  seats: string,
  returns: readonly number[],
  actions: readonly number[] = [],
  failed?: number,
) => ({
  seats: seats.split(""),
  returns,
  actions: Int32Array.from(actions),
  ...(failed === undefined ? {} : { failure: { seat: failed, message: "died" } }),
});

describe("a contest of two", () => {
  it("gives win shares, Elo and seats as counted by hand, with intervals over blocks", () => {
    const tally = new ContestTally(["a", "b"], 2);
    const won = Array.from({ length: 100 }, (_, i) => (i < 70 ? 1 : i < 80 ? 0.5 : 0));
    // A block of two games is won by one side, or has two draws.
    for (const [i, own] of won.entries()) {
      const turned = i % 2 === 1;
      tally.add(game(turned ? "ba" : "ab", turned ? [1 - own, own] : [own, 1 - own], [i]), Math.floor(i / 2));
    }
    const { distinct, games, pairs, seats, standings } = tally.contest;
    expect([games, distinct]).toEqual([100, 100]);
    const share = shareOf(won, 2);
    expect(standings[0]!.wins).toEqual(share);
    expect(standings[0]!.fair).toBeCloseTo(0.5, 12);
    expect(standings[0]!.bySeat[0]).toMatchObject({ games: 50, value: 0.75 });
    expect(pairs).toHaveLength(1);
    expect(pairs[0]!.score).toEqual(share);
    expect(pairs[0]!.elo.value).toBeCloseTo(190.85, 2);
    expect(seats[0]!.value).toBeCloseTo(0.5, 12);
    // Half a win more for each side moves the rating of a hundred games a little.
    const [a, b] = standings.map(({ rating }) => rating);
    expect(a!.value - b!.value).toBeCloseTo((400 * Math.log(75.5 / 25.5)) / Math.LN10, 6);
    const [score, rating] = [pairs[0]!.elo.interval, a!.interval];
    expect((2 * (rating[1] - rating[0])) / (score[1] - score[0])).toBeCloseTo(1, 1);
  });

  it("has narrow intervals if the two win one game of each pair", () => {
    const tally = new ContestTally(["a", "b"], 2);
    for (let i = 0; i < 400; i++) tally.add(game(i % 2 === 0 ? "ab" : "ba", [1, 0], [i]), Math.floor(i / 2));
    const { pairs, standings } = tally.contest;
    for (const { interval } of [pairs[0]!.elo, standings[0]!.rating]) {
      expect(interval[1]).toBeGreaterThan(1);
      expect(interval[1]).toBeLessThan(5);
      expect(interval[0]).toBeCloseTo(-interval[1], 6);
    }
  });

  it("counts repeats of a game once among the different ones", () => {
    const tally = new ContestTally(["a", "b"], 2);
    for (let i = 0; i < 12; i++) tally.add(game("ab", [1, 0], [i % 3]), i);
    expect(tally.contest).toMatchObject({ games: 12, distinct: 3 });
  });
});

describe("a contest whose games all ended alike", () => {
  const width = ({ interval }: Estimate) => interval[1] - interval[0];
  const figures = (games: number, returns: readonly number[], figure = width) => {
    const tally = new ContestTally(["a", "b"], 2);
    for (let i = 0; i < games; i++)
      tally.add(game(i % 2 === 0 ? "ab" : "ba", i % 2 === 0 ? returns : returns.toReversed()), i);
    return tally.contest.standings.map(({ rating }) => figure(rating));
  };

  it("is not certain of the ratings, and knows more after more games", () => {
    const [few, many] = [figures(20, [0.5, 0.5]), figures(80, [0.5, 0.5])];
    expect(few[0]).toBeCloseTo(few[1]!, 8);
    expect(few[0]).toBeGreaterThan(3 * many[0]!);
    expect(many[0]).toBeGreaterThan(1);
    // Of a winner of all games one can say how strong it is at least.
    const least = (games: number) => figures(games, [1, 0], ({ interval }) => interval[0])[0]!;
    expect(least(5)).toBeLessThan(least(20));
    expect(least(20)).toBeLessThan(least(80));
    expect(least(80)).toBeGreaterThan(0);
    expect(figures(20, [1, 0])[0]).toBeGreaterThan(150);
  });

  it("knows the rating of an agent that won all games less well than that of another", () => {
    const tally = new ContestTally(["a", "b", "c"], 2);
    for (let i = 0; i < 40; i++) {
      tally.add(game("ab", [1, 0]), 2 * i);
      tally.add(game("bc", i % 2 === 0 ? [1, 0] : [0, 1]), 2 * i + 1);
    }
    const [a, b] = tally.contest.standings.map(({ rating }) => rating.interval);
    expect(a![1] - a![0]).toBeGreaterThan(1.3 * (b![1] - b![0]));
  });

  it("knows nothing of ratings from one block", () => {
    expect(figures(1, [1, 0])).toEqual([Infinity, Infinity]);
  });
});

describe("a contest of four seats", () => {
  it("counts wins by who was at the table, whatever seats they had", () => {
    const tally = new ContestTally(["a", "b", "c"], 4);
    tally.add(game("abbb", [10, 10, 3, 1]), 0);
    tally.add(game("babb", [10, 20, 3, 1]), 1);
    tally.add(game("cacc", [3, 1, 2, 0]), 2);
    const { lineups } = tally.contest;
    expect(lineups).toEqual([
      {
        games: 2,
        agents: [
          { agent: "a", seats: 1, wins: shareOf([0.5, 1]) },
          { agent: "b", seats: 3, wins: shareOf([0.5, 0]) },
        ],
      },
      {
        games: 1,
        agents: [
          { agent: "a", seats: 1, wins: shareOf([0]) },
          { agent: "c", seats: 3, wins: shareOf([1]) },
        ],
      },
    ]);
  });

  it("shares ties among the winners, and adds up an agent's seats", () => {
    const tally = new ContestTally(["a", "b"], 4);
    tally.add(game("abbb", [10, 10, 3, 1]), 0);
    const { standings, pairs } = tally.contest;
    expect(standings.map(({ wins }) => wins.value)).toEqual([0.5, 0.5]);
    expect(standings.map(({ fair }) => fair)).toEqual([0.25, 0.75]);
    // Level with one of three, ahead of two.
    expect(pairs[0]!.score.value).toBeCloseTo(2.5 / 3, 12);
    expect(tally.lastScore(0, 1)).toBeCloseTo(2.5 / 3, 12);
  });

  it("scores every two at the table, and says nothing of those that did not meet", () => {
    const tally = new ContestTally(["a", "b", "c", "d", "e"], 4);
    tally.add(game("abcd", [4, 3, 2, 1]), 0);
    const { pairs, standings } = tally.contest;
    expect(pairs.map(({ agent, against, score }) => [agent, against, score.value])).toEqual([
      ["a", "b", 1],
      ["a", "c", 1],
      ["a", "d", 1],
      ["b", "c", 1],
      ["b", "d", 1],
      ["c", "d", 1],
    ]);
    expect(tally.lastScore(0, 4)).toBeNaN();
    expect(standings[4]).toMatchObject({ wins: { games: 0, value: 0 } });
    expect(standings[4]!.bySeat.every(({ games }) => games === 0)).toBe(true);
    const order = standings.slice(0, 4).map(({ rating }) => rating.value);
    expect(order).toEqual(order.toSorted((x, y) => y - x));
    expect(order.every(Number.isFinite)).toBe(true);
  });

  it("puts the seat that failed last, whatever it had, and lets the others share the win", () => {
    const tally = new ContestTally(["a", "b"], 4);
    tally.add(game("abab", [99, 1, 2, 3], [], 0), 0);
    const { standings, pairs } = tally.contest;
    expect(standings[0]!.wins.value).toBeCloseTo(1 / 3, 12);
    expect(standings[1]!.wins.value).toBeCloseTo(2 / 3, 12);
    // The failed seat loses to both, the other is level with both.
    expect(pairs[0]!.score.value).toBeCloseTo(0.25, 12);
  });
});
