import { describe, expect, it } from "vitest";
import type { BlokusState, GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { casesOf } from "../../number-of-cases.ts";

/** Legal actions, or those with the largest piece. */
function choices(game: GameBlokus, state: BlokusState, kind: "uniform" | "preferred"): number[] {
  const out = new Int32Array(game.maxLegal);
  const legal = [...out.subarray(0, game.legal(state, out))];
  const largest = Math.max(...legal.map((action) => game.search.preference(action)));
  return kind === "uniform" ? legal : legal.filter((action) => game.search.preference(action) === largest);
}

/** The .9999 quantile of chi-square, by Wilson and Hilferty's cube (1931). */
function quantile(degrees: number): number {
  const spread = 2 / (9 * degrees);
  return degrees * (1 - spread + 3.719 * Math.sqrt(spread)) ** 3;
}

describe.each([
  ["blokus", {}],
  ["blokus-duo", {}],
  ["blokus", { size: 10, largestPiece: 4 }],
])("playouts of %s %o", (name, options) => {
  const game = openGame(name, options) as GameBlokus;

  it.each(["uniform", "preferred"] as const)(
    "draw %s moves, all of them and no others, to the end",
    (kind) => {
      for (let k = 0; k < casesOf(6, 2); k++) {
        const random = Random.named("playouts", game.name, kind, k);
        const state = game.initial();
        const start = game.initial();
        // Lists left over from another game must not be drawn from.
        if (k % 2 === 1) {
          for (let ply = 0; ply < 20; ply++) game.play(state, game.playouts.uniform(state, random));
          game.copy(start, state);
        }
        while (game.toMove(state) >= 0) {
          const allowed = new Set(choices(game, state, kind));
          const action = game.playouts[kind](state, random);
          expect(allowed.has(action)).toBe(true);
          game.play(state, state.plies % 5 === 0 ? game.playouts.uniform(state, random) : action);
        }
        expect(() => game.playouts[kind](state, random)).toThrow(RangeError);
      }
    },
  );

  it.each(["uniform", "preferred"] as const)("draw %s moves equally often (chi-square)", (kind) => {
    const random = Random.named("chi-square", game.name, kind);
    for (const plies of [1, 9, 22]) {
      // Both from lists that have followed the game and from fresh ones.
      for (const fresh of [true, false]) {
        const followed = game.initial();
        for (let ply = 0; ply < plies && game.toMove(followed) >= 0; ply++)
          game.play(followed, game.playouts[kind](followed, random));
        if (game.toMove(followed) < 0) continue;
        const actions = choices(game, followed, kind);
        const drawn = new Map<number, number>();
        const draws = 12 * actions.length;
        const state = fresh ? game.initial() : followed;
        for (let i = 0; i < draws; i++) {
          if (fresh) game.copy(followed, state);
          const action = game.playouts[kind](state, random);
          drawn.set(action, (drawn.get(action) ?? 0) + 1);
        }
        let statistic = 0;
        for (const action of actions) statistic += ((drawn.get(action) ?? 0) - 12) ** 2 / 12;
        expect([...drawn.keys()].every((action) => actions.includes(action))).toBe(true);
        if (actions.length > 1) expect(statistic).toBeLessThan(quantile(actions.length - 1));
      }
    }
  });

  it("leave the position as it is, and draw the same from equal states", () => {
    const random = Random.named("playouts leave", game.name);
    const [state, one, two] = [game.initial(), game.initial(), game.initial()];
    while (game.toMove(state) >= 0) {
      const before = structuredClone(state);
      game.copy(state, one);
      // A state that was used for something else before.
      game.copy(game.initial(), two);
      for (let ply = 0; ply < 6; ply++) game.play(two, game.playouts.uniform(two, random));
      game.copy(state, two);
      const draws = Random.resume(random.state());
      const again = Random.resume(random.state());
      for (let i = 0; i < 5; i++)
        expect(game.playouts.uniform(one, draws)).toBe(game.playouts.uniform(two, again));
      const action = game.playouts.uniform(state, random);
      expect(state).toEqual(before);
      game.play(state, action);
    }
  });
});
