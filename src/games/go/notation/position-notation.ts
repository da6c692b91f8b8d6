import { OVER } from "../../game.ts";
import type { PositionError, PositionReading } from "../../game.ts";
import { boardOfText, boardText, noPosition } from "../../position-text.ts";
import { PASS_CELL } from "../board.ts";
import { goMoveOfText, goMoveText } from "./coordinates.ts";
import { isLegalGo } from "../legal.ts";
import type { GoRules } from "../options.ts";
import { playGo } from "../play.ts";
import { setUpGo, stoneWithoutLiberty } from "../set-up.ts";
import { type GoState, takeBackPly } from "../state.ts";

/** By seat: the letter of its stones, as in GNU Go and the boards of GTP programs. */
const SEATS = ["X", "O"] as const;

/**
 * A position of Go as text. The first two parts are the board (`boardText`, X for Black and O for White) and the seat to
 * move, `-` when the game is over. After moves three more parts follow: the board and the seat to move that the game
 * began with, and the moves, joined by commas. They determine ko, superko, passes in a row and the plies of a move limit.
 */
export function goPosition(state: GoState, rules: GoRules): string {
  const { size, pointOf, pass } = rules.board;
  const board = stonesText(state.colour, rules);
  const mover = SEATS[state.toMove] ?? "-";
  if (state.plies === 0) return `${board} ${mover}`;
  const start = state.colour.slice();
  const moves: string[] = [];
  for (let ply = state.plies - 1; ply >= 0; ply--) {
    takeBackPly(state, ply, start);
    const cell = state.history.moves[ply]!;
    moves.unshift(goMoveText(size, cell === PASS_CELL ? pass : pointOf[cell]!));
  }
  return `${board} ${mover} ${stonesText(start, rules)} ${SEATS[state.first]!} ${moves.join()}`;
}

function stonesText(colours: Uint8Array, { board: { size, cellOf } }: GoRules): string {
  return boardText(size, size, (point) => ["", ...SEATS][colours[cellOf[point]!]!]!);
}

/** The position that a text as `goPosition` writes it names. A position of two parts has no earlier moves. */
export function parseGoPosition(text: string, rules: GoRules): PositionReading<GoState> {
  const fields = text.split(" ");
  if (fields.length !== 2 && fields.length !== 5)
    return noPosition(
      "ERR_SYNTAX",
      `a position has 2 parts (board and mover), or 5 (board, mover, first board, first mover, moves), not ${fields.length}`,
    );
  const [board, mover, firstBoard = board, firstMover = mover, moves = ""] = fields as [string, string];
  const start = startOf(firstBoard, firstMover, rules);
  if ("error" in start) return start;
  const { state } = start;
  if (fields.length === 2) return start;
  const wrong = playMoves(state, moves, rules);
  if (wrong !== undefined) return { error: wrong };
  return checked(state, board, mover, rules);
}

/** The position of a board and a seat to move, without earlier moves. */
function startOf(board: string, mover: string, rules: GoRules): PositionReading<GoState> {
  const { size } = rules.board;
  const first = SEATS.findIndex((seat) => seat === mover);
  if (first < 0)
    return noPosition("ERR_TURN", `the mover of a board without moves is "${mover}"; write X or O`);
  const stones = boardOfText(board, size, size, SEATS);
  if ("error" in stones) return stones;
  const colours = stones.cells.map((seat) => seat + 1);
  const state = setUpGo(rules, colours, first);
  if (state !== undefined) return { state };
  const place = goMoveText(size, stoneWithoutLiberty(rules, colours)!);
  return noPosition("ERR_PIECES", `the chain of stones at ${place} has no liberty, so it is off the board`);
}

/** Plays the moves of a text; the error says which cannot be played. */
function playMoves(state: GoState, moves: string, rules: GoRules): PositionError | undefined {
  for (const [index, text] of moves.split(",").entries()) {
    const action = goMoveOfText(rules.board.size, text);
    if (action === undefined)
      return noPosition("ERR_SYNTAX", `move ${index + 1} is "${text}"; write a point such as A1, or pass`)
        .error;
    if (state.toMove === OVER)
      return noPosition("ERR_TURN", `move ${index + 1} is "${text}", but the game is over before`).error;
    if (!isLegalGo(state, rules, action))
      return noPosition("ERR_PIECES", `move ${index + 1}, ${text} of ${SEATS[state.toMove]}, is not legal`)
        .error;
    playGo(state, rules, action);
  }
  return undefined;
}

/** The state, if it has the board and the mover that the text begins with. */
function checked(state: GoState, board: string, mover: string, rules: GoRules): PositionReading<GoState> {
  const stones = stonesText(state.colour, rules);
  if (board !== stones) {
    const { size } = rules.board;
    const named = boardOfText(board, size, size, SEATS);
    return "error" in named
      ? named
      : noPosition("ERR_PIECES", `the moves lead to the board ${stones}, not to ${board}`);
  }
  const seat = SEATS[state.toMove] ?? "-";
  return mover === seat
    ? { state }
    : noPosition("ERR_TURN", `the mover is "${mover}"; after these moves it is "${seat}"`);
}
