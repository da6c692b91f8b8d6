import type { DefinitionPlace } from "../definitions/assert-definition.ts";
import type { Static, TObject } from "../schema.ts";
import { completeGame, type GameRules } from "./complete-game.ts";
import type { Game } from "./game.ts";
import { watchedGame } from "./watched-game.ts";

/** A game as experiment files name it: its options with their schema, and how to make it. */
export interface GameDefinition<O extends TObject = TObject> {
  /** The name after `rules:`. */
  readonly name: string;
  /** One sentence for the catalogue. */
  readonly description: string;
  /** Number of seats. */
  readonly players: number;
  /** A strict object schema; every field is described and carries its default. */
  readonly options: O;
  /**
   * The options that decide whether weights of a net fit; under other values of the rest they fit as well. Absent: all
   * options do.
   */
  readonly netOptions?: readonly string[];
  /** What is wrong with options that the schema allows one by one, or undefined; absent if they all fit together. */
  refusal?(options: Static<O>): string | undefined;
  /** Makes the rules from options that are checked and complete. */
  create(options: Static<O>): GameRules<any>;
  /** Set by `defineGame`: the numbers of the game are checked while it is played, and errors name this place. Absent: unchecked. */
  readonly place?: DefinitionPlace;
}

/** Makes a game from options that are checked and complete: its rules, and all that follows from them. */
export function makeGame(definition: GameDefinition, options: Readonly<Record<string, unknown>>): Game<any> {
  const { name, place, players } = definition;
  const complete = () => completeGame(name, players, definition.create(options));
  return place === undefined ? complete() : place.blame(() => watchedGame(complete(), place));
}
