import { describe, expect, it } from "vitest";
import { openAgent, type ResolvedNet } from "../../../src/graph/agents/open-agent.ts";
import type { Game } from "../../../src/games/game.ts";
import { guidedPlayouts, impartialGuide } from "../../../src/games/guided-playouts.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";

const game: Game<unknown> = openGame("tic-tac-toe");

/** Nets by name, and the number of positions that each has evaluated and the number of moves that it has drawn. */
function fakeNets() {
  const asked: Record<string, number> = { policy: 0, value: 0, rollouts: 0 };
  const evaluating = (name: string, hasPolicy: boolean, hasValue: boolean): ResolvedNet => ({
    hasPolicy,
    hasValue,
    evaluator: {
      evaluate({ count, priors, values }) {
        asked[name]! += count;
        values.fill(0.5, 0, 2 * count);
        priors?.fill(1);
      },
    },
  });
  const guide = impartialGuide(game);
  const nets: Readonly<Record<string, ResolvedNet>> = {
    policy: evaluating("policy", true, false),
    value: evaluating("value", false, true),
    rollouts: {
      hasPolicy: false,
      hasValue: false,
      guided: guidedPlayouts(game, () => ({
        ...guide,
        draw: (state, random) => {
          asked["rollouts"]!++;
          return guide.draw(state, random);
        },
      })),
    },
  };
  return { asked, resolve: (net: unknown) => nets[String(net)]! };
}

describe("openAgent", () => {
  const decide = (settings: Record<string, unknown>) => {
    const { asked, resolve } = fakeNets();
    const agent = openAgent({ use: "apv-mcts", simulations: 30, expansion: 3, ...settings }, game, resolve);
    const { visits } = agent.decide(game.initial(), Random.named("agent"), 0);
    expect(visits.reduce((a, b) => a + b)).toBe(30);
    return asked;
  };

  it("has several leaves in flight, unless the settings say how many", () => {
    const requests = (settings: Record<string, unknown>) => {
      const counts: number[] = [];
      const net: ResolvedNet = {
        hasPolicy: true,
        hasValue: true,
        evaluator: {
          evaluate({ count, priors, values }) {
            counts.push(count);
            values.fill(0.5, 0, 2 * count);
            priors?.fill(1);
          },
        },
      };
      const agent = openAgent({ net: "net", simulations: 40, ...settings }, game, () => net);
      agent.decide(game.initial(), Random.named("agent"), 0);
      expect(counts.reduce((a, b) => a + b)).toBeLessThanOrEqual(41);
      return Math.max(...counts);
    };
    for (const use of ["puct-max-n", "gumbel"]) {
      expect(requests({ use })).toBe(8);
      expect(requests({ use, leaves: null })).toBe(8);
      expect(requests({ use, leaves: 1 })).toBe(1);
      expect(requests({ use, leaves: 3 })).toBe(3);
    }
  });

  it("asks each of several nets for what its role is", () => {
    const all = decide({ net: "policy", valueNet: "value", playoutNet: "rollouts" });
    expect(all["policy"]).toBeGreaterThan(0);
    expect(all["value"]).toBeGreaterThan(all["policy"]!);
    expect(all["rollouts"]).toBeGreaterThan(30);
    const alone = decide({ valueNet: "value", lambda: 0 });
    expect(alone).toMatchObject({ policy: 0, rollouts: 0 });
    // Each move of the root is valued at its first visit, and no leaf twice.
    expect(alone["value"]).toBeGreaterThanOrEqual(9);
    expect(alone["value"]).toBeLessThan(30);
    expect(decide({ net: "policy" })).toMatchObject({ value: 0, rollouts: 0 });
    expect(decide({})).toEqual({ policy: 0, value: 0, rollouts: 0 });
  });

  it("refuses nets in roles that they cannot play, or that the search does not know", () => {
    const { resolve } = fakeNets();
    const opening = (settings: Record<string, unknown>) => () => openAgent(settings, game, resolve);
    const use = "apv-mcts";
    expect(opening({ use, valueNet: "policy" })).toThrow(/agent: this valueNet has no value head/);
    expect(opening({ use, playoutNet: "value" })).toThrow(/and this playoutNet is not one/);
    expect(opening({ use, net: "rollouts" })).toThrow(/this net only draws moves of playouts/);
    expect(opening({ use: "uct", net: "rollouts", epsilon: 0, valueNet: "value" })).toThrow(
      /agent: uct takes no "valueNet"/,
    );
    expect(opening({ use: "gtp", command: ["gnugo"] })).toThrow(
      /use: gtp is another program; it plays in the stages/,
    );
    expect(opening({ use: "policy" })).toThrow(/agent: policy needs a "net"/);
    expect(() => openAgent({ use, valueNet: "value" }, game)).toThrow(/nets cannot be opened here/);
  });
});
