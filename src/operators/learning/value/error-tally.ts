import type { ErrorAtPly, ShareOfGames, MeasuredErrors } from "../../../events/event.ts";
import { ratioEstimate } from "../../../stats/intervals.ts";
import type { TestedPosition } from "./tested-positions.ts";

/**
 * Mean squared errors of values of positions, in total and by ply, for the seat that decides.
 *
 * The interval takes a game as one draw: positions of a game have one result, so their errors are not independent. It is
 * that of a ratio, the sum of a game's errors to the number of its positions (see `ratioEstimate`).
 */
export function errorsOf(
  positions: readonly TestedPosition[],
  values: ArrayLike<number>,
  width: number,
): Pick<MeasuredErrors, "error" | "positions" | "plies"> {
  const squared = positions.map(({ game, result }, i) => ({ game, error: (result - values[i]!) ** 2 }));
  const bins = new Map<number, typeof squared>();
  for (const [i, { actions }] of positions.entries()) {
    const ply = width * Math.floor(actions.length / width);
    const others = bins.get(ply);
    if (others === undefined) bins.set(ply, [squared[i]!]);
    else others.push(squared[i]!);
  }
  return {
    positions: positions.length,
    error: meanByGame(squared),
    plies: [...bins]
      .toSorted(([a], [b]) => a - b)
      .map(([ply, errors]): ErrorAtPly => ({ ply, positions: errors.length, error: meanByGame(errors) })),
  };
}

function meanByGame(errors: readonly { readonly game: number; readonly error: number }[]): ShareOfGames {
  const games = new Map<number, { sum: number; count: number }>();
  for (const { game, error } of errors) {
    const { sum, count } = games.get(game) ?? { sum: 0, count: 0 };
    games.set(game, { sum: sum + error, count: count + 1 });
  }
  const all = [...games.values()];
  return {
    games: all.length,
    ...ratioEstimate(
      all.map(({ sum }) => sum),
      all.map(({ count }) => count),
    ),
  };
}
