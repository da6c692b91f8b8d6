import type { StoredGame } from "../../../formats/game-records.ts";
import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import { createGame, type GameConfig, GameNotOpened } from "../../../games/registry.ts";
import { permitAllowed } from "../../../graph/code/permission.ts";
import { loadPermittedPluginsOfRun } from "../../../graph/code/run-code.ts";
import { openRunFolder } from "../../../graph/folder/run-folder.ts";
import type { Experiment } from "../../../operators/experiment/open-experiment.ts";
import { checkSavedLogs } from "../../../operators/run/saved-logs.ts";
import { RequestRefused } from "../responses.ts";

/** A run's game with its rules at hand. */
export interface ViewedRun {
  readonly folder: string;
  readonly experiment: Experiment;
  readonly config: GameConfig;
  readonly game: Game<unknown>;
}

/**
 * Opens the game of a run. Plug-ins are loaded if their user has allowed them on a terminal. Throws RequestRefused if the
 * rules are not available, RunFolderInvalid, and FileCorrupt if saved games are missing.
 */
export async function openViewedRun(folder: string): Promise<ViewedRun> {
  const { experiment } = openRunFolder(folder);
  checkSavedLogs(folder);
  const notLoaded = await loadPermittedPluginsOfRun(folder, permitAllowed);
  const { rules, ...options } = experiment.game;
  try {
    const game = createGame(rules, options) as Game<unknown>;
    return { folder, experiment, config: experiment.game, game };
  } catch (error) {
    if (!(error instanceof GameNotOpened)) throw error;
    throw new RequestRefused(
      409,
      notLoaded.length === 0
        ? error.message
        : `The rules of this game are in a plug-in that you have not allowed: ${notLoaded.join(", ")}. Allow it on a terminal: ludoflow replay ${folder} --game 0`,
    );
  }
}

/** A state of a stored game at each of its plies in turn: it is changed in place, and is to be read at once. */
export function* statesOf(
  game: Game<unknown>,
  { actions }: Pick<StoredGame, "actions">,
): Generator<{ readonly ply: number; readonly state: unknown; readonly mover: number }, void, undefined> {
  const state = game.initial();
  for (let ply = 0; ply < actions.length; ply++) {
    const mover = game.toMove(state);
    if (mover === OVER) return;
    yield { ply, state, mover };
    game.play(state, actions[ply]!);
  }
  yield { ply: actions.length, state, mover: game.toMove(state) };
}

/**
 * Finds the state of a stored game before a ply: it is changed in place, and is to be read at once. Asked for in their order,
 * the plies are played once.
 */
export function statesByPly(
  game: Game<unknown>,
  { actions }: Pick<StoredGame, "actions">,
): (ply: number) => unknown {
  const state = game.initial();
  let reached = 0;
  return (ply) => {
    if (ply < reached) {
      game.copy(game.initial(), state);
      reached = 0;
    }
    for (; reached < ply; reached++) game.play(state, actions[reached]!);
    return state;
  };
}

/** Whether a ply is a decision. */
export function isDecision(mover: number): boolean {
  return mover !== CHANCE && mover !== OVER;
}
