import { allFinite } from "../../../games/all-finite.ts";
import { NumberUnsound } from "../../../messages/number-unsound.ts";
import type {
  LearnedGame,
  LearnerOptions,
  OpenTables,
  SharedTables,
  TablesLearner,
} from "../../../models/tables.ts";
import { Random } from "../../../random.ts";
import { createSearch } from "../../../search/registry.ts";
import { kindsOf } from "../../experiment/agent-kinds.ts";
import { givenNets, searchOptionsOf } from "../../experiment/agent-net.ts";
import { type ExplorationConfig, explorationOf, type Openings } from "./exploration.ts";
import { searchClock } from "../../experiment/search-clock.ts";
import { SearchLearner } from "./search-learner.ts";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";
import type { SharedCounts } from "../../run/shared-counts.ts";
import type { SearchSettings } from "./td-learner-settings.ts";

/** The stage of a TD learner, with its exploration and its openings. */
export interface LearnedStage {
  readonly stage: string;
  readonly exploration: ExplorationConfig | undefined;
  readonly openings: Openings;
}

/**
 * The learner of a TD learner's stage: it plays greedily, or an agent's search plays for it. `counts` are counters for the
 * decisions of a search, whose games can take long.
 */
export function openLearner(
  { experiment, game, nets }: OpenExperiment,
  open: OpenTables,
  tables: SharedTables,
  options: LearnerOptions,
  search: SearchSettings | undefined,
  counts?: SharedCounts,
): TablesLearner {
  if (search === undefined) return open.learner(tables, options);
  const agent = experiment.agents[search.agent]!;
  return new SearchLearner({
    game,
    open,
    tables,
    search: createSearch(
      agent.use,
      game,
      searchOptionsOf(agent),
      kindsOf(agent),
      givenNets(agent, nets),
      searchClock(agent, nets),
    ),
    targets: search.targets,
    step: { use: search.step, rate: search.rate },
    after: search.after,
    greedy: options,
    ...(counts === undefined ? {} : { counts }),
  });
}

/**
 * Plays game number `index` of a TD learner's stage and learns from it: a function of the seed, the openings and the tables. Throws
 * NumberUnsound if a value of the game is NaN or infinite.
 */
export function learnGame(
  learner: TablesLearner,
  { experiment: { seed }, game }: OpenExperiment,
  { stage, exploration, openings }: LearnedStage,
  index: number,
): LearnedGame {
  const learned = learner.playGame(
    Random.named(seed, stage, "game", index),
    explorationOf(exploration, game, openings, seed, stage, index),
  );
  const { values } = learner;
  if (!allFinite(values, 0, values.length)) {
    const at = values.findIndex((value) => !Number.isFinite(value));
    throw new NumberUnsound(
      `its values have diverged: ${values[at]} at decision ${Math.floor(at / game.players) + 1} of game ${index}; start from an earlier checkpoint, and learn with a lower rate`,
    );
  }
  return learned;
}

/**
 * Whether an event reports the weights after this number of games: after each of the first thousand games, then about
 * nine hundred times in every power of ten. The curve of a million games is then still a small file.
 */
export function reportsWeights(games: number): boolean {
  let every = 1;
  while (games > 1000 * every) every *= 10;
  return games % every === 0;
}
