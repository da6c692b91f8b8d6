import { yamlValue } from "../../formats/yaml-document.ts";
import { type GameConfig, type OpenedGame, openConfiguredGame } from "../../games/registry.ts";
import { UsageError } from "../../messages/usage-error.ts";

/**
 * Opens the game that a flag names: its name, or the game as in an experiment file (`{ rules: go, size: 9 }`). Throws UsageError,
 * GameNotOpened.
 */
export function gameOfFlag(flag: string): OpenedGame {
  let value: unknown;
  try {
    value = yamlValue(flag);
  } catch (error) {
    throw new UsageError(`--game: ${(error as Error).message}`);
  }
  const { rules: named, ...options } = Object(
    typeof value === "object" ? value : { rules: value },
  ) as Partial<GameConfig>;
  // The name of a game may be a number: `rules: 2048` needs no quotes.
  const rules: unknown = typeof named === "number" ? String(named) : named;
  if (typeof rules !== "string") throw new UsageError("--game: expected { rules: NAME, ... }");
  return openConfiguredGame(rules, options);
}
