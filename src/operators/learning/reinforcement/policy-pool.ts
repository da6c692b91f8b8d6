import { Random } from "../../../random.ts";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";
import { participantName } from "../../experiment/participant.ts";
import type { PlannedGame } from "../../play/game-task.ts";
import type { NeedsVersion } from "../../run/weights/version-store.ts";
import type { ReinforcementSettings } from "./reinforcement-settings.ts";

/** The settings that determine the players of the games of a minibatch. */
type PoolSettings = Pick<ReinforcementSettings, "agent" | "every" | "games">;

/** Which versions the pool needs: all that have joined it. A run that continues draws from all of them again. */
export function neededByPolicyPool({ every }: Pick<PoolSettings, "every">): NeedsVersion {
  return (version) => version % every === 0;
}

/**
 * The version that the newest policy plays against in a minibatch, drawn uniformly from the pool. `version` is the version
 * of the newest policy: the number of steps before this one. The pool has the versions 0, `every`, 2 `every` and so on up
 * to it.
 */
export function opponentOf(
  { every }: Pick<PoolSettings, "every">,
  seed: number,
  stage: string,
  version: number,
): number {
  const pool = Math.floor(version / every) + 1;
  return every * Random.named(seed, stage, "opponent", version).below(pool);
}

/** The seat of the newest policy in a game: the seats take turns within a minibatch. */
export function learnedSeatOf(
  { games }: Pick<PoolSettings, "games">,
  players: number,
  index: number,
): number {
  return (index % games) % players;
}

/**
 * Game `index` of the whole run: a function of the experiment and the number. Game i of the minibatch of version v has the
 * index v `games` + i.
 */
export function reinforcementGame(
  settings: PoolSettings,
  { experiment, game: { players } }: OpenExperiment,
  stage: string,
  index: number,
): PlannedGame {
  const version = Math.floor(index / settings.games);
  const { agent } = settings;
  const own = learnedSeatOf(settings, players, index);
  const opponent = participantName({ agent, version: opponentOf(settings, experiment.seed, stage, version) });
  return {
    stage,
    name: [stage, version, index % settings.games],
    index,
    generation: version,
    seats: Array.from({ length: players }, (_, seat) => (seat === own ? agent : opponent)),
  };
}
