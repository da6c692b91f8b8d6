/**
 * The most games that a stage may be asked for, and the largest number of games that any setting takes: what is
 * learned from them is counted in ten digits (the names of checkpoints), and years of play stay below it.
 */
export const MOST_GAMES = 1_000_000_000;
