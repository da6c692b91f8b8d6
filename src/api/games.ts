import type { Game } from "../games/game.ts";
import type { GameConfig } from "../games/registry.ts";
import type { Definition } from "../definitions/definition.ts";
import { definedGame } from "../games/define-game.ts";
import { LudoflowError, withPublicErrors } from "./errors.ts";

/** By game that was opened here: what names it with all its options. */
const configs = new WeakMap<Game<unknown>, GameConfig>();

/**
 * Opens a game by its name in experiment files, or by what `defineGame` has made; options that are absent take their defaults.
 * Positions are states of the game: `game.initial()` makes the first one, `game.play(state, action)` changes it.
 *
 * Throws a LudoflowError: `ERR_GAME`.
 */
export async function openGameOf(
  game: string | Definition,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Game<unknown>> {
  return await withPublicErrors(async () => {
    const { openConfiguredGame, openDefinedGame } = await import("../games/registry.ts");
    const opened =
      typeof game === "string"
        ? openConfiguredGame(game, options)
        : openDefinedGame(gameDefinition(game), options);
    configs.set(opened.game as Game<unknown>, opened.config);
    return opened.game as Game<unknown>;
  });
}

function gameDefinition(given: Definition) {
  const made = definedGame(given);
  if (made === undefined)
    throw new LudoflowError(
      "ERR_GAME",
      "a game is opened by its name, or by what defineGame has made; this is neither",
    );
  return made;
}

/** Throws a LudoflowError with `ERR_GAME` unless a value is a game: a forgotten `await` gives a promise of one. */
export function assertGame(value: unknown): void {
  if (typeof (value as Partial<Game<unknown>> | undefined | null)?.initial === "function") return;
  const promised = value instanceof Promise ? "this is a promise of a game" : "this is not a game";
  throw new LudoflowError("ERR_GAME", `${promised}; open one with: const game = await openGame(NAME)`);
}

/** What names a game that was opened here. Throws a LudoflowError for other games. */
export function configOf(game: Game<unknown>): GameConfig {
  const config = configs.get(game);
  if (config === undefined)
    throw new LudoflowError(
      "ERR_GAME",
      "this game was not opened by openGame; open it with: await openGame(NAME)",
    );
  return config;
}

/**
 * Loads plug-ins, files or installed packages with games, searches and nets of your own, so that `openGame`, `agent` and `openCheckpoint` know them by name,
 * on the threads of nets too. Call it before a checkpoint of them is opened. To name a plug-in here allows it, in this process also
 * for experiments and runs that name it.
 *
 * Throws a LudoflowError: `ERR_PLUGIN`, with the file and the line.
 */
export async function loadOwnPlugins(...plugins: readonly string[]): Promise<void> {
  await withPublicErrors(async () => {
    const { loadNamedPlugin } = await import("../graph/code/named-plugins.ts");
    for (const each of plugins) loadNamedPlugin(each);
  });
}
