import type { Notation } from "../../../src/games/game.ts";

/** For games of tests: the text of a move is its number, and positions have no text. */
export const numbersAsNotation: Notation<any> = {
  format: (_, action) => String(action),
  parse: (_, text) => Number(text),
  position() {
    throw new Error("positions of this game have no text");
  },
  parsePosition: () => ({
    error: { code: "ERR_SYNTAX", message: "positions of this game have no text" },
  }),
};
