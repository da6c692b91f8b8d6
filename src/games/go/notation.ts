import { noPosition } from "../position-text.ts";
import type { Notation } from "../game.ts";
import { BLACK, WHITE } from "./board.ts";
import { isLegalGo } from "./legal.ts";
import type { GoRules } from "./options.ts";
import { playGo } from "./play.ts";
import { type GoState, newGoState } from "./state.ts";
import { boardText } from "../position-text.ts";

/** The letters of columns: I is left out, as on Go boards and in GTP. */
const COLUMNS = "ABCDEFGHJKLMNOPQRST";

/** A point as GTP writes it, `A1` at the bottom left, or `pass`. */
export function goMoveText(size: number, action: number): string {
  if (action === size * size) return "pass";
  return `${COLUMNS[action % size]!}${size - Math.floor(action / size)}`;
}

/** The action that a text names on a board of this size, letters in either case; undefined where it names none. */
export function goMoveOfText(size: number, text: string): number | undefined {
  if (/^pass$/i.test(text)) return size * size;
  const parts = /^([a-hj-t])([1-9]\d?)$/i.exec(text);
  if (parts === null) return undefined;
  const column = COLUMNS.indexOf(parts[1]!.toUpperCase());
  const row = size - Number(parts[2]);
  return column < size && row >= 0 ? row * size + column : undefined;
}

/** Moves as GTP writes them; a position is its board, its mover and all moves so far. */
export function goNotation(rules: GoRules): Notation<GoState> {
  const { board } = rules;
  const { size, cellOf, pointOf } = board;
  return {
    format: (_, action) => goMoveText(size, action),
    parse(state, text) {
      const action = goMoveOfText(size, text);
      return action !== undefined && state.toMove >= 0 && isLegalGo(state, rules, action)
        ? action
        : undefined;
    },
    position(state) {
      const stones = boardText(size, size, (point) => ["", "X", "O"][state.colour[cellOf[point]!]!]!);
      const moves = Array.from(state.history.moves.subarray(0, state.plies), (cell) =>
        goMoveText(size, cell === 0 ? board.pass : pointOf[cell]!),
      );
      return `${stones} ${moves.join(",") || "-"}`;
    },
    parsePosition(text) {
      const fields = text.split(" ");
      if (fields.length !== 2) return noPosition("ERR_SYNTAX", "a position has 2 parts, board and moves");
      const state = newGoState(board);
      for (const move of fields[1] === "-" ? [] : fields[1]!.split(",")) {
        const action = this.parse(state, move);
        if (action === undefined) return noPosition("ERR_SYNTAX", `"${move}" is no legal move there`);
        playGo(state, rules, action);
      }
      if (this.position(state) !== text)
        return noPosition("ERR_PIECES", `the moves lead to another board than ${fields[0]}`);
      return { state };
    },
  };
}

/** The letter of a colour in drawings. */
export function stoneLetter(colour: number): string {
  return colour === BLACK ? "X" : colour === WHITE ? "O" : ".";
}
