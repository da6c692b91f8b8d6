import { numbersAsNotation } from "./numbers-as-notation.ts";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import type { EvaluationRequest, Evaluator } from "../../../src/games/evaluation.ts";

/** A position of a hash game: its place in the tree, and the returns so far. */
export interface HashState {
  path: number;
  depth: number;
  readonly returns: Float64Array;
}

/**
 * A game whose whole tree is a pseudo-random function of its seed: movers, branching, rewards, chance and ends all
 * come from a hash of the path. For comparing searches with slow references on trees of every shape.
 */
export function hashGame(shape: {
  readonly seed: number;
  readonly players: number;
  readonly branching: number;
  readonly depth: number;
  /** Share of chance plies. */
  readonly chance: number;
  /** Share of positions that end the game before its depth; .1 where absent. */
  readonly ends?: number;
}): Game<HashState> {
  const { seed, players, branching, depth, chance, ends = 0.1 } = shape;
  const bits = (state: HashState, salt: number) => mix(state.path ^ Math.imul(salt, 0x9e3779b1) ^ seed);
  const share = (state: HashState, salt: number) => (bits(state, salt) >>> 0) / 2 ** 32;
  const toMove = (state: HashState): number => {
    if (state.depth >= depth || (state.depth > 1 && share(state, 1) < ends)) return OVER;
    // The root is a decision, as a search requires.
    if (state.depth > 0 && share(state, 2) < chance) return CHANCE;
    return Math.floor(share(state, 3) * players);
  };
  const count = (state: HashState) => 1 + Math.floor(share(state, 4) * branching);
  const weights = (state: HashState) => {
    const raw = Array.from({ length: count(state) }, (_, i) => 0.2 + share(state, 50 + i));
    const sum = raw.reduce((a, b) => a + b, 0);
    return raw.map((weight) => weight / sum);
  };
  return {
    name: "hash",
    players,
    actions: branching,
    maxLegal: branching,
    returnBounds: [0, 20 * depth],
    initial: () => ({ path: 1, depth: 0, returns: new Float64Array(players) }),
    toMove,
    legal(state, out) {
      if (toMove(state) === OVER) return 0;
      const n = count(state);
      for (let i = 0; i < n; i++) out[i] = i;
      return n;
    },
    play(state, action) {
      for (let seat = 0; seat < players; seat++)
        state.returns[seat]! += Math.floor(share(state, 1000 + 16 * action + seat) * 20);
      state.path = mix(state.path * 31 + action + 1);
      state.depth++;
    },
    copy(from, into) {
      into.path = from.path;
      into.depth = from.depth;
      into.returns.set(from.returns);
    },
    returns: (state, out) => out.set(state.returns),
    // An arbitrary player, for searches that need a game's own player.
    search: { rulePlayer: () => 0 },
    chance: {
      outcomes(state, actions, probabilities) {
        const all = weights(state);
        for (const [i, weight] of all.entries()) {
          actions[i] = i;
          probabilities[i] = weight;
        }
        return all.length;
      },
      sample(state, random) {
        const all = weights(state);
        let left = random.float();
        for (let i = 0; i < all.length - 1; i++) {
          left -= all[i]!;
          if (left < 0) return i;
        }
        return all.length - 1;
      },
    },
    notation: numbersAsNotation,
    drawing: { text: () => "", svg: () => "" },
  };
}

/** What the hash evaluator says of a position, between 0 and 30 for each seat. */
export function hashValue(state: HashState, seat: number): number {
  return ((mix(state.path ^ (seat + 77)) >>> 0) / 2 ** 32) * 30;
}

/** The unnormalised prior that the hash evaluator gives the i-th legal action. */
export function hashPrior(state: HashState, i: number): number {
  return Math.fround((mix(state.path ^ (i + 7777)) >>> 0) / 2 ** 32);
}

/** Answers with `hashValue` and `hashPrior`, and counts its requests. */
export class HashEvaluator implements Evaluator<HashState> {
  readonly #game: Game<HashState>;
  requests = 0;
  states = 0;

  constructor(game: Game<HashState>) {
    this.#game = game;
  }

  evaluate(request: EvaluationRequest<HashState>): void {
    const { players, maxLegal } = this.#game;
    this.requests++;
    this.states += request.count;
    for (let row = 0; row < request.count; row++) {
      const state = request.states[row]!;
      for (let seat = 0; seat < players; seat++)
        request.values[row * players + seat] = hashValue(state, seat);
      if (request.priors !== undefined)
        for (let i = 0; i < maxLegal; i++) request.priors[row * maxLegal + i] = hashPrior(state, i);
    }
  }
}

function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
