import type { Game, PositionError, PositionErrorCode } from "./game.ts";

/** What `parsePosition` gives for a text that names no position. */
export function noPosition(code: PositionErrorCode, message: string): { readonly error: PositionError } {
  return { error: { code, message } };
}

/**
 * A board of cells with one letter each as text, as in FEN: rows from the top joined by `/`; in a row the letters of the
 * cells from the left, and a number for that many empty cells.
 */
export function boardText(rows: number, columns: number, letterOf: (cell: number) => string): string {
  const texts: string[] = [];
  for (let row = 0; row < rows; row++) {
    let text = "";
    let empty = 0;
    for (let column = 0; column < columns; column++) {
      const letter = letterOf(row * columns + column);
      if (letter === "") empty++;
      else {
        text += (empty > 0 ? String(empty) : "") + letter;
        empty = 0;
      }
    }
    texts.push(text + (empty > 0 ? String(empty) : ""));
  }
  return texts.join("/");
}

/**
 * Reads a board as `boardText` writes it: for each cell, row by row from the top left, the index of its letter in
 * `letters`, or -1 if it is empty.
 */
export function boardOfText(
  text: string,
  rows: number,
  columns: number,
  letters: readonly string[],
): { readonly cells: Int8Array } | { readonly error: PositionError } {
  const texts = text.split("/");
  if (texts.length !== rows)
    return noPosition("ERR_SIZE", `the board has ${texts.length} rows between its "/", not ${rows}`);
  const cells = new Int8Array(rows * columns).fill(-1);
  for (const [row, parts] of texts.entries()) {
    let column = 0;
    for (const part of parts.match(/\d+|\D/g) ?? []) {
      if (/\d/.test(part)) {
        column += Number(part);
        continue;
      }
      const letter = letters.indexOf(part);
      if (letter < 0)
        return noPosition(
          "ERR_SYNTAX",
          `row ${row + 1} of the board has "${part}", which is neither a number of empty cells nor one of the letters ${letters.join(" ")}`,
        );
      if (column < columns) cells[row * columns + column] = letter;
      column++;
    }
    if (column !== columns)
      return noPosition("ERR_SIZE", `row ${row + 1} of the board has ${column} cells, not ${columns}`);
  }
  return { cells };
}

/** The state that the text of a position names. Throws RangeError if it names none: the text was read before. */
export function stateOfText<S>({ name, notation }: Pick<Game<S>, "name" | "notation">, text: string): S {
  const reading = notation.parsePosition(text);
  if ("error" in reading) throw new RangeError(`no position of ${name}: ${reading.error.message}`);
  return reading.state;
}

/** A new state at the start of a game: that of a text, or without one that of the rules. */
export function startOfGame<S>(game: Pick<Game<S>, "initial" | "name" | "notation">, text?: string): S {
  return text === undefined ? game.initial() : stateOfText(game, text);
}

/** Most characters of a position in a message. */
const LONGEST = 1000;

/** A position for a message: its text, or why the game cannot write it. */
export function positionForMessage<S>(game: Game<S>, state: S): string {
  let text: string;
  try {
    text = game.notation.position(state);
  } catch (error) {
    return `a position that ${game.name} cannot write (${(error as Error).message})`;
  }
  return `the position ${text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`}`;
}
