import { completeOptions } from "../options.ts";
import { sameValue } from "../same-value.ts";
import { Game2048, options2048 } from "./2048/2048.ts";
import { boardOfBlokus, duoBoard, GameBlokus, optionsBlokus, optionsBlokusDuo } from "./blokus/blokus.ts";
import { GameConnectFour } from "./connect-four/connect-four.ts";
import { optionsConnectFour } from "./connect-four/options.ts";
import { GameDaihinmin, optionsDaihinmin } from "./daihinmin/daihinmin.ts";
import type { Game } from "./game.ts";
import { type GameDefinition, makeGame } from "./game-definition.ts";
import { GameGo, goOptionsError, optionsGo } from "./go/go.ts";
import { optionsOthello } from "./othello/options.ts";
import { GameOthello } from "./othello/othello.ts";
import { optionsTicTacToe, ticTacToe } from "./tic-tac-toe/tic-tac-toe.ts";

const twentyFortyEight: GameDefinition<typeof options2048> = {
  name: "2048",
  description: "2048: one player slides tiles, chance adds new ones; the score is the sum of all merges.",
  players: 1,
  options: options2048,
  create: (options) => new Game2048(options),
};

const threeInARow: GameDefinition<typeof optionsTicTacToe> = {
  name: "tic-tac-toe",
  description: "Tic-tac-toe: two players, three in a row wins; 1 for a win, .5 for a draw, 0 for a loss.",
  players: 2,
  options: optionsTicTacToe,
  create: () => ticTacToe,
};

const connectFour: GameDefinition<typeof optionsConnectFour> = {
  name: "connect-four",
  description:
    "Connect Four: two players, stones fall to the bottom of a column, four in a row win; 1 for a win, .5 for a draw, 0 for a loss.",
  players: 2,
  options: optionsConnectFour,
  create: (options) => new GameConnectFour(options),
};

const othello: GameDefinition<typeof optionsOthello> = {
  name: "othello",
  description:
    "Othello: two players, discs between two own discs turn over, the most discs win; 1 for a win, .5 for a draw, 0 for a loss.",
  players: 2,
  options: optionsOthello,
  create: (options) => new GameOthello(options),
};

const blokus: GameDefinition<typeof optionsBlokus> = {
  name: "blokus",
  description:
    "Blokus: four players, 20x20 cells, 21 pieces each; smaller boards with fewer pieces by options. Pieces of one player touch only at corners.",
  players: 4,
  options: optionsBlokus,
  create: (options) => new GameBlokus("blokus", boardOfBlokus(options), options),
};

const blokusDuo: GameDefinition<typeof optionsBlokusDuo> = {
  name: "blokus-duo",
  description: "Blokus Duo: two players, 14x14 cells, start cells inside the board.",
  players: 2,
  options: optionsBlokusDuo,
  create: (options) => new GameBlokus("blokus-duo", duoBoard(), options),
};

const daihinmin: GameDefinition<typeof optionsDaihinmin> = {
  name: "daihinmin",
  description:
    "Daihinmin by the UEC standard rules: five players get rid of their cards; hands are hidden; 1, .75, .5, .25, 0 by place.",
  players: 5,
  options: optionsDaihinmin,
  create: (options) => new GameDaihinmin(options),
};

const go: GameDefinition<typeof optionsGo> = {
  name: "go",
  description:
    "Go on boards of 2x2 to 19x19 points by the Tromp-Taylor rules: area scoring, superko, two passes end the game.",
  players: 2,
  options: optionsGo,
  netOptions: ["size"],
  refusal: goOptionsError,
  create: (options) => new GameGo(options),
};

const all: GameDefinition[] = [
  twentyFortyEight,
  threeInARow,
  connectFour,
  othello,
  blokus,
  blokusDuo,
  daihinmin,
  go,
] as GameDefinition[];

/** All games, in the order of the catalogue: those of this project, then those of plug-ins. */
export const games: readonly GameDefinition[] = all;

/** Adds a game to the games of this thread, as plug-ins do. No other one may have its name. */
export function addGame(game: GameDefinition): void {
  all.push(game);
}

/** No game has this name, or the game refuses the options; the message says why. */
export class GameNotOpened extends Error {
  readonly _tag = "GameNotOpened";

  constructor(message: string) {
    super(message);
    this.name = "GameNotOpened";
  }
}

/** A game as an experiment file names it: its rules, and the options of the game beside them. */
export interface GameConfig {
  readonly rules: string;
  readonly [option: string]: unknown;
}

/** A game, and what names it with all its options. */
export interface OpenedGame {
  readonly game: Game<any>;
  readonly config: GameConfig;
}

/**
 * Opens a game by name; options that are absent take their defaults. Throws GameNotOpened for an unknown game and for
 * options that its schema does not allow.
 */
export function openGame(name: string, options: Readonly<Record<string, unknown>> = {}): Game<any> {
  return openConfiguredGame(name, options).game;
}

/** Opens a game as `openGame` does, and returns its name with all its options. Throws GameNotOpened. */
export function openConfiguredGame(name: string, options: Readonly<Record<string, unknown>>): OpenedGame {
  return openDefinedGame(findGame(name), options);
}

/** Opens a game by its definition, as `openConfiguredGame` does. Throws GameNotOpened. */
export function openDefinedGame(
  definition: GameDefinition,
  options: Readonly<Record<string, unknown>>,
): OpenedGame {
  const { name } = definition;
  const completed = completeOptions(definition.options, options);
  if ("wrong" in completed) throw new GameNotOpened(`${name}: ${completed.wrong}`);
  const refusal = definition.refusal?.(completed.options);
  if (refusal !== undefined) throw new GameNotOpened(`${name}: ${refusal}`);
  return { game: makeGame(definition, completed.options), config: { rules: name, ...completed.options } };
}

/**
 * Makes a game by name from options that have been checked, as a run has stored them. Options that the game has got since take
 * their defaults. Throws GameNotOpened for an unknown game.
 */
export function createGame(name: string, options: Readonly<Record<string, unknown>>): Game<any> {
  const definition = findGame(name);
  return makeGame(definition, completedOf(definition, options));
}

/**
 * The options with the defaults of those that are absent; as they are if the schema does not allow them. If none is absent, as in
 * threads, which are given checked ones, the checker is not even loaded.
 */
function completedOf(
  definition: GameDefinition,
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (Object.keys(definition.options.properties).every((option) => Object.hasOwn(options, option)))
    return options;
  const completed = completeOptions(definition.options, options);
  return "wrong" in completed ? options : completed.options;
}

/**
 * Whether weights that were learned on one game fit another: the same rules, and the options that nets depend on. Options that
 * a game did not have when the weights were saved count as their defaults.
 */
export function weightsFit(learnedOn: unknown, game: GameConfig): boolean {
  const definition = findGame(game.rules);
  const { netOptions } = definition;
  if (typeof learnedOn !== "object" || learnedOn === null) return false;
  const learned = learnedOn as GameConfig;
  const whole = ({ rules, ...options }: GameConfig) => ({ rules, ...completedOf(definition, options) });
  if (netOptions === undefined) return sameValue(whole(learned), whole(game));
  return ["rules", ...netOptions].every((option) => sameValue(learned[option], game[option]));
}

function findGame(name: string): GameDefinition {
  const definition = games.find((each) => each.name === name);
  if (definition === undefined)
    throw new GameNotOpened(`no game "${name}" (known: ${games.map((each) => each.name).join(", ")})`);
  return definition;
}
