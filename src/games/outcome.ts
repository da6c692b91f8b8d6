import { delegate } from "./delegate.ts";
import { type Game, OVER, type Solve } from "./game.ts";

/**
 * Win shares of a finished game, one per seat, 0 to 1: the seats with the greatest return share 1 equally, the others
 * get 0. With two players a win is 1, a draw .5, a loss 0.
 */
export function winShares(returns: Float64Array, out: Float64Array): void {
  let greatest = -Infinity;
  for (const score of returns) greatest = Math.max(greatest, score);
  let winners = 0;
  for (const score of returns) if (score === greatest) winners++;
  for (let seat = 0; seat < returns.length; seat++) out[seat] = returns[seat] === greatest ? 1 / winners : 0;
}

/**
 * Win or loss in a finished game, one number per seat: 1 for every seat with the greatest return, also if several
 * seats have it, and -1 for the others. BlokusZero learns this number (section 4.2).
 */
export function winsAndLosses(returns: Float64Array, out: Float64Array): void {
  let greatest = -Infinity;
  for (const score of returns) greatest = Math.max(greatest, score);
  for (let seat = 0; seat < returns.length; seat++) out[seat] = returns[seat] === greatest ? 1 : -1;
}

/**
 * Whether the returns of a game show its winner and no more: two players, 1 for a win, .5 for a draw, 0 for a loss. Then mean
 * returns are shares of games won.
 */
export function tellsWinnerOnly({
  players,
  returnBounds: [low, high],
}: Pick<Game<unknown>, "players" | "returnBounds">): boolean {
  return players === 2 && low === 0 && high === 1;
}

/**
 * What a value predicts: `returns`, the game's own scores; `win-share` (see `winShares`), 0 to 1; `win-loss` (see
 * `winsAndLosses`), -1 or 1.
 */
export type ValueKind = "returns" | "win-share" | "win-loss";

/**
 * A game whose returns are of this kind: the game itself for `returns`, else a game whose returns are 0 until it is
 * over, and then win shares, or wins and losses. Rules, states, action numbers and abilities are those of the given
 * game; a state of one game is a state of the other.
 */
export function playedFor<S>(game: Game<S>, values: ValueKind): Game<S> {
  if (values === "returns") return game;
  return values === "win-share"
    ? settledBy(game, winShares, [0, 1])
    : settledBy(game, winsAndLosses, [-1, 1]);
}

/** The game with returns that are 0 until it is over; then `settle` writes them, from the returns of the given game. */
export function settledBy<S>(
  game: Game<S>,
  settle: (returns: Float64Array, out: Float64Array) => void,
  returnBounds: readonly [number, number],
): Game<S> {
  const scores = new Float64Array(game.players);
  const settled =
    (solve: Solve<S>): Solve<S> =>
    (state, out) => {
      solve(state, scores);
      settle(scores, out);
    };
  return {
    ...delegate(game),
    ...(game.solver === undefined ? {} : { solver: () => settled(game.solver!()) }),
    returnBounds,
    returns(state, out) {
      out.fill(0);
      if (game.toMove(state) !== OVER) return;
      game.returns(state, scores);
      settle(scores, out);
    },
  };
}

/** The returns of a game that has ended in a state, by seat: a seat that resigned has the least return, all others the greatest. */
export function finalReturns<S>(game: Game<S>, state: S, resigned: number | undefined): Float64Array {
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  if (resigned !== undefined) {
    const [least, most] = game.returnBounds;
    returns.fill(most);
    returns[resigned] = least;
  }
  return returns;
}
