import { describe, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { PolicyChange } from "../../../src/search/search.ts";
import { HashEvaluator, hashGame } from "../depth-first/hash-game.ts";

const game = hashGame({ seed: 21, players: 2, branching: 6, depth: 12, chance: 0.2 });

function play(use: string, options: Readonly<Record<string, unknown>>, visits = true) {
  const search = openSearch(use, game, options);
  const seat = { search, random: Random.named("seat"), evaluator: 0 };
  return driveEpisode(episode(game, [seat, seat], Random.named("chance"), { keep: { visits } }), [
    new HashEvaluator(game),
  ]);
}

/** By decision of a search that plays both seats: how far the target is from the priors, computed plainly, and as it is kept. */
function changes(use: string, options: Readonly<Record<string, unknown>>, amongTried = false) {
  const search = openSearch(use, game, options);
  const expected: PolicyChange[] = [];
  const seat = { search, random: Random.named("seat"), evaluator: 0 };
  const { decisions } = driveEpisode(
    episode(game, [seat, seat], Random.named("chance"), {
      keep: { visits: true },
      decided: ({ actions, policy, visits }) => {
        const weights = [...(policy ?? visits)];
        const total = weights.reduce((all, weight) => all + weight, 0);
        const all = Array.from(actions, (action) => search.outlook!(action).prior!);
        const priors = all.map((prior, i) => (amongTried && weights[i] === 0 ? 0 : prior));
        const mass = amongTried ? sum(priors) : 1;
        const terms = weights.map((weight, i) =>
          weight === 0 ? 0 : (weight / total) * Math.log(weight / total / (priors[i]! / mass)),
        );
        const overTried = (numbers: readonly number[]) => {
          const tried = numbers.map((number, i) => (visits[i]! > 0 ? number : 0));
          return tried.map((number) => number / sum(tried));
        };
        const between = (one: readonly number[], other: readonly number[]) =>
          sum(one.map((each, i) => Math.abs(each - other[i]!))) / 2;
        const shares = weights.map((weight) => weight / total);
        const among = priors.map((prior) => prior / mass);
        expected.push({
          surprise: Math.max(0, sum(terms)),
          distance: Math.min(between(shares, among), between(overTried(weights), overTried(all))),
          priorEntropy: -sum(all.map((prior) => prior * Math.log(prior))),
        });
      },
    }),
    [new HashEvaluator(game)],
  );
  return { expected, found: decisions.map(({ change }) => change!) };
}

function expectChanges({ expected, found }: ReturnType<typeof changes>): void {
  expect(found).toHaveLength(expected.length);
  for (const [i, change] of found.entries())
    for (const key of ["surprise", "distance", "priorEntropy"] as const)
      expect(change[key], key).toBeCloseTo(expected[i]![key], 6);
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0);

describe("what an episode keeps of a policy", () => {
  it("is the visits' shares where the search says nothing else", () => {
    const { decisions } = play("puct-max-n", { simulations: 20 });
    for (const { visits, policy, learn } of decisions) {
      expect(learn).toBe(true);
      for (const [i, count] of visits.entries()) expect(policy[i]).toBeCloseTo(count / 20, 12);
    }
  });

  it("is the search's own weights where it has some, on all legal actions", () => {
    const { decisions } = play("gumbel", { simulations: 4, considered: 2 });
    expect(decisions.some(({ visits }) => [...visits].includes(0))).toBe(true);
    for (const { policy } of decisions) {
      expect(sum(policy)).toBeCloseTo(1, 12);
      for (const share of policy) expect(share).toBeGreaterThan(0);
    }
  });

  it("is the action played where the search does not simulate", () => {
    const { decisions, actions } = play("greedy", {});
    for (const { ply, policy, actions: legal } of decisions) {
      expect(sum(policy)).toBe(1);
      expect(policy[legal.indexOf(actions[ply]!)]).toBe(1);
    }
  });

  it("is marked where it is not to be learned", () => {
    const { decisions } = play("gumbel", {
      simulations: 16,
      playoutCap: { fraction: 0.4, simulations: 3 },
    });
    expect(new Set(decisions.map(({ learn }) => learn)).size).toBe(2);
    for (const { learn, visits } of decisions) expect(sum(visits)).toBe(learn ? 16 : 3);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["puct-max-n", { simulations: 20, cInit: 50 }],
    ["puct-max-n", { simulations: 20, reuse: true, forcedPlayouts: 2, noise: { epsilon: 0.25, alpha: 0.3 } }],
    ["gumbel", { simulations: 6, considered: 3, cScale: 0.3 }],
    ["apv-mcts", { simulations: 30, lambda: 1, expansion: 1 }],
  ])("is compared with the priors: %s %o", (use, options) => {
    const compared = changes(use, options);
    expectChanges(compared);
    expect(Math.max(...compared.expected.map(({ surprise }) => surprise))).toBeGreaterThan(0.01);
    expect(Math.max(...compared.expected.map(({ distance }) => distance))).toBeGreaterThan(0.02);
  });

  it.each(["tried", "tried-unweighted"])(
    "has no surprise of a target over moves that are %s, without values",
    (target) => {
      const options = { simulations: 6, considered: 3, target };
      for (const { change } of play("gumbel", { ...options, cScale: 0 }).decisions)
        expect([change!.surprise, change!.distance].map((each) => each.toFixed(6))).toEqual([
          "0.000000",
          "0.000000",
        ]);
      const { decisions } = play("gumbel", { ...options, cScale: 0.3 });
      expect(Math.max(...decisions.map(({ change }) => change!.surprise))).toBeGreaterThan(0.01);
      // Among moves of equal weights for their draws, of the priors among these moves.
      expectChanges(changes("gumbel", { ...options, target: "tried-unweighted", cScale: 0.3 }, true));
    },
  );

  it("has no surprise where the search has no priors", () => {
    for (const { change } of play("mcts-max-n", { simulations: 20, epsilon: 1 }).decisions)
      expect(change).toBeUndefined();
  });

  it("is left out, with the visits, where nobody wants it", () => {
    for (const { change, policy, visits } of play("gumbel", { simulations: 4 }, false).decisions)
      expect([policy.length, visits.length, change]).toEqual([0, 0, undefined]);
  });
});
