import { describe, expect, it } from "vitest";
import { drawnNumbers } from "../../../../src/operators/measuring/accuracy/accuracy-rounds.ts";
import { scoreOfPolicy } from "../../../../src/operators/measuring/accuracy/accuracy-tally.ts";
import { newJudgedMoves, rankOf } from "../../../../src/operators/measuring/accuracy/judged-moves.ts";
import { Random } from "../../../../src/random.ts";
import { ratioEstimate } from "../../../../src/stats/intervals.ts";

it("ranks by weight, the first of equal ones first", () => {
  const weights = [0.2, 0.5, 0.2, 0.1];
  expect(weights.map((_, i) => rankOf(weights, 4, i))).toEqual([2, 1, 3, 4]);
});

it("draws different numbers, each equally often", () => {
  const counts = Array.from({ length: 10 }, () => 0);
  for (let i = 0; i < 2000; i++) {
    const drawn = drawnNumbers(10, 3, Random.named("numbers", i));
    expect(drawn).toEqual(new Uint32Array([...new Set(drawn)].toSorted((a, b) => a - b)));
    for (const number of drawn) counts[number]!++;
  }
  // Each is drawn in three of ten cases: 600 times, with a standard deviation of 20.
  for (const count of counts) expect(Math.abs(count - 600)).toBeLessThan(100);
});

describe("the score of a policy", () => {
  const random = Random.named("score");
  const judged = Array.from({ length: 200 }, (_, i) => {
    const rank = random.below(8);
    return { game: i % 11, ply: random.below(25), rank, log: rank === 0 ? NaN : -random.float() };
  });
  const moves = newJudgedMoves(judged.length);
  for (const [i, { game, log, ply, rank }] of judged.entries()) {
    moves.games[i] = game;
    moves.plies[i] = ply;
    moves.ranks[i] = rank;
    moves.likelihoods[i] = log;
  }
  const groupOf = Uint8Array.from({ length: 11 }, (_, game) => (game < 4 ? 2 : 0));
  const told = scoreOfPolicy(moves, { groupOf, groups: ["strong", "none", "weak"] }, 10);

  /** The figures of some judgements, counted game by game. */
  function plainly(some: typeof judged) {
    const games = [...new Set(some.map(({ game }) => game))];
    const per = (of: (one: (typeof judged)[number]) => number) =>
      games.map((game) => some.filter((one) => one.game === game).reduce((sum, one) => sum + of(one), 0));
    const all = per(() => 1);
    const possible = some.filter(({ rank }) => rank > 0);
    return {
      games: games.length,
      decisions: some.length,
      top1: ratioEstimate(
        per(({ rank }) => (rank === 1 ? 1 : 0)),
        all,
      ),
      top5: ratioEstimate(
        per(({ rank }) => (rank > 0 && rank <= 5 ? 1 : 0)),
        all,
      ),
      likelihood: ratioEstimate(
        per(({ log, rank }) => (rank > 0 ? log : 0)),
        per(({ rank }) => (rank > 0 ? 1 : 0)),
      ),
      impossible: some.length - possible.length,
    };
  }

  it("is that of the sums over games, in total, by group and by ply", () => {
    expect(told).toMatchObject(plainly(judged));
    expect(told.groups.map(({ group }) => group)).toEqual(["strong", "weak"]);
    for (const { group, ...figures } of told.groups)
      expect(figures).toEqual(plainly(judged.filter(({ game }) => game < 4 === (group === "weak"))));
    expect(told.plies.map(({ from }) => from)).toEqual([0, 10, 20]);
    for (const { from, ...figures } of told.plies)
      expect(figures.decisions).toBe(judged.filter(({ ply }) => ply >= from && ply < from + 10).length);
  });

  it("has intervals of shares within 0 and 1, and tells no groups where there is one", () => {
    const sure = newJudgedMoves(6);
    sure.games.set([0, 0, 1, 1, 2, 2]);
    sure.ranks.set([1, 1, 1, 6, 1, 1]);
    const { groups, top1 } = scoreOfPolicy(sure, { groupOf: new Uint8Array(3), groups: ["all", "empty"] }, 1);
    expect(top1.interval[1]).toBe(1);
    expect(top1.interval[0]).toBeGreaterThan(0);
    expect(groups).toEqual([]);
  });
});
