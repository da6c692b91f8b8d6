import { cosine, type WeightCurves, weightsAfter } from "../src/report/weight-curves.ts";

/** Two directions within this cosine count as one: they differ by less than 2%. */
const ONE_DIRECTION = 0.98;

/** A direction below this cosine is away from the last one; as `SAME_DIRECTION` of comparisons. */
const AWAY = 0.95;

/** The number of games after a plateau that are compared with those of the plateau. */
const AFTERWARDS = 100;

/** A game that a learner learned from: its number from 1, and the final score of each seat. */
export interface LearnedGame {
  readonly number: number;
  readonly scores: readonly number[];
}

/** A stretch of games: the weights after games `from` to `to` have one direction. Both are 0 if there is none. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** How long the direction of a learner's weights stays. */
export interface Steadiness {
  /** The game after which the weights are first not all 0; undefined if they stay 0. */
  readonly moved: number | undefined;
  /** The longest stretch of all. It may be the last one. */
  readonly longest: Stretch;
  /** The longest of those that end away from the last direction. */
  readonly plateau: Stretch;
  /** The cosine between the direction at the end of the plateau and the last one; NaN without a plateau. */
  readonly likeness: number;
  /** The game from which on the weights have their last direction. */
  readonly final: number;
}

/**
 * The stretches of games a to b with cos(w_a, w_n) >= .98 for each n from a to b: the longest in games, and the longest with
 * cos(w_b, w_last) < .95; of equals the first. Only weights that were recorded count.
 */
export function steadinessOf(curves: WeightCurves): Steadiness {
  const { games } = curves;
  const all = games.map((_, at) => weightsAfter(curves, at));
  const moved = all.findIndex((weights) => weights.some((weight) => weight !== 0));
  const none = { from: 0, to: 0 };
  const nowhere = { longest: none, plateau: none, likeness: Number.NaN };
  if (moved < 0) return { moved: undefined, ...nowhere, final: games.at(-1)! };
  const last = all.at(-1)!;
  const likeness = all.map((weights, at) => (at < moved ? 0 : cosine(weights, last)));
  const final = games[likeness.findLastIndex((each) => each < ONE_DIRECTION) + 1]!;
  let best: Pick<Steadiness, "longest" | "plateau" | "likeness"> = nowhere;
  const longer = (a: number, b: number, than: Stretch) => games[b]! - games[a]! > than.to - than.from;
  for (let a = moved; a < all.length; a++) {
    let [end, away] = [a, a];
    for (let n = a; n < all.length && cosine(all[a]!, all[n]!) >= ONE_DIRECTION; n++) {
      end = n;
      if (likeness[n]! < AWAY) away = n;
    }
    const stretch = (b: number) => ({ from: games[a]!, to: games[b]! });
    if (longer(a, end, best.longest)) best = { ...best, longest: stretch(end) };
    if (likeness[away]! < AWAY && longer(a, away, best.plateau))
      best = { ...best, plateau: stretch(away), likeness: likeness[away]! };
  }
  return { moved: games[moved], ...best, final };
}

/** What the games of a plateau and those after it are like. */
export interface PlateauGames {
  /** Share of the games that the first seat won; a draw is half. NaN without games. */
  readonly won: number;
  /** Different final scores, as a share of the games. */
  readonly different: number;
}

/** The games of a plateau, and as many after it as a hundred, or as there are. */
export function gamesOfPlateau(
  { from, to }: Stretch,
  games: readonly LearnedGame[],
): { readonly within: PlateauGames; readonly after: PlateauGames } {
  const within = games.filter(({ number }) => number > from && number <= to);
  // As many of the last ones, so that shares of different scores compare.
  const after = games.filter(({ number }) => number > to && number <= to + AFTERWARDS);
  return { within: likenessOf(within.slice(-AFTERWARDS)), after: likenessOf(after) };
}

function likenessOf(games: readonly LearnedGame[]): PlateauGames {
  const won = games.map(({ scores: [own, their] }) => (own! > their! ? 1 : own === their ? 0.5 : 0));
  return {
    won: won.reduce((sum: number, each) => sum + each, 0) / games.length,
    different: new Set(games.map(({ scores }) => scores.join(" "))).size / games.length,
  };
}
