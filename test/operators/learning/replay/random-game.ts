import { CHANCE, type Game, OVER } from "../../../../src/games/game.ts";
import type { DecidedGame } from "../../../../src/operators/play/examples/game-examples.ts";
import { Random } from "../../../../src/random.ts";

/** Plays at random, with invented values and visits; one decision in four is a quick one, whose policy is not learned. */
export function randomGame<S>(game: Game<S>, seed: number): { actions: number[]; decisions: Decided[] } {
  const random = Random.named("examples", seed);
  const surprises = Random.named("surprises", seed);
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  const actions: number[] = [];
  const decisions: Decided[] = [];
  while (game.toMove(state) !== OVER) {
    let action: number;
    if (game.toMove(state) === CHANCE) action = game.chance!.sample(state, random);
    else {
      const count = game.legal(state, legal);
      action = legal[random.below(count)]!;
      const visits = Float64Array.from({ length: count }, () => random.below(9));
      visits[random.below(count)]! += 1;
      const total = visits.reduce((sum, each) => sum + each, 0);
      decisions.push({
        ply: actions.length,
        values: Array.from({ length: game.players }, () => random.float() * 100),
        actions: legal.slice(0, count),
        visits,
        policy: visits.map((each) => each / total),
        learn: random.below(4) > 0,
        // Drawn from a stream of its own, so that the games are those that they were.
        change: { surprise: surprises.float() },
      });
    }
    actions.push(action);
    game.play(state, action);
  }
  return { actions, decisions };
}

type Decided = DecidedGame["decisions"][number];
