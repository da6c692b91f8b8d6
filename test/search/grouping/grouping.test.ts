import { numbersAsNotation } from "../depth-first/numbers-as-notation.ts";
import { describe, expect, it } from "vitest";
import type { GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { CHANCE, type Game, type Grouping } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { groupedGame } from "../../../src/search/grouping/grouped-game.ts";
import { withGrouping } from "../../../src/search/grouping/grouping.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { Decision } from "../../../src/search/search.ts";
import { hashGame } from "../depth-first/hash-game.ts";

const never = { evaluate: () => undefined };
const searches = ["uct", "mcts-max-n", "mcts-paranoid"];

const groupings: Readonly<Record<string, Grouping<unknown>>> = {
  one: { applies: () => true, groups: 1, group: () => 0 },
  each: { applies: () => true, groups: 4_000, group: (action) => action },
  nowhere: { applies: () => false, groups: 2, group: (action) => action % 2 },
  parity: { applies: () => true, groups: 2, group: (action) => action % 2 },
};

function decide<S>(game: Game<S>, use: string, state: S, options: object): Decision<S> {
  const search = openSearch(use, game, { simulations: 120, ...options });
  return structuredClone(drive(search.search(state, Random.named("grouping", use), 0), never));
}

interface Arm {
  returns: number;
  over: boolean;
}

/** A game of one move, whose action i has the reward i % 7. */
const bandit: Game<Arm> = {
  name: "bandit",
  players: 1,
  actions: 12,
  maxLegal: 12,
  returnBounds: [0, 6],
  initial: () => ({ returns: 0, over: false }),
  toMove: ({ over }) => (over ? -2 : 0),
  legal({ over }, out) {
    if (over) return 0;
    for (let i = 0; i < 12; i++) out[i] = i;
    return 12;
  },
  play(state, action) {
    state.returns = action % 7;
    state.over = true;
  },
  copy: (from, into) => void Object.assign(into, from),
  returns: ({ returns }, out) => void (out[0] = returns),
  notation: numbersAsNotation,
  drawing: { text: () => "", svg: () => "" },
  search: {
    groupings: { thirds: { applies: () => true, groups: 3, group: (action) => Math.floor(action / 4) } },
  },
};

describe("a layer of groups", () => {
  it.each(searches)(
    "changes nothing in %s with one group, one action a group, or where it does not apply",
    (use) => {
      for (let seed = 1; seed <= 6; seed++) {
        const plain = hashGame({ seed, players: 2, branching: 4, depth: 6, chance: 0.2 });
        const game = { ...plain, search: { ...plain.search, groupings } };
        const options = { exploration: 5, ...(use === "uct" ? {} : { progressiveHistory: 0 }) };
        const expected = decide(game, use, game.initial(), options);
        for (const grouping of ["one", "each", "nowhere"])
          expect(decide(game, use, game.initial(), { ...options, grouping })).toEqual(expected);
      }
    },
  );

  it.each(searches)("changes nothing in %s over a whole game, statistics and trees being kept", (use) => {
    const plain = hashGame({ seed: 9, players: 2, branching: 3, depth: 8, chance: 0.1 });
    const game = { ...plain, search: { ...plain.search, groupings } };
    const play = (grouping: string) => {
      const search = openSearch(use, game, {
        simulations: 60,
        grouping,
        ...(use === "uct" ? {} : { progressiveHistory: 0, reuse: true }),
      });
      const random = Random.named("whole game");
      const state = game.initial();
      const decisions: unknown[] = [];
      search.begin?.(state);
      while (game.toMove(state) !== -2) {
        let action: number;
        if (game.toMove(state) === CHANCE) action = game.chance!.sample(state, random);
        else {
          const decision = drive(search.search(state, random, 0), never);
          decisions.push(structuredClone(decision));
          ({ action } = decision);
        }
        search.observe?.(state, action);
        game.play(state, action);
      }
      return decisions;
    };
    const expected = play("none");
    expect(expected.length).toBeGreaterThan(2);
    for (const grouping of ["one", "each"]) expect(play(grouping)).toEqual(expected);
    // Groups of several actions are played through too.
    expect(play("parity").length).toBeGreaterThan(0);
  });

  it("finds the best action through its group", () => {
    for (const use of ["uct", "so-ismcts"]) {
      const { action, actionValues } = decide(bandit, use, bandit.initial(), {
        grouping: "thirds",
        simulations: 400,
        exploration: 3,
      });
      expect(action).toBe(6);
      expect(actionValues[6]).toBe(6);
    }
  });

  it("shares the time of a decision between the choice of a group and that in it", () => {
    const times: (number | undefined)[] = [];
    const make = <T>(game: Game<T>) => {
      const search = openSearch("uct", game, { simulations: 40 });
      return {
        maxRequest: 0,
        search: (state: T, random: Random, decisions: number, milliseconds?: number) => {
          times.push(milliseconds);
          return search.search(state, random, decisions);
        },
      };
    };
    for (const grouping of ["thirds", "none"]) {
      const search = withGrouping(bandit, grouping, make);
      for (const milliseconds of [30, undefined])
        drive(search.search(bandit.initial(), Random.named(0), 0, milliseconds), never);
    }
    expect(times).toEqual([15, 15, undefined, undefined, 30, undefined]);
    times.length = 0;
    const alone = { ...bandit, search: { groupings: { alone: groupings["each"] as Grouping<Arm> } } };
    drive(withGrouping(alone, "alone", make).search(bandit.initial(), Random.named(0), 0, 30), never);
    expect(times).toEqual([30]);
  });

  it("offers groups of several actions, actions that stand by themselves, then the group's own", () => {
    const grouping: Grouping<Arm> = {
      applies: () => true,
      groups: 3,
      group: (action) => Math.min(2, action % 5),
    };
    const game = groupedGame(bandit, grouping);
    const out = new Int32Array(game.maxLegal);
    const state = game.initial();
    const legal = () => [...out.subarray(0, game.legal(state, out))];
    expect(legal()).toEqual([12, 13, 14]);
    expect(game.notation.format(state, 13)).toBe("group 1");
    game.play(state, 13);
    expect(legal()).toEqual([1, 6, 11]);
    game.play(state, 6);
    expect(game.toMove(state)).toBe(-2);
    const lone = groupedGame(bandit, { ...grouping, group: (action) => (action === 7 ? 1 : 0) });
    expect([...out.subarray(0, lone.legal(lone.initial(), out))]).toEqual([7, 12]);
  });

  it("plays Daihinmin with every search that takes it, and is refused where there is no such grouping", () => {
    const game = openGame("daihinmin") as GameDaihinmin;
    const state = game.initial();
    const random = Random.named("grouped daihinmin");
    while (game.toMove(state) === CHANCE) game.play(state, game.chance.sample(state, random));
    const legal = new Int32Array(game.maxLegal);
    for (const use of searches)
      for (const grouping of ["AI1", "AI2", "AI3"])
        expect(legal.subarray(0, game.legal(state, legal))).toContain(
          decide(game, use, state, { grouping, simulations: 60 }).action,
        );
    for (const use of searches)
      expect(() => openSearch(use, openGame("tic-tac-toe"), { grouping: "AI1" })).toThrow(
        /no grouping "AI1"/,
      );
    expect(() => openSearch("mcts-best-reply", openGame("tic-tac-toe"), { grouping: "AI1" })).toThrow(
      /no groups/,
    );
  });
});
