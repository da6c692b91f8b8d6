import { capitalised } from "../../../messages/capitalised.ts";
import { games, type GameConfig, openConfiguredGame, type OpenedGame } from "../../../games/registry.ts";

const opened = new Map<string, OpenedGame>();

/** A game of this project with all its options, opened once. Throws GameNotOpened. */
export function openKnown(config: GameConfig): OpenedGame {
  const key = JSON.stringify(config);
  const { rules, ...options } = config;
  const known = opened.get(key) ?? openConfiguredGame(rules, options);
  opened.set(key, known);
  opened.set(JSON.stringify(known.config), known);
  return known;
}

/** Games whose hyphens belong to their names. */
const HYPHENATED = ["tic-tac-toe"];

/** The name of a game for people: `Blokus Duo` for `blokus-duo`. */
export function titleOf(rules: string): string {
  if (HYPHENATED.includes(rules)) return capitalised(rules);
  return rules.split("-").map(capitalised).join(" ");
}

/** The options in which a game differs from the usual one: `rows 3, columns 3`; empty if it does not. */
export function variantOf({ rules, ...options }: GameConfig): string {
  const known = games.some(({ name }) => name === rules);
  const usual: Readonly<Record<string, unknown>> = known ? openKnown({ rules }).config : {};
  return Object.entries(options)
    .filter(([name, value]) => JSON.stringify(usual[name]) !== JSON.stringify(value))
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
