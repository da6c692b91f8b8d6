import { GameConnectFour } from "../../games/connect-four/connect-four.ts";
import type { OptionsConnectFour } from "../../games/connect-four/options.ts";
import type { Game } from "../../games/game.ts";
import { GameOthello } from "../../games/othello/othello.ts";
import { ticTacToe } from "../../games/tic-tac-toe/tic-tac-toe.ts";
import type { GameWithOptions } from "./player-data.ts";

/**
 * Games that an exported page can play, by their rules: two players, nothing hidden, and each cell of the board names at most one
 * move. The registry of all games is not loaded in a page alone: it checks options with code for Node.
 */
const games: Readonly<Record<string, (options: GameWithOptions) => Game<any>>> = {
  "tic-tac-toe": () => ticTacToe,
  "connect-four": (options) => new GameConnectFour(options as unknown as OptionsConnectFour),
  othello: (options) => new GameOthello(options as unknown as ConstructorParameters<typeof GameOthello>[0]),
};

/** The rules of the games that an exported page can play. */
export const aloneRules: readonly string[] = Object.keys(games);

/** Opens a game by its complete options; undefined for one that such a page cannot play. */
export function aloneGame(config: GameWithOptions): Game<any> | undefined {
  return games[config.rules]?.(config);
}
