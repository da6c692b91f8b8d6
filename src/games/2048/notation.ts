import type { BoardSize, State2048 } from "./board.ts";
import { CHANCE } from "../game.ts";
import type { Notation } from "../game.ts";
import { parsePosition2048, position2048 } from "./position-notation.ts";

const DIRECTIONS = ["up", "right", "down", "left"];

/**
 * Moves of 2048 as text: decisions `up`, `right`, `down`, `left`; chance outcomes `b3=4`, a 4-tile in the second
 * column (letters from the left) and third row (numbers from the top). For positions see `position2048`.
 */
export function notation2048(size: BoardSize): Notation<State2048> {
  return {
    format(state, action) {
      if (state.toMove !== CHANCE) return DIRECTIONS[action]!;
      const cell = action >> 1;
      const row = Math.floor(cell / size.columns);
      const letter = String.fromCharCode(97 + cell - row * size.columns);
      return `${letter}${row + 1}=${action & 1 ? 4 : 2}`;
    },
    parse(state, text) {
      if (state.toMove === CHANCE) return outcome(state, text, size);
      const direction = DIRECTIONS.indexOf(text);
      return direction >= 0 && (state.slides >> direction) & 1 ? direction : undefined;
    },
    position: (state) => position2048(state, size),
    parsePosition: (text) => parsePosition2048(text, size),
  };
}

function outcome(state: State2048, text: string, size: BoardSize): number | undefined {
  const parts = /^([a-d])([1-4])=([24])$/.exec(text);
  if (parts === null) return undefined;
  const column = parts[1]!.charCodeAt(0) - 97;
  const row = Number(parts[2]) - 1;
  if (column >= size.columns || row >= size.rows) return undefined;
  const cell = row * size.columns + column;
  return (state.empty >> size.placeOf[cell]!) & 1 ? 2 * cell + (parts[3] === "4" ? 1 : 0) : undefined;
}
