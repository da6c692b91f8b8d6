import { Game2048, type State2048 } from "../games/2048/2048.ts";
import { CHANCE, type Game } from "../games/game.ts";
import { RefereeError } from "./referee-agent.ts";

/** The game as 2048, for the commands that only 2048 has. */
export function as2048(game: Game<unknown>, command: string): Game2048 {
  if (game instanceof Game2048) return game;
  throw new RefereeError(`"${command}" is a command of 2048, and this is ${game.name}`);
}

/** The state with this board and the player to move, or over; throws RefereeError for a board that cannot be. */
export function stateOfBoard(game: Game2048, board: unknown): State2048 {
  const cells = game.rows * game.columns;
  if (!Array.isArray(board))
    throw new RefereeError(
      `"set" needs "board": a list of ${cells} tile values, row by row from the top left, 0 = empty`,
    );
  const wrong = board.findIndex((tile) => typeof tile !== "number");
  if (wrong >= 0)
    throw new RefereeError(
      `tile ${wrong} is ${JSON.stringify(board[wrong])}, not a number: 0 where the cell is empty, else a power of two`,
    );
  if (board.length === cells && board.every((tile) => tile === 0))
    throw new RefereeError("an empty board cannot be: the game starts with two tiles");
  try {
    return game.fromBoard(board);
  } catch (error) {
    if (error instanceof RangeError) throw new RefereeError(error.message);
    throw error;
  }
}

/** What a slide does to the board, without a new tile and without changing `state`. */
export function slideOf(
  game: Game2048,
  state: State2048,
  move: unknown,
): { readonly board: number[]; readonly reward: number; readonly legal: boolean } {
  const action = ["up", "right", "down", "left"].indexOf(move as string);
  if (action < 0) throw new RefereeError('"slide" needs "move": "up", "right", "down" or "left"');
  if (state.toMove === CHANCE) throw new RefereeError('a new tile comes next: give it with "play"');
  const slid = game.initial();
  game.copy(state, slid);
  const reward = game.slide(slid, action);
  return { board: game.board(slid), reward: Math.max(reward, 0), legal: reward >= 0 };
}
