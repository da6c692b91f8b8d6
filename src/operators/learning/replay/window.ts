/** The settings of a replay buffer that say how much it holds: either `capacity` or `games` is given. */
export interface WindowSettings {
  /** Maximum number of examples. */
  readonly capacity?: number;
  /** Maximum number of games; at first, if the window grows. */
  readonly games?: number;
  /** The window grows with the number of games played (Wu 2019, appendix C). */
  readonly growth?: { readonly scale: number; readonly exponent: number };
}

/** Number of generations that only fill the buffer: they end before the game number `fill`. */
export function toFill(fill: number, perGeneration: number): number {
  return Math.max(0, Math.ceil(fill / perGeneration) - 1);
}

/** The window of a buffer: its capacity in examples, and its size in games by the number of games played. */
export function windowOf({ capacity, games, growth }: WindowSettings): {
  readonly capacity: number;
  readonly games: (played: number) => number;
} {
  if (games === undefined) return { capacity: capacity!, games: () => Infinity };
  if (growth === undefined) return { capacity: Infinity, games: () => games };
  const { scale, exponent } = growth;
  return {
    capacity: Infinity,
    games: (played) =>
      Math.floor(games * (1 + (scale * ((Math.max(played, games) / games) ** exponent - 1)) / exponent)),
  };
}
