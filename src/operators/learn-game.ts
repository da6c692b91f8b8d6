import type { LearnedGame, TablesLearner } from "../models/tables.ts";
import { Random } from "../random.ts";
import { type ExplorationConfig, explorationOf, type Openings } from "./exploration.ts";
import type { Setting } from "./setting.ts";

/** What a TD learner's stage begins its games with. */
export interface LearnedStage {
  readonly stage: string;
  readonly exploration: ExplorationConfig | undefined;
  readonly openings: Openings;
}

/** Plays and learns game number `index` of a TD learner's stage: a function of the seed, the openings and the tables. */
export function learnGame(
  learner: TablesLearner,
  { experiment: { seed }, game }: Setting,
  { stage, exploration, openings }: LearnedStage,
  index: number,
): LearnedGame {
  return learner.playGame(
    Random.named(seed, stage, "game", index),
    explorationOf(exploration, game, openings, seed, stage, index),
  );
}

/**
 * Whether the weights are told after so many games: after each of the first thousand, then after about nine hundred
 * times in every power of ten, so that curves of a million games stay small files.
 */
export function isTold(games: number): boolean {
  let every = 1;
  while (games > 1000 * every) every *= 10;
  return games % every === 0;
}
