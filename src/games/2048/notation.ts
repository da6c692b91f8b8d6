import type { Game2048, State2048 } from "./2048.ts";
import { CHANCE } from "../game.ts";
import type { Notation } from "../game.ts";
import { noPosition } from "../position-text.ts";

const DIRECTIONS = ["up", "right", "down", "left"];

/**
 * Moves of 2048 as text: decisions `up`, `right`, `down`, `left`; chance outcomes `b3=4`, a 4-tile in the second
 * column (letters from the left) and third row (numbers from the top).
 */
export function notation2048(game: Game2048): Notation<State2048> {
  const legal = new Int32Array(game.maxLegal);
  return {
    format(state, action) {
      if (state.toMove !== CHANCE) return DIRECTIONS[action]!;
      const cell = action >> 1;
      const row = Math.floor(cell / game.columns);
      const letter = String.fromCharCode(97 + cell - row * game.columns);
      return `${letter}${row + 1}=${action & 1 ? 4 : 2}`;
    },
    parse(state, text) {
      const action = state.toMove === CHANCE ? outcome(game, text) : DIRECTIONS.indexOf(text);
      const count = game.legal(state, legal);
      return legal.subarray(0, count).includes(action) ? action : undefined;
    },
    position() {
      throw new Error("not written yet");
    },
    parsePosition: () => noPosition("ERR_SYNTAX", "positions of this game cannot be read yet"),
  };
}

function outcome(game: Game2048, text: string): number {
  const parts = /^([a-d])([1-4])=([24])$/.exec(text);
  if (parts === null) return -1;
  const column = parts[1]!.charCodeAt(0) - 97;
  const row = Number(parts[2]) - 1;
  if (column >= game.columns || row >= game.rows) return -1;
  return 2 * (row * game.columns + column) + (parts[3] === "4" ? 1 : 0);
}
