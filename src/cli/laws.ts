import type { Game } from "../games/game.ts";
import { openGame } from "../games/registry.ts";
import { counted } from "../messages/counted.ts";
import { placedMessage } from "../messages/outside-place.ts";
import { brokenLaws } from "../plugins/game-laws.ts";
import type { LoadedPlugin } from "../plugins/load-plugins.ts";
import { listenForUnrepeatable, unrepeatableMessage } from "../plugins/watched-globals.ts";

/** Random games of each game. */
const GAMES = 100;
/** Maximum number of moves that are shown with a broken law. */
const MOST_MOVES = 30;

/**
 * Plays random games of the games that plug-ins define, and prints what is wrong with them. `open` is one of these games that
 * is open already; the others have their default options. Returns whether all keep the laws.
 */
export function reportLaws(plugins: readonly LoadedPlugin[], open?: Game<any>): boolean {
  const names = plugins
    .flatMap(({ defines }) => defines.filter(({ kind }) => kind === "game"))
    .map(({ name }) => name);
  if (names.length === 0) process.stderr.write("--laws: there is no game of a plug-in to try\n");
  const leave = listenForUnrepeatable((call) =>
    process.stderr.write(`warning: ${unrepeatableMessage(call)}\n`),
  );
  try {
    return names.map((name) => keepsLaws(name, open)).every(Boolean);
  } finally {
    leave();
  }
}

function keepsLaws(name: string, open: Game<any> | undefined): boolean {
  let game: Game<any>;
  try {
    game = open?.name === name ? open : openGame(name);
  } catch (error) {
    process.stderr.write(`${name}: ${placedMessage(error)}\n`);
    return false;
  }
  const broken = brokenLaws(game, { games: GAMES });
  for (const { what, after } of broken) {
    const shown = after.length <= MOST_MOVES ? after : ["...", ...after.slice(-MOST_MOVES)];
    process.stderr.write(`${name}: ${what}${after.length === 0 ? "" : ` (after ${shown.join(" ")})`}\n`);
  }
  if (broken.length === 0)
    process.stdout.write(`${name}: ${counted(GAMES, "random game")} and nothing wrong\n`);
  return broken.length === 0;
}
