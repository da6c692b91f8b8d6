import { type Notation, OVER, type PositionReading } from "../game.ts";
import { boardOfText, boardText, noPosition } from "../position-text.ts";
import type { OthelloBoard } from "./board.ts";
import { addDisc } from "./nets.ts";
import { discAt, isMove, newOthelloState, type OthelloState, settleOthello } from "./state.ts";

/** By seat: the letter of its discs. */
const SEATS = ["X", "O"] as const;

/** The letters of the columns from the left. */
export const OTHELLO_COLUMNS = "abcdefgh";

/**
 * A move is the letter of its column from the left and the number of its row from the top: `d3`; or `pass`. A position is
 * the board (`boardText`, X for Black and O for White) and the mover, `-` when the game is over.
 */
export function othelloNotation(board: OthelloBoard): Notation<OthelloState> {
  const { bitOf, pass, size } = board;
  /** The action that a text names, legal or not; -1 if it names none. */
  const named = (text: string) => {
    if (text === "pass") return pass;
    if (!/^[a-h][1-8]$/.test(text)) return -1;
    const column = OTHELLO_COLUMNS.indexOf(text[0]!);
    const row = Number(text[1]) - 1;
    return column < size && row < size ? row * size + column : -1;
  };
  const isLegal = (state: OthelloState, action: number) =>
    action === pass ? (state.movesLow | state.movesHigh) === 0 : isMove(state, bitOf[action]!);
  return {
    format: (_, action) =>
      action === pass ? "pass" : `${OTHELLO_COLUMNS[action % size]}${Math.floor(action / size) + 1}`,
    parse(state, text) {
      const action = named(text);
      return action >= 0 && state.toMove !== OVER && isLegal(state, action) ? action : undefined;
    },
    whyIllegal(state, text) {
      const action = named(text);
      if (action < 0) return `not a square from a1 to ${OTHELLO_COLUMNS[size - 1]}${size}, and not pass`;
      if (state.toMove === OVER) return "the game is over";
      if (isLegal(state, action)) return undefined;
      if (action === pass) return "there is another move: the pass is legal only if there is none";
      return discAt(state, bitOf[action]!) >= 0 ? "the square is occupied" : "it would turn over no disc";
    },
    position: (state) =>
      `${boardText(size, size, (action) => SEATS[discAt(state, bitOf[action]!)] ?? "")} ${SEATS[state.toMove] ?? "-"}`,
    parsePosition: (text) => parseOthello(text, board),
  };
}

function parseOthello(text: string, board: OthelloBoard): PositionReading<OthelloState> {
  const { bitOf, size } = board;
  const fields = text.split(" ");
  if (fields.length !== 2)
    return noPosition(
      "ERR_SYNTAX",
      'a position has 2 parts, board and mover, as in "8/8/8/3OX3/3XO3/8/8/8 X"',
    );
  const [squares, mover] = fields as [string, string];
  const read = boardOfText(squares, size, size, SEATS);
  if ("error" in read) return read;
  const seat = (SEATS as readonly string[]).indexOf(mover);
  if (seat < 0 && mover !== "-")
    return noPosition("ERR_SYNTAX", `the mover is "${mover}"; it is "X", "O" or "-" for a game that is over`);
  const state = newOthelloState();
  for (const [action, disc] of read.cells.entries()) if (disc >= 0) addDisc(state, bitOf[action]!, disc);
  settleOthello(state, board, Math.max(seat, 0));
  if (seat < 0 && state.toMove !== OVER)
    return noPosition("ERR_TURN", 'the mover is "-", but a seat can place a disc: it is "X" or "O"');
  if (seat >= 0 && state.toMove === OVER)
    return noPosition("ERR_TURN", `the mover is "${mover}", but no seat can place a disc: it is "-"`);
  return { state };
}
