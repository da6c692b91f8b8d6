import { Game2048, type State2048 } from "../../games/2048/2048.ts";
import { CHANCE } from "../../games/game.ts";
import { RefereeError, type RefereeParticulars } from "./particulars.ts";

/** What the referee offers for 2048: `set` by tiles, `slide`, and the tiles in the response to `state`. */
export const particulars2048: RefereeParticulars = {
  rules: "2048",
  of: (game) => game instanceof Game2048,
  set: (game, { board }) => stateOfBoard(game as unknown as Game2048, board),
  state: (game, state) => ({ board: (game as unknown as Game2048).board(state as State2048) }),
  commands: {
    slide: (game, state, { move }) => slide(game as unknown as Game2048, state as State2048, move),
  },
};

/**
 * The state with this board in which the player is to move, or which is over. Throws RefereeError for an impossible
 * board.
 */
function stateOfBoard(game: Game2048, board: unknown): State2048 {
  const cells = game.rows * game.columns;
  if (!Array.isArray(board))
    throw new RefereeError(
      `"set" needs "board": a list of ${cells} tile values, row by row from the top left, 0 = empty`,
    );
  const wrong = board.findIndex((tile) => typeof tile !== "number");
  if (wrong >= 0)
    throw new RefereeError(
      `tile ${wrong} is ${JSON.stringify(board[wrong])}, not a number: 0 if the cell is empty, else a power of two`,
    );
  if (board.length === cells && board.every((tile) => tile === 0))
    throw new RefereeError("the board cannot be empty: the game starts with two tiles");
  try {
    return game.fromBoard(board);
  } catch (error) {
    if (error instanceof RangeError) throw new RefereeError(error.message);
    throw error;
  }
}

/** The effect of a slide on the board before a new tile appears; does not change `state`. */
function slide(
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
