import { BLACK, EMPTY, WHITE } from "../../games/go/board.ts";
import { GameGo } from "../../games/go/go.ts";
import { goScore } from "../../games/go/score.ts";
import { setUpGo } from "../../games/go/set-up.ts";
import type { GoState } from "../../games/go/state.ts";
import { RefereeError, type RefereeParticulars, type RefereeRequest } from "./particulars.ts";

/** By colour: its character in the rows of a board. */
const CHARACTERS = ".XO";

/** What the referee offers for Go: `set` by rows, `score`, and the rows in the response to `state`. */
export const particularsGo: RefereeParticulars = {
  rules: "go",
  of: (game) => game instanceof GameGo,
  set: (game, request) => stateOfRows(game as unknown as GameGo, request),
  state: (game, state) => ({ board: rowsOf(game as unknown as GameGo, state as GoState) }),
  commands: {
    score: (game, state) => {
      const areas = new Float64Array(2);
      goScore(state as GoState, (game as unknown as GameGo).rules.board, areas);
      return { black: areas[0]!, white: areas[1]! };
    },
  },
};

/** The board as rows from the top, a character a point. */
function rowsOf({ rules: { board } }: GameGo, { colour }: GoState): string[] {
  const { cellOf, size } = board;
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => CHARACTERS[colour[cellOf[row * size + column]!]!]).join(""),
  );
}

/** The state of a board given by rows, with a seat to move; no earlier board counts. Throws RefereeError. */
function stateOfRows({ rules }: GameGo, { board, toMove = 0 }: RefereeRequest): GoState {
  const { size } = rules.board;
  const sound =
    Array.isArray(board) &&
    board.length === size &&
    board.every((row) => typeof row === "string" && row.length === size && /^[.XO]*$/.test(row));
  if (!sound)
    throw new RefereeError(
      `"set" needs "board": ${size} rows from the top, each of ${size} characters ".", "X" (Black) or "O" (White)`,
    );
  if (toMove !== 0 && toMove !== 1) throw new RefereeError('"toMove" must be 0 (Black) or 1 (White)');
  const colours = Array.from((board as string[]).join(""), (character) =>
    character === "X" ? BLACK : character === "O" ? WHITE : EMPTY,
  );
  const begun = setUpGo(rules, colours, toMove);
  if (begun === undefined) throw new RefereeError("a chain of stones has no liberty", "ERR_PIECES");
  return begun;
}
