import type { LearnedGame, TablesLearner } from "../models/tables.ts";
import { Random } from "../random.ts";
import type { Experiment } from "./setting.ts";

/** Plays and learns game number `index` of a TD learner's stage: a function of the seed and the tables. */
export function learnGame(
  learner: TablesLearner,
  experiment: Experiment,
  stage: string,
  index: number,
): LearnedGame {
  return learner.playGame(Random.named(experiment.seed, stage, "game", index));
}
