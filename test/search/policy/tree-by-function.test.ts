import { describe, expect, it } from "vitest";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { puct, treeSearch } from "../../../src/search/policy/tree-by-function.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { HashEvaluator, hashGame } from "../depth-first/hash-game.ts";

const games = Array.from({ length: 12 }, (_, seed) =>
  hashGame({
    seed,
    players: 1 + (seed % 4),
    branching: 2 + ((5 * seed) % 23),
    depth: 3 + (seed % 6),
    chance: (seed % 3) / 4,
  }),
);

describe("treeSearch", () => {
  it("with puct makes the decisions of puct-max-n", () => {
    for (const [seed, game] of games.entries()) {
      const options = { simulations: 60, cBase: 50, cInit: 3 };
      const builtIn = openSearch("puct-max-n", game, options);
      const own = treeSearch(game, { simulations: 60, select: (edges) => puct(edges, options) });
      const evaluator = new HashEvaluator(game);
      const chance = Random.named("by function", seed);
      const state = game.initial();
      for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
        let action: number;
        if (mover === CHANCE) action = game.chance!.sample(state, chance);
        else {
          const random = () => Random.named("by function", seed, "search");
          const expected = structuredClone(drive(builtIn.search(state, random(), 0), evaluator));
          expect(drive(own.search(state, random(), 0), evaluator)).toEqual(expected);
          action = expected.action;
        }
        game.play(state, action);
      }
    }
  });

  it("shows each edge that was taken, and the likeliest of the others", () => {
    const game = games.find(({ players }) => players === 2)!;
    let calls = 0;
    const own = treeSearch(game, {
      simulations: 30,
      select({ priors, total, visits, root }) {
        calls++;
        const sum = visits.reduce((all, each) => all + each, 0);
        // The simulation that expanded a node took none of its edges.
        expect(total).toBe(sum + 1);
        if (root) expect(visits.indexOf(0) === -1 || visits.indexOf(0) === visits.length - 1).toBe(true);
        expect(priors.every((each) => each >= 0 && each <= 1)).toBe(true);
        return visits.indexOf(Math.min(...visits));
      },
      choose: ({ actions, visits, values }) => {
        expect([visits.length, values.length]).toEqual([actions.length, actions.length]);
        return visits.lastIndexOf(Math.max(...visits));
      },
    });
    const { visits } = drive(own.search(game.initial(), Random.named("edges"), 0), new HashEvaluator(game));
    expect(calls).toBeGreaterThanOrEqual(30);
    // Each simulation at the root takes the edge with the fewest visits.
    expect(Math.max(...visits) - Math.min(...visits)).toBeLessThanOrEqual(1);
  });

  it("refuses indices of no edge, and moves that no simulation took", () => {
    const game = games[5]!;
    const search = (parts: Partial<Parameters<typeof treeSearch>[1]>) => () =>
      drive(
        treeSearch(game, { simulations: 1, select: (edges) => puct(edges), ...parts }).search(
          game.initial(),
          Random.named("wrong"),
          0,
        ),
        new HashEvaluator(game),
      );
    expect(search({ select: () => 99 })).toThrow(
      "select returned 99; it returns the index of one of 1 edges",
    );
    expect(search({ choose: ({ visits }) => visits.indexOf(0) })).toThrow(/^choose returned \d+/);
  });
});
