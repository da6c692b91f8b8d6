import { describe, expect, it } from "vitest";
import { completeGame, type GameRules } from "../../src/games/complete-game.ts";
import { CHANCE, type Game, OVER } from "../../src/games/game.ts";
import { watchedGame } from "../../src/games/watched-game.ts";

interface Coin {
  plies: number;
}

/** A game of two: one throws a coin, the other one chooses. */
const rules: GameRules<Coin> = {
  actions: 2,
  maxLegal: 2,
  returnBounds: [0, 1],
  initial: () => ({ plies: 0 }),
  toMove: ({ plies }) => (plies === 0 ? CHANCE : plies === 1 ? 0 : OVER),
  legal: ({ plies }, out) => {
    if (plies > 1) return 0;
    out[0] = 0;
    out[1] = 1;
    return 2;
  },
  play: (state) => void state.plies++,
  copy: (from, into) => void (into.plies = from.plies),
  returns: ({ plies }, out) => void out.fill(plies > 1 ? 0.5 : 0),
  chance: {
    outcomes: (_, actions, odds) => {
      actions.set([0, 1]);
      odds.fill(0.5, 0, 2);
      return 2;
    },
    sample: (_, random) => random.below(2),
  },
  search: {
    preference: (action) => action,
    movePriors: { strong: (_state, _actions, count, out) => void out.fill(0.5, 0, count) },
  },
  depthFirst: { staticEvaluations: { points: (_, out) => void out.fill(3) } },
};

const place = {
  blame: <T>(work: () => T): T => work(),
  error: (name: string, message: string) => Object.assign(new Error(message), { name }),
};

const watched = (change: Partial<GameRules<Coin>> = {}): Game<Coin> =>
  watchedGame(completeGame("coin", 2, { ...rules, ...change }), place);

const at = (plies: number): Coin => ({ plies });
const two = () => new Float64Array(2);
const broken = (message: RegExp) =>
  expect.objectContaining({ name: "RulesBroken", message: expect.stringMatching(message) as string });

/** What a call throws. */
function thrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("a game of a plug-in", () => {
  it("gives its numbers on if they are sound", () => {
    const game = watched();
    const out = two();
    game.returns(at(2), out);
    expect([...out]).toEqual([0.5, 0.5]);
    expect(game.chance!.outcomes(at(0), new Int32Array(2), out)).toBe(2);
    game.depthFirst!.staticEvaluations!["points"]!(at(1), out);
    expect([...out]).toEqual([3, 3]);
    expect(game.search!.preference!(1)).toBe(1);
    game.search!.movePriors!["strong"]!(at(1), Int32Array.of(0, 1), 2, out);
    expect([...out]).toEqual([0.5, 0.5]);
  });

  it("gives no return that is NaN or infinite, in any position", () => {
    for (const number of [NaN, Infinity, -Infinity])
      for (const plies of [0, 1, 2])
        for (const seat of [0, 1]) {
          const game = watched({ returns: (_, out) => void (out.fill(0), (out[seat] = number)) });
          expect(thrown(() => game.returns(at(plies), two()))).toEqual(
            broken(
              new RegExp(
                `^returns gave ${number} for seat ${seat} in the position \\{"plies":${plies}\\}; every number is finite$`,
              ),
            ),
          );
        }
  });

  it("gives no return at the end that is out of bounds", () => {
    const game = watched({ returns: (_, out) => void out.fill(2) });
    expect(thrown(() => game.returns(at(1), two()))).toBeUndefined();
    expect(thrown(() => game.returns(at(2), two()))).toEqual(
      broken(/^returns gave 2 for seat 0 at the end, in the position .*; returnBounds are 0 and 1$/),
    );
  });

  it("has bounds of its returns that are two increasing numbers", () => {
    for (const returnBounds of [[NaN, 1], [0, NaN], [1, 0], [0, 0], [0], 1] as unknown as [number, number][])
      expect(() => watched({ returnBounds })).toThrow(
        /^coin: returnBounds are .*; they are \[least, greatest\]/,
      );
    expect(watched({ returnBounds: [-Infinity, Infinity] }).returnBounds).toEqual([-Infinity, Infinity]);
  });

  it("gives probabilities of chance that are 0 or more and sum to 1", () => {
    for (const [odds, says] of [
      [[0.5, NaN], /sum to NaN in the position/],
      [[Infinity, 0], /sum to Infinity/],
      [[1.5, -0.5], /have -0\.5 among them/],
      [[0.5, 0.4], /sum to 0\.9/],
    ] as const) {
      const chance = {
        ...rules.chance!,
        outcomes: (_: Coin, actions: Int32Array, out: Float64Array) => {
          actions.set([0, 1]);
          out.set(odds);
          return 2;
        },
      };
      expect(thrown(() => watched({ chance }).chance!.outcomes(at(0), new Int32Array(2), two()))).toEqual(
        broken(says),
      );
    }
  });

  it("gives no static evaluation, preference or prior of moves that is NaN or infinite", () => {
    const game = watched({
      depthFirst: { staticEvaluations: { points: (_, out) => out.set([1, Infinity]) } },
      search: {
        preference: () => NaN,
        movePriors: { strong: (_state, _actions, _count, out) => out.set([NaN, 1]) },
      },
    });
    expect(thrown(() => game.depthFirst!.staticEvaluations!["points"]!(at(1), two()))).toEqual(
      broken(/^the static evaluation points gave Infinity for seat 1 in/),
    );
    expect(thrown(() => game.search!.preference!(1))).toEqual(broken(/^preference gave NaN for action 1/));
    expect(thrown(() => game.search!.movePriors!["strong"]!(at(1), Int32Array.of(0, 1), 2, two()))).toEqual(
      broken(/^the move prior strong gave NaN for move 0 in/),
    );
  });
});
