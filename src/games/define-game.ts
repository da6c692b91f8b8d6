import { didYouMean } from "../messages/did-you-mean.ts";
import {
  aCount,
  aFunction,
  anObject,
  assertDefinition,
  common,
  definitionPlace,
  type Fields,
  optional,
  optionProblems,
} from "../definitions/assert-definition.ts";
import { defined, type Definition, definition } from "../definitions/definition.ts";
import { type Options, type OptionValues, schemaOf } from "../definitions/options.ts";
import type { GameRules } from "./complete-game.ts";
import type { GameDefinition } from "./game-definition.ts";

/** A game of one's own, as `defineGame` takes it. */
export interface GameDescription<S, O extends Options> {
  /** The name after `rules:` in experiment files: letters, digits and hyphens. */
  readonly name: string;
  /** One sentence for lists. */
  readonly description: string;
  /** Number of seats. */
  readonly players: number;
  /** The options in experiment files; absent: none. */
  readonly options?: O;
  /**
   * The options that decide whether weights of a net fit; under other values of the rest they fit as well. Absent: all
   * options do.
   */
  readonly netOptions?: readonly (keyof O & string)[];
  /** What is wrong with options that are allowed one by one, or undefined. */
  refusal?(options: OptionValues<O>): string | undefined;
  /**
   * Makes the rules from complete options. `rules` returns what it is given: with it the compiler infers the type of states
   * from `initial`.
   */
  create(options: OptionValues<O>, rules: <T>(rules: GameRules<T>) => GameRules<T>): GameRules<S>;
}

const fields: Fields<keyof GameDescription<any, any>> = {
  ...common,
  players: aCount,
  options: optional(anObject),
  netOptions: optional({ must: "a list of names of options", fits: Array.isArray }),
  refusal: optional(aFunction),
  create: aFunction,
};

/** Defines a game: the default export of a plug-in, and an entry of the registry. */
export function defineGame<S, const O extends Options = {}>(game: GameDescription<S, O>): Definition {
  assertDefinition<GameDescription<S, O>>(defineGame, game, fields, ({ options, netOptions = [] }) => [
    ...optionProblems(options, "options", ["rules"]),
    ...netOptions
      .filter((each) => !Object.hasOwn(options ?? {}, each))
      .map(
        (each) => `netOptions: there is no option "${each}"${didYouMean(each, Object.keys(options ?? {}))}`,
      ),
  ]);
  const { name, description, players, options = {} as O, netOptions } = game;
  const made: GameDefinition = {
    name,
    description,
    players,
    options: schemaOf(options),
    ...(netOptions === undefined ? {} : { netOptions }),
    ...(game.refusal === undefined ? {} : { refusal: (values) => game.refusal!(values as OptionValues<O>) }),
    create: (values) => game.create(values as OptionValues<O>, (rules) => rules),
    place: definitionPlace(defineGame),
  };
  return definition("game", name, made);
}

/** The game that `defineGame` has made, as the registry keeps it; undefined for what it has not made. */
export function definedGame(given: unknown): GameDefinition | undefined {
  const made = defined(given);
  // `defineGame` makes nothing else of this kind.
  return made?.kind === "game" ? (made.made as GameDefinition) : undefined;
}
