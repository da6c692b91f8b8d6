/**
 * Maximum number of games of a stage, and of any setting that is a number of games. Names of checkpoints have ten digits
 * for the games learned from; years of play stay below this number.
 */
export const MOST_GAMES = 1_000_000_000;
