import type { Static, TObject } from "typebox";
import { Game2048, options2048 } from "./2048.ts";
import type { Game } from "./game.ts";

/** A game as experiment files name it: its options with their schema, and how to make it. */
export interface GameDefinition<O extends TObject = TObject> {
  /** The name after `rules:`. */
  readonly name: string;
  /** One sentence for the catalogue. */
  readonly description: string;
  /** A strict object schema; every field is described and carries its default. */
  readonly options: O;
  /** Makes the game from options that are checked and complete. */
  create(options: Static<O>): Game<any>;
}

const twentyFortyEight: GameDefinition<typeof options2048> = {
  name: "2048",
  description: "2048: one player slides tiles, chance adds new ones; the score is the sum of all merges.",
  options: options2048,
  create: (options) => new Game2048(options),
};

/** All games, in the order of the catalogue. */
export const games: readonly GameDefinition[] = [twentyFortyEight] as readonly GameDefinition[];

/** Opens a game by name; options are checked and complete. */
export function openGame(name: string, options: Readonly<Record<string, unknown>> = {}): Game<any> {
  const definition = games.find((each) => each.name === name);
  if (definition === undefined)
    throw new RangeError(`no game "${name}" (known: ${games.map((each) => each.name).join(", ")})`);
  return definition.create(options);
}
