import { describe, expect, it, vi } from "vitest";
import type { GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { CHANCE, type Game, type Grouping, OVER } from "../../../src/games/game.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { informationSearch, type InformationSearchParts } from "../../../src/search/information/ismcts.ts";
import type { Observers } from "../../../src/search/information/information-moves.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { Decision } from "../../../src/search/search.ts";
import { guessing, type History, kuhn, kuhnDeal, pennies, weightedPennies } from "./hidden-games.ts";
import { plainInformationSearch } from "./ismcts-reference.ts";
import { someOf } from "../../number-of-cases.ts";

const never = { evaluate: () => undefined };
const observers: readonly Observers[] = ["all-seen", "partial", "each"];

function decide<S>(game: Game<S>, use: string, state: S, options: object, name = "ismcts"): Decision<S> {
  return structuredClone(
    drive(openSearch(use, game, { ...options }).search(state, Random.named(name, use), 0), never),
  );
}

function after(...moves: number[]): History {
  return { moves };
}

describe("searches over information sets", () => {
  it("value a guess by what they know, where a search that sees everything knows the coin", () => {
    const options = { simulations: 6000, exploration: 4, expansion: 1 };
    for (const use of ["so-ismcts", "so-ismcts-pom", "mo-ismcts", "flat-monte-carlo"]) {
      const { expansion: _, ...flat } = options;
      const { action, actionValues } = decide(
        guessing,
        use,
        after(1),
        use === "flat-monte-carlo" ? flat : options,
      );
      expect(action).toBe(0);
      expect(actionValues[0]).toBeCloseTo(0.7, 1);
      expect(actionValues[1]).toBeCloseTo(0.3, 1);
      expect(actionValues[2]).toBeCloseTo(0.5, 9);
    }
    expect(decide(guessing, "uct", after(1), { simulations: 200 }).action).toBe(1);
  });

  it("take .6 before matching pennies where a hidden move is random to them, not where they believe they see it", () => {
    const options = { simulations: 6000, exploration: 1, expansion: 1 };
    const seeing = decide(pennies, "so-ismcts", after(), options);
    expect(seeing.action).toBe(0);
    expect(seeing.actionValues[0]).toBeGreaterThan(0.9);
    for (const game of [pennies, weightedPennies]) {
      const { action, actionValues } = decide(game, "so-ismcts-pom", after(), options);
      expect(action).toBe(1);
      expect(actionValues[0]).toBeCloseTo(0.5, 1);
      expect(actionValues[1]).toBeCloseTo(0.6, 9);
    }
  });

  it("learn what the other hides from its own tree", () => {
    const options = { simulations: 6000, exploration: 0.5, expansion: 1 };
    const { action, actionValues, values } = decide(weightedPennies, "mo-ismcts", after(), options);
    expect(action).toBe(0);
    expect(actionValues[0]).toBeGreaterThan(0.9);
    expect(values[1]).toBeGreaterThan(0.8);
  });

  it("do in Kuhn poker what is certain: fold J to a bet, call it with K", () => {
    const options = { simulations: 500, exploration: 1, expansion: 1 };
    for (const use of ["so-ismcts", "so-ismcts-pom", "mo-ismcts", "flat-monte-carlo"]) {
      const { expansion: _, ...flat } = options;
      const given = use === "flat-monte-carlo" ? flat : options;
      const jack = decide(kuhn, use, after(kuhnDeal(2, 0), 1), given);
      expect([jack.action, ...jack.actionValues]).toEqual([0, -1, -2]);
      const king = decide(kuhn, use, after(kuhnDeal(0, 2), 1), given);
      expect([king.action, ...king.actionValues]).toEqual([1, -1, 2]);
      // A bet of either card being as likely, a call with Q has the value 0.
      const queen = decide(kuhn, use, after(kuhnDeal(0, 1), 1), given);
      expect(queen.action).toBe(1);
      expect(Math.abs(queen.actionValues[1]!)).toBeLessThan(0.4);
    }
  });

  it("find the winning move where nothing is hidden", () => {
    const game = openGame("tic-tac-toe");
    const state = game.initial();
    for (const move of ["a3", "a2", "b3", "b2"]) game.play(state, game.notation.parse(state, move)!);
    for (const use of ["so-ismcts", "mo-ismcts", "flat-monte-carlo"])
      expect(game.notation.format(state, decide(game, use, state, { simulations: 500 }).action)).toBe("c3");
  });
});

const daihinmin = openGame("daihinmin") as GameDaihinmin;

const legal = new Int32Array(daihinmin.maxLegal);

/** States of one game in which there are at least so many moves. */
function statesOf(game: GameDaihinmin, name: string, moves = 2): ReturnType<GameDaihinmin["initial"]>[] {
  const random = Random.named(name);
  const state = game.initial();
  const states: (typeof state)[] = [];
  while (game.toMove(state) !== OVER) {
    if (game.toMove(state) === CHANCE) game.play(state, game.chance.sample(state, random));
    else {
      if (game.legal(state, legal) >= moves) states.push(structuredClone(state));
      game.play(state, game.search.rulePlayer(state));
    }
  }
  return states;
}

/** Every so-and-so-manieth state with its number, or some of these. */
function some<S>(states: readonly S[], every: number): readonly (readonly [number, S])[] {
  return someOf([...states.entries()].filter(([i]) => i % every === 0));
}

function found<S>(game: Game<S>, parts: InformationSearchParts<S>, state: S, random: Random) {
  const decision = drive(informationSearch(game, parts).search(state, random, 0), never);
  const { action, visits, actionValues } = decision;
  return { action, visits: [...visits], values: [...actionValues] };
}

it.each(["so-ismcts", "so-ismcts-pom", "mo-ismcts", "flat-monte-carlo"])(
  "%s simulates until the time is up",
  (use) => {
    // Every reading of this clock takes a millisecond, so it is read after every simulation.
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
    for (const milliseconds of [1, 5, 400]) {
      const { visits } = decide(ticTacToe, use, ticTacToe.initial(), { milliseconds, simulations: 3 });
      expect(visits.reduce((sum, each) => sum + each, 0)).toBe(milliseconds);
    }
    clock.mockRestore();
  },
);

describe("a search over information sets beside the plain one", () => {
  const base = {
    simulations: 200,
    milliseconds: 0,
    exploration: 1,
    expansion: 3,
    epsilon: 1,
    counts: "availability",
    children: "one",
    searchForced: false,
    opponents: "max-n",
    firstPlay: null,
    final: "visits",
    groupFirst: true,
  } as const;
  const ways = [
    [base.counts, base.children],
    ["availability", "every"],
    ["parent", "one"],
    ["parent", "every"],
  ] as const;
  const all = ways.flatMap(([counts, children]) =>
    observers.map((each) => ({ counts, children, observers: each })),
  );

  it.each(someOf(all))(
    "has the same visits and values in Daihinmin, $counts, $children, $observers",
    (way) => {
      const states = statesOf(daihinmin, "ismcts states");
      for (const [i, state] of some(states, 24)) {
        for (const grouping of [
          undefined,
          daihinmin.search.groupings["AI1"]!,
          daihinmin.search.groupings["AI3"]!,
        ]) {
          const parts = { ...base, ...way, ...(grouping === undefined ? {} : { grouping }) };
          expect(found(daihinmin, parts, state, Random.named("beside", i))).toEqual(
            plainInformationSearch(daihinmin, parts, state, Random.named("beside", i)),
          );
        }
      }
    },
  );

  const readings = (["max-n", "paranoid", "cooperative"] as const).flatMap((opponents) =>
    (["visits", "mean"] as const).flatMap((final) =>
      [true, false].flatMap((groupFirst) =>
        [null, 0.8].map((firstPlay) => ({ opponents, final, groupFirst, firstPlay })),
      ),
    ),
  );

  it.each(someOf(readings))(
    "has the same under $opponents, $final, groups first $groupFirst, first play $firstPlay",
    (reading) => {
      const [one, other] =
        readings.indexOf(reading) % 2 === 0 ? (["one", "every"] as const) : (["every", "one"] as const);
      for (const [i, state] of some(statesOf(daihinmin, "ismcts states"), 12)) {
        const grouping = daihinmin.search.groupings[i % 24 === 0 ? "AI1" : "AI2"]!;
        const parts = {
          ...base,
          ...reading,
          counts: "parent",
          children: i % 36 === 0 ? one : other,
          observers: observers[i % 3]!,
          grouping,
        } as const;
        expect(found(daihinmin, parts, state, Random.named("reading", i))).toEqual(
          plainInformationSearch(daihinmin, parts, state, Random.named("reading", i)),
        );
      }
    },
  );

  it.each(all)("has the same in small games, $counts, $children, $observers", (way) => {
    const parts = { ...base, ...way, expansion: 1 };
    for (const [game, state] of [
      [guessing, after(0)],
      [pennies, after()],
      [pennies, after(0)],
      [kuhn, after(1)],
      [kuhn, after(3, 1)],
    ] as const)
      expect(found(game, parts, state, Random.named("small"))).toEqual(
        plainInformationSearch(game, parts, state, Random.named("small")),
      );
  });
});

describe("a simulation for every child", () => {
  const options = { simulations: 9, expansion: 1, children: "every" };

  it("gives each move one before any gets a second, in one determinization", () => {
    const leading = statesOf(daihinmin, "every child").find(
      (state) => daihinmin.search.groupings["AI1"]!.applies(state) && daihinmin.legal(state, legal) > 8,
    )!;
    const legal9 = decide(ticTacToe, "so-ismcts", ticTacToe.initial(), options).visits;
    expect([...legal9]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1]);
    const count = daihinmin.legal(leading, legal);
    for (const grouping of ["none", "AI1", "AI2", "AI3"])
      for (const use of ["so-ismcts", "mo-ismcts"]) {
        const { visits } = decide(daihinmin, use, leading, { ...options, simulations: count, grouping });
        expect([...visits]).toEqual(Array.from({ length: count }, () => 1));
      }
  });

  it("counts each of them as a simulation", () => {
    for (const [i, state] of statesOf(daihinmin, "every child counted").entries()) {
      if (i % 10 > 0) continue;
      const { visits } = decide(daihinmin, "so-ismcts", state, { ...options, simulations: 150 });
      expect(visits.reduce((sum, each) => sum + each, 0)).toBe(150);
    }
  });

  it("draws few determinizations where moves are many, and starts the next decision afresh", () => {
    const search = openSearch("so-ismcts", guessing, { ...options, simulations: 1 });
    const first = drive(search.search(after(1), Random.named("afresh"), 0), never);
    const { visits } = structuredClone(first);
    const again = drive(search.search(after(1), Random.named("afresh"), 0), never);
    expect(again.visits).toEqual(visits);
    const determinize = vi.spyOn(daihinmin.information, "determinize");
    const [state] = statesOf(daihinmin, "few determinizations");
    const drawn = (children: string) => {
      determinize.mockClear();
      decide(daihinmin, "so-ismcts", state!, { simulations: 200, expansion: 5, children });
      return determinize.mock.calls.length;
    };
    expect(drawn("one")).toBe(200);
    expect(drawn("every")).toBeLessThan(150);
    determinize.mockRestore();
  });
});

