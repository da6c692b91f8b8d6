import { describe, expect, it } from "vitest";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { HashEvaluator, hashGame } from "../depth-first/hash-game.ts";

const game = hashGame({ seed: 21, players: 2, branching: 6, depth: 12, chance: 0.2 });

function play(use: string, options: Readonly<Record<string, unknown>>, visits = true) {
  const search = openSearch(use, game, options);
  const seat = { search, random: Random.named("seat"), evaluator: 0 };
  return driveEpisode(episode(game, [seat, seat], Random.named("chance"), { keep: { visits } }), [
    new HashEvaluator(game),
  ]);
}

/** What is known of each decision of a search that plays both seats. */
function surprises(use: string, options: Readonly<Record<string, unknown>>, amongTried = false) {
  const search = openSearch(use, game, options);
  const expected: number[] = [];
  const seat = { search, random: Random.named("seat"), evaluator: 0 };
  const { decisions } = driveEpisode(
    episode(game, [seat, seat], Random.named("chance"), {
      keep: { visits: true },
      decided: ({ actions, policy, visits }) => {
        const weights = [...(policy ?? visits)];
        const total = weights.reduce((all, weight) => all + weight, 0);
        const priors = weights.map((weight, i) =>
          amongTried && weight === 0 ? 0 : search.outlook!(actions[i]!).prior!,
        );
        const mass = amongTried ? sum(priors) : 1;
        const terms = weights.map((weight, i) =>
          weight === 0 ? 0 : (weight / total) * Math.log(weight / total / (priors[i]! / mass)),
        );
        expected.push(terms.reduce((all, term) => all + term, 0));
      },
    }),
    [new HashEvaluator(game)],
  );
  return { expected, found: decisions.map(({ surprise }) => surprise) };
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
    ["puct-max-n", { simulations: 20 }],
    ["puct-max-n", { simulations: 20, reuse: true, forcedPlayouts: 2, noise: { epsilon: 0.25, alpha: 0.3 } }],
    ["gumbel", { simulations: 6, considered: 3, cScale: 0.3 }],
    ["apv-mcts", { simulations: 30, lambda: 1, expansion: 1 }],
  ])("has the divergence from the priors as its surprise: %s %o", (use, options) => {
    const { expected, found } = surprises(use, options);
    expect(found).toHaveLength(expected.length);
    for (const [i, surprise] of found.entries()) expect(surprise).toBeCloseTo(Math.max(0, expected[i]!), 9);
    expect(Math.max(...expected)).toBeGreaterThan(0.01);
  });

  it.each(["tried", "tried-unweighted"])(
    "has no surprise of a target over moves that are %s, without values",
    (target) => {
      const options = { simulations: 6, considered: 3, target };
      for (const { surprise } of play("gumbel", { ...options, cScale: 0 }).decisions)
        expect(surprise).toBeCloseTo(0, 9);
      const { decisions } = play("gumbel", { ...options, cScale: 0.3 });
      expect(Math.max(...decisions.map(({ surprise }) => surprise!))).toBeGreaterThan(0.01);
      // Among moves of equal weights for their draws, of the priors among these moves.
      const { expected, found } = surprises(
        "gumbel",
        { ...options, target: "tried-unweighted", cScale: 0.3 },
        true,
      );
      for (const [i, surprise] of found.entries()) expect(surprise).toBeCloseTo(expected[i]!, 9);
    },
  );

  it("has no surprise where the search has no priors", () => {
    for (const { surprise } of play("mcts-max-n", { simulations: 20, epsilon: 1 }).decisions)
      expect(surprise).toBeUndefined();
  });

  it("is left out, with the visits, where nobody wants it", () => {
    for (const { policy, visits } of play("gumbel", { simulations: 4 }, false).decisions)
      expect([policy.length, visits.length]).toEqual([0, 0]);
  });
});
