import { numbersAsNotation } from "./numbers-as-notation.ts";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";

/** A position of the ladder: a numbered place in a small fixed tree. */
export interface Rung {
  rung: number;
  returns: number;
}

/**
 * A one-player tree small enough to search by hand. Numbers are rungs, `+r` rewards, `V` what the net says:
 *
 *     0 --0,+4--> 1 (V 10) --.75--> 3 --0,+2--> 5 (V 3)
 *                                     --1,+0--> 6 (V 6)
 *                          --.25--> 4 --0,+1--> over
 *       --1,+0--> 2 (V 13) --.5---> 7 --0,+20-> over
 *                          --.5---> 8 --0,+0--> 9 (V 20)
 *
 * Below 5, 6 and 9 chance leads, with certainty, to a last move whose reward is what V said.
 */
const tree: Readonly<
  Record<number, { mover: number; to: readonly (readonly [rung: number, reward: number])[] }>
> = {
  0: {
    mover: 0,
    to: [
      [1, 4],
      [2, 0],
    ],
  },
  1: {
    mover: CHANCE,
    to: [
      [3, 0],
      [4, 0],
    ],
  },
  2: {
    mover: CHANCE,
    to: [
      [7, 0],
      [8, 0],
    ],
  },
  3: {
    mover: 0,
    to: [
      [5, 2],
      [6, 0],
    ],
  },
  4: { mover: 0, to: [[10, 1]] },
  5: { mover: CHANCE, to: [[11, 0]] },
  6: { mover: CHANCE, to: [[12, 0]] },
  7: { mover: 0, to: [[10, 20]] },
  8: { mover: 0, to: [[9, 0]] },
  9: { mover: CHANCE, to: [[13, 0]] },
  10: { mover: OVER, to: [] },
  11: { mover: 0, to: [[10, 3]] },
  12: { mover: 0, to: [[10, 6]] },
  13: { mover: 0, to: [[10, 20]] },
};
const probabilities: Readonly<Record<number, readonly number[]>> = {
  1: [0.75, 0.25],
  2: [0.5, 0.5],
  5: [1],
  6: [1],
  9: [1],
};
const values: Readonly<Record<number, number>> = { 1: 10, 2: 13, 5: 3, 6: 6, 9: 20 };

/** The ladder as a game. */
export const ladder: Game<Rung> = {
  name: "ladder",
  players: 1,
  actions: 2,
  maxLegal: 2,
  returnBounds: [0, 24],
  initial: () => ({ rung: 0, returns: 0 }),
  toMove: (state) => tree[state.rung]!.mover,
  legal(state, out) {
    const { to } = tree[state.rung]!;
    for (let i = 0; i < to.length; i++) out[i] = i;
    return to.length;
  },
  play(state, action) {
    const [rung, reward] = tree[state.rung]!.to[action]!;
    state.rung = rung;
    state.returns += reward;
  },
  copy(from, into) {
    into.rung = from.rung;
    into.returns = from.returns;
  },
  returns(state, out) {
    out[0] = state.returns;
  },
  chance: {
    outcomes(state, actions, shares) {
      const all = probabilities[state.rung]!;
      for (const [i, share] of all.entries()) {
        actions[i] = i;
        shares[i] = share;
      }
      return all.length;
    },
    sample: (state, random) => (random.float() < probabilities[state.rung]![0]! ? 0 : 1),
  },
  notation: numbersAsNotation,
  drawing: { text: () => "", svg: () => "" },
};

/** Knows V of every rung that a search can request, and fails at any other. */
export const ladderEvaluator: Evaluator<Rung> = {
  evaluate(request) {
    for (let row = 0; row < request.count; row++) {
      const value = values[request.states[row]!.rung];
      if (value === undefined) throw new Error(`rung ${request.states[row]!.rung} is not to be evaluated`);
      request.values[row] = value;
    }
  },
};