describe("a single legal move", () => {
  it("is searched where that is asked for, and played in any case", () => {
    const state = statesOf(daihinmin, "forced", 1).find((each) => daihinmin.legal(each, legal) === 1)!;
    for (const use of ["so-ismcts", "so-ismcts-pom", "mo-ismcts"])
      for (const grouping of ["none", "AI2"]) {
        const options = { simulations: 50, grouping };
        const shortcut = decide(daihinmin, use, state, options);
        const searched = decide(daihinmin, use, state, { ...options, searchForced: true });
        expect([...shortcut.visits]).toEqual([0]);
        expect([...searched.visits]).toEqual([50]);
        expect(searched.action).toBe(shortcut.action);
        expect(searched.values.every((value) => value >= 0 && value <= 1)).toBe(true);
        expect(searched.values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(2.5, 9);
      }
  });
});

describe("grouping", () => {
  const groupings: Readonly<Record<string, Grouping<unknown>>> = {
    "one group": { applies: () => true, groups: 1, group: () => 0 },
    "one action a group": { applies: () => true, groups: daihinmin.actions, group: (action) => action },
    "none that applies": { applies: () => false, groups: 1, group: () => 0 },
  };

  it.each(Object.keys(groupings))("changes nothing with %s", (name) => {
    const states = statesOf(daihinmin, "grouping states");
    const grouping = groupings[name]!;
    for (const each of observers) {
      const parts = {
        observers: each,
        simulations: 200,
        milliseconds: 0,
        exploration: 1,
        expansion: 5,
        epsilon: 1,
        counts: "availability",
        children: "one",
        searchForced: false,
        opponents: "max-n",
        firstPlay: null,
        final: "visits",
        groupFirst: true,
      } as const;
      for (const [i, state] of some(states, 7)) {
        const plain = informationSearch(daihinmin, parts).search(state, Random.named("g", i), 0);
        const grouped = informationSearch(daihinmin, { ...parts, grouping }).search(
          state,
          Random.named("g", i),
          0,
        );
        expect(drive(grouped, never)).toEqual(drive(plain, never));
      }
    }
  });

  it("takes the kinds of the source", () => {
    const group = (name: string, text: string) => {
      const state = daihinmin.initial();
      daihinmin.play(state, 0);
      const { groupings: all } = daihinmin.search;
      return all[name]!.group(moves.get(text)!);
    };
    const moves = new Map<string, number>();
    for (const state of statesOf(daihinmin, "grouping kinds")) {
      const legal = new Int32Array(daihinmin.maxLegal);
      for (const action of legal.subarray(0, daihinmin.legal(state, legal)))
        moves.set(daihinmin.notation.format(state, action), action);
    }
    const texts = [...moves.keys()];
    const size = (text: string) => text.split(" ").length;
    const isSequence = (text: string) =>
      size(text) > 2 &&
      new Set(
        text
          .replaceAll("*", "")
          .split(" ")
          .map((c) => c[0]),
      ).size === 1;
    for (const a of texts)
      for (const b of texts) {
        const sameSize = size(a) === size(b);
        expect(group("AI3", a) === group("AI3", b)).toBe(sameSize);
        expect(group("AI1", a) === group("AI1", b)).toBe(sameSize && isSequence(a) === isSequence(b));
        const passes = (a === "pass") === (b === "pass");
        expect(group("AI2", a) === group("AI2", b)).toBe(
          passes && sameSize && isSequence(a) === isSequence(b),
        );
      }
    expect(texts.some(isSequence)).toBe(true);
  });

  it("says which groupings a game has", () => {
    expect(() => openSearch("so-ismcts", daihinmin, { grouping: "AI4" })).toThrow(/none, AI1, AI2, AI3/);
    expect(() => openSearch("so-ismcts", openGame("tic-tac-toe"), { grouping: "AI1" })).toThrow(
      /no grouping/,
    );
  });
});

describe("players of Daihinmin", () => {
  it("stop at the end of a game of a sequence", () => {
    const game = openGame("daihinmin", { games: 4 }) as GameDaihinmin;
    const random = Random.named("sequence");
    const players = [
      openSearch("so-ismcts", game, { simulations: 60, grouping: "AI1" }),
      openSearch("flat-monte-carlo", game, { simulations: 60, epsilon: 0.1 }),
      ...[2, 3, 4].map(() => openSearch("default", game)),
    ];
    const state = game.initial();
    let last = 0;
    while (game.toMove(state) !== OVER) {
      const mover = game.toMove(state);
      if (mover === CHANCE) {
        game.play(state, game.chance.sample(state, random));
        continue;
      }
      const decision = drive(players[mover]!.search(state, random, 0), never);
      // Not more than the returns of one deal, in whichever deal of the match.
      for (const value of decision.values) expect(value >= 0 && value <= 1).toBe(true);
      game.play(state, decision.action);
      last = game.search.deal(state);
    }
    expect(last).toBe(4);
  });
});
