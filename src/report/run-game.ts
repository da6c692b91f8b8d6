import type { Game } from "../games/game.ts";
import { createGame, GameNotOpened } from "../games/registry.ts";
import { experimentSettings } from "./experiment-settings.ts";
import type { RunData } from "./run-data.ts";

/** The game of a run; undefined where its settings are missing or name a game that this program does not know. */
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

/** Whose score the events of training games tell, where several seats play: ` for seat 1`. */
export function forSeat(run: Pick<RunData, "experiment">): string {
  return (gameOfRun(run)?.players ?? 1) > 1 ? " for seat 1" : "";
}
