/** What an exported game page holds of its player: a linear value function, and how far it looks ahead. */
export interface PlayerData {
  /** Names the player: that of its run. */
  readonly name: string;
  readonly game: GameWithOptions;
  /** The weights of the game's features, in their order. */
  readonly weights: readonly number[];
  /** Plies that it looks ahead beyond its own move, at first. */
  readonly plies: number;
}

/** A game as a run stores it: its rules, and all its options beside them. */
export interface GameWithOptions {
  readonly rules: string;
  readonly [option: string]: unknown;
}

/** The element of the page that holds the data as JSON. */
export const DATA_ID = "player-data";

/** The most plies that the page offers. */
export const MOST_PLIES = 4;
