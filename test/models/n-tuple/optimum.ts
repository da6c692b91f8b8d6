import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";

/** What a perfect player of a one-seat game expects to earn from its start, by exact dynamic programming. */
export function optimum<S>(game: Game<S>): number {
  const chance = game.chance!;
  const packing = game.nets!.packing!;
  const known = new Map<string, number>();

  const value = (state: S): number => {
    const mover = game.toMove(state);
    if (mover === OVER) return 0;
    const bytes = new Uint8Array(packing.bytes);
    packing.pack(state, bytes, 0);
    const key = `${mover === CHANCE ? "after" : "before"} ${bytes.join(",")}`;
    let found = known.get(key);
    if (found === undefined) {
      found = mover === CHANCE ? mean(state) : best(state);
      known.set(key, found);
    }
    return found;
  };

  const after = (state: S, action: number): S => {
    const next = game.initial();
    game.copy(state, next);
    game.play(next, action);
    return next;
  };

  const mean = (state: S): number => {
    const outcomes = new Int32Array(game.maxLegal);
    const probabilities = new Float64Array(game.maxLegal);
    const count = chance.outcomes(state, outcomes, probabilities);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += probabilities[i]! * value(after(state, outcomes[i]!));
    return sum;
  };

  const best = (state: S): number => {
    const legal = new Int32Array(game.maxLegal);
    const count = game.legal(state, legal);
    let greatest = -Infinity;
    for (let i = 0; i < count; i++) {
      const next = after(state, legal[i]!);
      greatest = Math.max(greatest, earned(next) - earned(state) + value(next));
    }
    return greatest;
  };

  const earned = (state: S): number => {
    const returns = new Float64Array(1);
    game.returns(state, returns);
    return returns[0]!;
  };

  // Two chance plies open the game: the empty board and the one with a single tile are both afterstates.
  return value(game.initial());
}
