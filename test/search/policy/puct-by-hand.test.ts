import { describe, expect, it } from "vitest";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { type Game, OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";

interface Place {
  readonly mover: number;
  /** Where each move leads, and the net's probability of it. */
  readonly moves: readonly (readonly [to: string, prior: number])[];
  /** The net's value for each seat; at the end of the game the return of each seat. */
  readonly value: readonly number[];
}

/** A game of three on paper: the net's word for everything. */
const places: Readonly<Record<string, Place>> = {
  root: {
    mover: 0,
    moves: [
      ["A", 0.5],
      ["B", 0.3],
      ["C", 0.2],
    ],
    value: [0, 0, 0],
  },
  A: {
    mover: 1,
    moves: [
      ["A1", 0.6],
      ["A2", 0.4],
    ],
    value: [-0.2, 0.6, -0.4],
  },
  A1: { mover: 2, moves: [["C", 1]], value: [0.9, -0.8, -0.5] },
  A2: { mover: 2, moves: [["A3", 1]], value: [-0.6, 0.7, 0.1] },
  A3: { mover: 0, moves: [["C", 1]], value: [0.2, 0.2, 0.2] },
  B: { mover: 2, moves: [["B1", 1]], value: [0.4, -0.3, -0.1] },
  B1: { mover: 0, moves: [["C", 1]], value: [-0.8, 0.5, 0.3] },
  C: { mover: OVER, moves: [], value: [-1, -1, 1] },
};

interface State {
  at: string;
}

const game = {
  name: "on paper",
  players: 3,
  actions: 3,
  maxLegal: 3,
  returnBounds: [-1, 1],
  initial: () => ({ at: "root" }),
  toMove: ({ at }: State) => places[at]!.mover,
  legal: ({ at }: State, out: Int32Array) => {
    for (const i of places[at]!.moves.keys()) out[i] = i;
    return places[at]!.moves.length;
  },
  play: (state: State, action: number) => {
    state.at = places[state.at]!.moves[action]![0];
  },
  copy: (from: State, into: State) => {
    into.at = from.at;
  },
  returns: ({ at }: State, out: Float64Array) => {
    for (const [seat, value] of places[at]!.value.entries()) out[seat] = at === "C" ? value : 0;
  },
} as unknown as Game<State>;

/** Answers from the table, and writes down the requests. */
function onPaper(requested: string[]): Evaluator<State> {
  return {
    evaluate: ({ states, count, values, priors }) => {
      for (let i = 0; i < count; i++) {
        const { at } = states[i]!;
        requested.push(at);
        const { value, moves } = places[at]!;
        for (const [seat, each] of value.entries()) values[3 * i + seat] = each;
        for (const [move, [, prior]] of moves.entries()) priors![3 * i + move] = prior;
      }
    },
  };
}

/*
 * BlokusZero's search (section 4.2) by hand, c_base 19625 and c_init 1.25: C(s) is 1.25 but for the fourth decimal, and
 * N(s) counts the expansion of s. Scores Q + U of the moves to A, B and C at the root:
 *
 * 1. .625, .375, .25: A, new; the mean of A is (-.2, .6, -.4)
 * 2. -.2 + .442, .530, .354: B, new; (.4, -.3, -.1)
 * 3. -.2 + .541, .4 + .325, .433: B, and B1 beyond it, new; the mean of B is now (-.2, .1, .1)
 * 4. -.2 + .625, -.2 + .25, .5: C, where the game ends: (-1, -1, 1)
 * 5. -.2 + .699, -.2 + .280, -1 + .280: A; there seat 1 chooses by .75 and .5: A1, new; the mean of A is (.35, -.1, -.45)
 * 6. .35 + .510, -.2 + .306, -1 + .306: A; there A1 has the value -.8 for seat 1: -.8 + .530 and .707: A2, new;
 *    the mean of A is (1/30, 1/6, -8/30)
 * 7. 1/30 + .413, -.2 + .331, -1 + .331: A; there -.8 + .650 and .7 + .433: A2, and A3 beyond it, new; A: (.075, .175, -.15)
 */
const expected: readonly {
  readonly requested: string;
  readonly visits: number[];
  readonly means: number[];
}[] = [
  { requested: "A", visits: [1, 0, 0], means: [-0.2, 0, 0] },
  { requested: "B", visits: [1, 1, 0], means: [-0.2, 0.4, 0] },
  { requested: "B1", visits: [1, 2, 0], means: [-0.2, -0.2, 0] },
  { requested: "", visits: [1, 2, 1], means: [-0.2, -0.2, -1] },
  { requested: "A1", visits: [2, 2, 1], means: [0.35, -0.2, -1] },
  { requested: "A2", visits: [3, 2, 1], means: [1 / 30, -0.2, -1] },
  { requested: "A3", visits: [4, 2, 1], means: [0.075, -0.2, -1] },
];

describe("puct-max-n by hand", () => {
  it("goes where the formulas lead, each seat by its own part of the values", () => {
    for (const [done, { visits, means }] of expected.entries()) {
      const search = openSearch("puct-max-n", game, { simulations: done + 1, cBase: 19625, cInit: 1.25 });
      const requested: string[] = [];
      const decision = drive(search.search(game.initial(), Random.named(1), 0), onPaper(requested));
      const wanted = expected.slice(0, done + 1).map((each) => each.requested);
      expect(requested).toEqual(["root", ...wanted.filter((name) => name !== "")]);
      expect([...decision.visits]).toEqual(visits);
      for (const [move, mean] of means.entries())
        if (visits[move]! > 0) expect(decision.actionValues[move]).toBeCloseTo(mean, 12);
    }
  });

  /*
   * c_base 1 and c_init 0: C(s) is log(N(s) + 2). The first eight simulations go to A, B, B, C, A, A, A, A, the last of them
   * through A2 and A3 to the end of the game; A then has the value -.14 for seat 0, B -.2. The ninth, N(s) = 9:
   *
   *     A: -.14 + 2.398 x .5 x 3 / 6 = .4595      B: -.2 + 2.398 x .3 x 3 / 3 = .5194
   *
   * With the C(s) = log 3 of the first simulation it would be .1347 and .1296.
   */
  it("explores more the more often a position was visited", () => {
    const search = openSearch("puct-max-n", game, { simulations: 9, cBase: 1, cInit: 0 });
    const requested: string[] = [];
    const decision = drive(search.search(game.initial(), Random.named(1), 0), onPaper(requested));
    expect(requested).toEqual(["root", "A", "B", "B1", "A1", "A2", "A3"]);
    expect([...decision.visits]).toEqual([5, 3, 1]);
    expect(decision.actionValues[0]).toBeCloseTo(-0.14, 12);
  });

  it("plays the most visited move", () => {
    const search = openSearch("puct-max-n", game, { simulations: 7 });
    const decision = drive(search.search(game.initial(), Random.named(1), 0), onPaper([]));
    expect(decision.action).toBe(0);
  });
});
