import type { Game } from "../../games/game.ts";
import { stateOfText } from "../../games/position-text.ts";
import { outsidePlace } from "../../messages/outside-place.ts";
import type { Experiment, OpenExperiment } from "../experiment/open-experiment.ts";
import type { GameTask } from "./game-task.ts";

/** Most characters of the moves in a message. */
const LONGEST = 400;

/**
 * An error of a game; if a plug-in threw it, its message names the game and the moves before, and has the command that
 * plays them again by the rules.
 */
export function inGame(
  error: unknown,
  { experiment, game }: Pick<OpenExperiment, "experiment" | "game">,
  { index, opening, stage }: GameTask,
  actions: readonly number[],
): unknown {
  if (!(error instanceof Error) || outsidePlace(error) === undefined) return error;
  const start = opening !== undefined && "actions" in opening ? opening.start : undefined;
  const moves = written(game, start, actions);
  const text = moves.join(" ");
  const shown = text.length <= LONGEST ? text : `... ${text.slice(-LONGEST)}`;
  error.message += ` (game ${index} of stage "${stage}", at ply ${actions.length}${actions.length === 0 ? "" : `, after ${shown}`})`;
  if (text.length <= LONGEST)
    error.message += `; ${refereeCommand(experiment, start, moves)} plays up to there`;
  return error;
}

/** The command that plays moves from the start of a game, or from a position, by the rules alone. */
function refereeCommand(
  { game: { rules, ...options }, plugins = [] }: Experiment,
  start: string | undefined,
  moves: readonly string[],
): string {
  const requests = [
    { cmd: "new", options: { ...options, chance: "given" } },
    ...(start === undefined ? [] : [{ cmd: "set", position: start }]),
    ...(moves.length === 0 ? [] : [{ cmd: "play", moves }]),
    { cmd: "state" },
  ];
  const lines = requests.map((request) => quoted(JSON.stringify(request))).join(" ");
  const files = plugins.map((file) => ` --plugin ${quoted(file)}`).join("");
  return `printf '%s\\n' ${lines} | ludoflow referee ${rules}${files}`;
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The moves as the game writes them; from the first one that it cannot write, their numbers. */
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
