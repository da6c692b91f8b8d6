import type { Game } from "../games/game.ts";
import { createGame, GameNotOpened } from "../games/registry.ts";
import { tellsWinnerOnly } from "../games/outcome.ts";
import { experimentSettings } from "./experiment-settings.ts";
import type { RunData } from "./run-data.ts";

/** The game of a run; undefined if its settings are missing or name a game that this program does not know. */
export function gameOfRun(run: Pick<RunData, "experiment">): Game<unknown> | undefined {
  const settings = experimentSettings(run);
  if (settings === undefined) return undefined;
  const { rules, ...options } = settings.game as { readonly rules: string };
  try {
    return createGame(rules, options) as Game<unknown>;
  } catch (error) {
    if (error instanceof GameNotOpened) return undefined;
    throw error;
  }
}

/** What the figures of a run's training games measure. */
export interface TrainingScore {
  /** They are shares of games won by seat 1, draws counted half. */
  readonly share: boolean;
  /** In the middle of a sentence: `mean score`, `mean score for seat 1`, `share of games won by seat 1`. */
  readonly name: string;
}

/** What the figures of training games measure: the score of seat 1, or its share of wins in games that report only their winner. */
export function trainingScore(run: Pick<RunData, "experiment">): TrainingScore {
  const game = gameOfRun(run);
  if (game !== undefined && tellsWinnerOnly(game))
    return { share: true, name: "share of games won by seat 1" };
  return { share: false, name: `mean score${(game?.players ?? 1) > 1 ? " for seat 1" : ""}` };
}
