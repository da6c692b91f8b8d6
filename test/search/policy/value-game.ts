import { numbersAsNotation } from "../depth-first/numbers-as-notation.ts";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";

/** A position of a value game: a number that stands for what has been played, how much, and whose turn it is. */
export interface ValueState {
  sum: number;
  played: number;
  toMove: number;
}

/**
 * A game whose positions have a whole number from 0 to `top` as each seat's value, by a hash: nothing about them follows
 * from the moves. Seats take turns; one without a move is passed over. The same moves in another order lead to the
 * same position.
 */
export function valueGame(shape: {
  readonly seed: number;
  readonly players: number;
  readonly branching: number;
  readonly depth: number;
  readonly top: number;
  /** Share of positions where chance moves first. */
  readonly chance?: number;
}): Game<ValueState> {
  const { seed, players, branching, depth, top, chance = 0 } = shape;
  const share = (state: ValueState, salt: number) =>
    (mix(state.sum ^ Math.imul(salt, 0x9e3779b1) ^ Math.imul(state.played, 0x85ebca6b) ^ seed) >>> 0) /
    2 ** 32;
  const moves = (state: ValueState, seat: number) =>
    state.played >= depth ? 0 : Math.floor(share(state, 100 + seat) * (branching + 1));
  const advance = (state: ValueState, seat: number) => {
    if (state.played > 0 && state.played < depth && share(state, 3) < chance) {
      state.toMove = CHANCE;
      return;
    }
    state.toMove = OVER;
    for (let step = 1; step <= players && state.toMove === OVER; step++)
      if (moves(state, (seat + step) % players) > 0) state.toMove = (seat + step) % players;
  };
  const values = (state: ValueState, out: Float64Array) => {
    for (let seat = 0; seat < players; seat++) out[seat] = Math.floor(share(state, 200 + seat) * (top + 1));
  };
  return {
    name: "values",
    players,
    actions: branching,
    maxLegal: Math.max(branching, 2),
    returnBounds: [0, top],
    initial() {
      const state = { sum: seed, played: 0, toMove: 0 };
      advance(state, players - 1);
      return state;
    },
    toMove: (state) => state.toMove,
    legal(state, out) {
      const count = state.toMove === CHANCE ? 2 : state.toMove === OVER ? 0 : moves(state, state.toMove);
      for (let i = 0; i < count; i++) out[i] = i;
      return count;
    },
    play(state, action) {
      const seat = state.toMove;
      state.sum = (state.sum + mix(31 * (seat + 2) + action)) | 0;
      state.played++;
      // After chance it is the turn of seat 0, or of the next one that can move.
      advance(state, seat === CHANCE ? players - 1 : seat);
    },
    copy(from, into) {
      into.sum = from.sum;
      into.played = from.played;
      into.toMove = from.toMove;
    },
    returns: values,
    search: {
      preference: (action) => action % 3,
      passTo(state, seat) {
        if (moves(state, seat) === 0) return false;
        state.toMove = seat;
        return true;
      },
    },
    depthFirst: {
      staticEvaluations: { value: values },
      hash(state, out) {
        out[0] = mix(state.sum);
        out[1] = mix(state.sum ^ (8 * state.played + state.toMove + 3));
      },
    },
    ...(chance > 0
      ? {
          chance: {
            outcomes(_, actions, probabilities) {
              actions[0] = 0;
              actions[1] = 1;
              probabilities[0] = 0.25;
              probabilities[1] = 0.75;
              return 2;
            },
            sample: (_, random) => (random.float() < 0.25 ? 0 : 1),
          },
        }
      : {}),
    notation: numbersAsNotation,
    drawing: { text: () => "", svg: () => "" },
  };
}

function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
