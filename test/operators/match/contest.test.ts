import { describe, expect, it } from "vitest";
import { ContestTally } from "../../../src/operators/match/contest.ts";
import { Random } from "../../../src/random.ts";
import { type Estimate, proportionEstimate } from "../../../src/stats/intervals.ts";

const random = () => Random.named("contest");

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
  it("gives win shares, Wilson intervals, Elo and seats as counted by hand", () => {
    const tally = new ContestTally(["a", "b"], 2);
    for (let i = 0; i < 70; i++)
      tally.add(game(i % 2 === 0 ? "ab" : "ba", i % 2 === 0 ? [1, 0] : [0, 1], [i]));
    for (let i = 0; i < 10; i++) tally.add(game("ab", [0.5, 0.5], [i, 9]));
    for (let i = 0; i < 20; i++) tally.add(game("ba", [1, 0], [i, 8]));
    const { distinct, games, pairs, seats, standings } = tally.contest(random());
    expect([games, distinct]).toEqual([100, 100]);
    expect(standings[0]!.wins).toEqual({ games: 100, ...proportionEstimate(75, 100) });
    expect(standings[0]!.fair).toBeCloseTo(0.5, 12);
    expect(standings[0]!.bySeat[0]).toMatchObject({ games: 45, value: 40 / 45 });
    expect(pairs).toHaveLength(1);
    expect(pairs[0]!.elo.value).toBeCloseTo(190.85, 2);
    expect(seats[0]!.value).toBeCloseTo((35 + 5 + 20) / 100, 12);
    // One draw more each against an average player moves the rating of hundred games a little.
    const [a, b] = standings.map(({ rating }) => rating);
    expect(a!.value - b!.value).toBeGreaterThan(180);
    expect(a!.value - b!.value).toBeLessThan(190.85);
    expect(a!.interval[0]).toBeLessThan(a!.value);
    expect(a!.interval[1]).toBeGreaterThan(a!.value);
    expect(tally.contest(random())).toEqual(tally.contest(random()));
  });

  it("counts repeats of a game once among the different ones", () => {
    const tally = new ContestTally(["a", "b"], 2);
    for (let i = 0; i < 12; i++) tally.add(game("ab", [1, 0], [i % 3]));
    expect(tally.contest(random())).toMatchObject({ games: 12, distinct: 3 });
  });
});

describe("a contest whose games all ended alike", () => {
  const width = ({ interval }: Estimate) => interval[1] - interval[0];
  const widths = (games: number, returns: readonly number[], figure = width) => {
    const tally = new ContestTally(["a", "b"], 2);
    for (let i = 0; i < games; i++)
      tally.add(game(i % 2 === 0 ? "ab" : "ba", i % 2 === 0 ? returns : returns.toReversed()));
    return tally.contest(random()).standings.map(({ rating }) => figure(rating));
  };

  it("is not certain of the ratings, and knows more after more games", () => {
    const [few, many] = [widths(20, [0.5, 0.5]), widths(80, [0.5, 0.5])];
    expect(few[0]).toBeCloseTo(2 * many[0]!, 8);
    expect(few[0]).toBeCloseTo(few[1]!, 8);
    // Of a winner of all games one can say how strong it is at least.
    const least = (games: number) => widths(games, [1, 0], ({ interval }) => interval[0])[0]!;
    expect(least(5)).toBeLessThan(least(20));
    expect(least(20)).toBeLessThan(least(80));
    expect(least(20)).toBeGreaterThan(0);
    expect(widths(20, [1, 0])[0]).toBeGreaterThan(200);
  });

  it("has for draws the interval of a fair coin", () => {
    // The standard error of half the difference: 1 / sqrt(games) in units of the logarithm of odds.
    expect(widths(100, [0.5, 0.5])[0]).toBeCloseTo((2 * 1.959964 * 400) / Math.LN10 / 10, 3);
  });

  it("is as certain as the bootstrap where only some agents have won or lost all", () => {
    const tally = new ContestTally(["a", "b", "c"], 2);
    for (let i = 0; i < 40; i++) {
      tally.add(game("ab", [1, 0]));
      tally.add(game("bc", i % 2 === 0 ? [1, 0] : [0, 1]));
    }
    const [a, b] = tally.contest(random()).standings.map(({ rating }) => rating.interval);
    // Who won all is known less well than who did not.
    expect(a![1] - a![0]).toBeGreaterThan(1.5 * (b![1] - b![0]));
  });
});

describe("a contest of four seats", () => {
  it("counts wins by who was at the table, whatever seats they had", () => {
    const tally = new ContestTally(["a", "b", "c"], 4);
    tally.add(game("abbb", [10, 10, 3, 1]));
    tally.add(game("babb", [10, 20, 3, 1]));
    tally.add(game("cacc", [3, 1, 2, 0]));
    const { lineups } = tally.contest(random());
    expect(lineups).toEqual([
      {
        games: 2,
        agents: [
          { agent: "a", seats: 1, wins: { games: 2, ...proportionEstimate(1.5, 2) } },
          { agent: "b", seats: 3, wins: { games: 2, ...proportionEstimate(0.5, 2) } },
        ],
      },
      {
        games: 1,
        agents: [
          { agent: "a", seats: 1, wins: { games: 1, ...proportionEstimate(0, 1) } },
          { agent: "c", seats: 3, wins: { games: 1, ...proportionEstimate(1, 1) } },
        ],
      },
    ]);
  });

  it("shares ties among the winners, and adds up an agent's seats", () => {
    const tally = new ContestTally(["a", "b"], 4);
    tally.add(game("abbb", [10, 10, 3, 1]));
    const { standings, pairs } = tally.contest(random());
    expect(standings.map(({ wins }) => wins.value)).toEqual([0.5, 0.5]);
    expect(standings.map(({ fair }) => fair)).toEqual([0.25, 0.75]);
    // Level with one of three, ahead of two.
    expect(pairs[0]!.score.value).toBeCloseTo(2.5 / 3, 12);
    expect(tally.lastScore(0, 1)).toBeCloseTo(2.5 / 3, 12);
  });

  it("scores every two at the table, and says nothing of those that did not meet", () => {
    const tally = new ContestTally(["a", "b", "c", "d", "e"], 4);
    tally.add(game("abcd", [4, 3, 2, 1]));
    const { pairs, standings } = tally.contest(random());
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
    tally.add(game("abab", [99, 1, 2, 3], [], 0));
    const { standings, pairs } = tally.contest(random());
    expect(standings[0]!.wins.value).toBeCloseTo(1 / 3, 12);
    expect(standings[1]!.wins.value).toBeCloseTo(2 / 3, 12);
    // The failed seat loses to both, the other is level with both.
    expect(pairs[0]!.score.value).toBeCloseTo(0.25, 12);
  });
});
