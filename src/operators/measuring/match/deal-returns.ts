import { type Game, OVER } from "../../../games/game.ts";

/**
 * The returns of each seat in each deal of a game, shape [deals, players]: a match of several deals has one row for each
 * deal, in order. `actions` are those of the whole game, chance included. Undefined if the game has no deals, or one.
 */
export function dealReturns<S>(game: Game<S>, actions: ArrayLike<number>): Float64Array[] | undefined {
  const deal = game.search?.deal;
  if (deal === undefined) return undefined;
  const state = game.initial();
  const deals: Float64Array[] = [];
  let before = new Float64Array(game.players);
  let current = deal(state);
  for (let i = 0; i < actions.length && game.toMove(state) !== OVER; i++) {
    game.play(state, actions[i]!);
    if (deal(state) === current) continue;
    current = deal(state);
    const after = new Float64Array(game.players);
    game.returns(state, after);
    deals.push(after.map((value, seat) => value - before[seat]!));
    before = after;
  }
  return deals.length > 1 ? deals : undefined;
}
