import type { Game } from "../../games/game.ts";
import { stateOfText } from "../../games/position-text.ts";
import { outsidePlace } from "../../messages/outside-place.ts";
import type { GameTask } from "./game-task.ts";

/** Most characters of the moves in a message. */
const LONGEST = 400;

/** An error of a game; where a plug-in threw it, its message names the game and the moves before. */
export function inGame(
  error: unknown,
  game: Game<unknown>,
  { index, opening, stage }: GameTask,
  actions: readonly number[],
): unknown {
  if (!(error instanceof Error) || outsidePlace(error) === undefined) return error;
  const start = opening !== undefined && "actions" in opening ? opening.start : undefined;
  const moves = written(game, start, actions).join(" ");
  const shown = moves.length <= LONGEST ? moves : `... ${moves.slice(-LONGEST)}`;
  error.message += ` (game ${index} of stage "${stage}", at ply ${actions.length}${actions.length === 0 ? "" : `, after ${shown}`})`;
  return error;
}

/** The moves as the game writes them; their numbers from where it cannot. */
function written(game: Game<unknown>, start: string | undefined, actions: readonly number[]): string[] {
  const moves = actions.map(String);
  try {
    const state = start === undefined ? game.initial() : stateOfText(game, start);
    for (const [i, action] of actions.entries()) {
      moves[i] = game.notation.format(state, action);
      game.play(state, action);
    }
  } catch {
    // The game itself is what fails.
  }
  return moves;
}
