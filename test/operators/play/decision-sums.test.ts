import { describe, expect, it } from "vitest";
import { createGame } from "../../../src/games/registry.ts";
import { playedFor } from "../../../src/games/outcome.ts";
import { countsOf, decisionSums, meansByGroup } from "../../../src/operators/play/decision-sums.ts";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { HashEvaluator } from "../../search/depth-first/hash-game.ts";

const game = playedFor(createGame("connect-four", { columns: 5, rows: 4 }), "win-loss");

/** A game of a search against itself; `priors` are those of each decision over the legal moves. */
function played(use: string, options: Readonly<Record<string, unknown>>) {
  const search = openSearch(use, game, options);
  const seat = { search, random: Random.named("seat", use), evaluator: 0 };
  const priors: number[][] = [];
  const of = driveEpisode(
    episode(game, [seat, seat], Random.named("chance"), {
      keep: { visits: true },
      decided: ({ actions }) => {
        priors.push(Array.from(actions, (action) => search.outlook!(action).prior ?? NaN));
      },
    }),
    [new HashEvaluator(game)],
  );
  return { ...of, priors };
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0);
const mean = (numbers: readonly number[]) => sum(numbers) / numbers.length;
const entropy = (shares: readonly number[]) => -sum(shares.map((p) => (p === 0 ? 0 : p * Math.log(p))));
const learned = { teacher: false };

describe("what decisions show of learning", () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["puct-max-n", { simulations: 12, playoutCap: { fraction: 0.7, simulations: 3 } }],
    ["gumbel", { simulations: 6, considered: 3, cScale: 0.3 }],
    ["mcts-max-n", { simulations: 9, epsilon: 1 }],
  ])("is the mean over the decisions of a third: %s", (use, options) => {
    const { actions, decisions, priors, returns } = played(use, options);
    const sums = decisionSums({ actions, decisions, returns }, game, learned);
    expect(countsOf(sums)).toEqual({
      decisions: decisions.length,
      forced: decisions.filter(({ actions: legal }) => legal.length === 1).length,
    });
    const groups = meansByGroup(sums);
    expect(groups[3]!.decisions).toBe(0);
    for (const third of [0, 1, 2]) {
      const own = [...decisions.keys()].filter(
        (i) =>
          Math.floor(decisions[i]!.ply / (actions.length / 3)) === third &&
          decisions[i]!.learn &&
          decisions[i]!.actions.length > 1,
      );
      const over = (figure: (i: number) => number) => mean(own.map(figure));
      const visits = (i: number) => [...decisions[i]!.visits];
      const tried = (i: number) => visits(i).filter((count) => count > 0).length;
      // From -1 to 1, so that the range is 2.
      const result = (i: number) => returns[decisions[i]!.seat]! / 2;
      const results = own.map(result);
      const among = (i: number, numbers: readonly number[]) => {
        const kept = numbers.map((number, k) => (visits(i)[k]! > 0 ? number : 0));
        return kept.map((number) => number / sum(kept));
      };
      const expected = {
        decisions: own.length,
        legal: over((i) => Math.log(visits(i).length)),
        visited: over((i) => Math.log(tried(i))),
        prior: over((i) => entropy(priors[i]!)),
        target: over((i) => entropy([...decisions[i]!.policy])),
        distance: over((i) => {
          const target = among(i, [...decisions[i]!.policy]);
          return sum(among(i, priors[i]!).map((prior, k) => Math.abs(prior - target[k]!))) / 2;
        }),
        tried: over((i) => tried(i) / visits(i).length),
        top: over((i) => Math.max(...visits(i)) / sum(visits(i))),
        valueError: over((i) => (decisions[i]!.values[decisions[i]!.seat]! / 2 - result(i)) ** 2),
        constantError: mean(results.map((each) => (each - mean(results)) ** 2)),
      };
      const found = groups[third]!;
      for (const [name, value] of Object.entries(expected)) {
        const own = found[name as keyof typeof expected];
        if (Number.isNaN(value)) expect(own, name).toBeNaN();
        else expect(own, name).toBeCloseTo(value, 6);
      }
      expect(own.length).toBeGreaterThan(0);
      expect(Number.isNaN(found.prior)).toBe(use === "mcts-max-n");
    }
  });

  it("is of the seat that is learned from, and of a teacher over the whole game", () => {
    const { actions, decisions, returns } = played("mcts-max-n", { simulations: 9, epsilon: 1 });
    const own = decisions.filter(({ seat }) => seat === 1);
    const ofSeat = decisionSums({ actions, decisions, returns }, game, { seat: 1, teacher: false });
    expect(ofSeat).toEqual(decisionSums({ actions, decisions: own, returns }, game, learned));
    expect(countsOf(ofSeat).decisions).toBe(own.length);
    const [beginning, middle, end, teacher] = meansByGroup(
      decisionSums({ actions, decisions, returns }, game, { teacher: true }),
    );
    expect([beginning, middle, end].map((third) => third!.decisions)).toEqual([0, 0, 0]);
    expect(beginning!.target).toBeNaN();
    expect(teacher!.decisions).toBe(decisions.filter(({ actions: legal }) => legal.length > 1).length);
  });

  it("says nothing of values without bounds", () => {
    const { actions, decisions, returns } = played("gumbel", { simulations: 4 });
    const unbounded = { ...game, returnBounds: [0, Infinity] as const };
    const [first] = meansByGroup(decisionSums({ actions, decisions, returns }, unbounded, learned));
    expect([first!.valueError, first!.constantError]).toEqual([NaN, NaN]);
    expect(first!.distance).toBeGreaterThanOrEqual(0);
  });
});
