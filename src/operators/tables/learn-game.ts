import type {
  LearnedGame,
  LearnerOptions,
  OpenTables,
  SharedTables,
  TablesLearner,
} from "../../models/tables.ts";
import { Random } from "../../random.ts";
import { createSearch } from "../../search/registry.ts";
import { kindsOf } from "../experiment/agent-kinds.ts";
import { type ExplorationConfig, explorationOf, type Openings } from "./exploration.ts";
import { SearchLearner } from "./search-learner.ts";
import type { OpenExperiment } from "../experiment/open-experiment.ts";
import type { SearchSettings } from "./td-learner-settings.ts";

/** What a TD learner's stage begins its games with. */
export interface LearnedStage {
  readonly stage: string;
  readonly exploration: ExplorationConfig | undefined;
  readonly openings: Openings;
}

/** The learner of a TD learner's stage: greedy, or taught by the search of an agent. */
export function openLearner(
  { experiment, game }: OpenExperiment,
  open: OpenTables,
  tables: SharedTables,
  options: LearnerOptions,
  search: SearchSettings | undefined,
): TablesLearner {
  if (search === undefined) return open.learner(tables, options);
  const agent = experiment.agents[search.agent]!;
  const { use, net: _, ...own } = agent;
  return new SearchLearner({
    game,
    open,
    tables,
    search: createSearch(use, game, own, kindsOf(agent)),
    targets: search.targets,
    step: { use: search.step, rate: search.rate },
    after: search.after,
    greedy: options,
  });
}

/** Plays and learns game number `index` of a TD learner's stage: a function of the seed, the openings and the tables. */
export function learnGame(
  learner: TablesLearner,
  { experiment: { seed }, game }: OpenExperiment,
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
