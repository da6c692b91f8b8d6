import { OVER } from "../game.ts";
import type { PositionError, PositionReading } from "../game.ts";
import { boardOfText, boardText, noPosition } from "../position-text.ts";
import { actionAt, type BlokusBoard, cellsOfAction, pieceOfOrientation } from "./board.ts";
import { cellOfText, cellText } from "./cell-text.ts";
import { BlokusMoveSet, hasMove, MOST_LEGAL } from "./legal.ts";
import { orientationOfShape, shapeKey } from "./pieces.ts";
import { layPiece } from "./play.ts";
import { actionOfPly, type BlokusState, newBlokusState, seatOfPly } from "./state.ts";

/** By seat: its letter, as in drawings. */
const SEAT_LETTERS = ["B", "O", "V", "G"] as const;

/** The placements before the last one that the planes `history` show, and the last one. */
const REMEMBERED = 7;

/** A piece on the board. */
interface LaidPiece {
  readonly seat: number;
  readonly action: number;
  /** Its squares, as y * size + x, the first one in reading order first. */
  readonly cells: readonly number[];
}

/**
 * A position of Blokus as text, in five parts: the board (`boardText`, a letter a seat), the turn order beginning with the
 * seat that opened the game, the seat to move, the seats passed over for good, and the placements that still matter by
 * one square each, oldest first. `-` means nobody and none.
 *
 * Pieces of a seat never touch edge to edge, so the board says which they are. The placements that matter are the last
 * seven, which the planes `history` show, and the last one of each seat that has laid all its pieces, which decides its
 * bonus.
 */
export function blokusPosition(state: BlokusState, board: BlokusBoard): string {
  const { size, players } = board;
  const owners = new Int8Array(size * size).fill(-1);
  for (let ply = 0; ply < state.plies; ply++)
    for (const [x, y] of cellsOfAction(board, actionOfPly(state, ply)))
      owners[y * size + x] = seatOfPly(state, ply);
  const finished = new Set<number>();
  const recent: string[] = [];
  for (let ply = state.plies - 1; ply >= 0; ply--) {
    const seat = seatOfPly(state, ply);
    const finishes = state.left[seat] === 0 && !finished.has(seat);
    if (finishes) finished.add(seat);
    if (!finishes && ply < state.plies - REMEMBERED) continue;
    const [x, y] = cellsOfAction(board, actionOfPly(state, ply))[0]!;
    recent.unshift(cellText(size, x, y));
  }
  const passedOver = SEAT_LETTERS.filter((_, seat) => (state.out >> seat) & 1).join("");
  return [
    boardText(size, size, (cell) => SEAT_LETTERS[owners[cell]!] ?? ""),
    turnOrderText(state.opener, state.step, players),
    SEAT_LETTERS[state.toMove] ?? "-",
    passedOver || "-",
    recent.join() || "-",
  ].join(" ");
}

/** The letters of the seats as they follow each other from the opener on. */
function turnOrderText(opener: number, step: number, players: number): string {
  return Array.from({ length: players }, (_, turn) => SEAT_LETTERS[(opener + turn * step) % players]).join(
    "",
  );
}

/**
 * Reads what `blokusPosition` writes. Placements that are not named count
 * as made before those that are, in reading order.
 */
export function parseBlokusPosition(text: string, board: BlokusBoard): PositionReading<BlokusState> {
  const { size, players } = board;
  const fields = text.split(" ");
  if (fields.length !== 5)
    return noPosition(
      "ERR_SYNTAX",
      `a position has 5 parts (board, turn order, mover, seats passed over, last placements), not ${fields.length}`,
    );
  const [boardField, order, mover, out, recent] = fields as [string, string, string, string, string];
  const letters = SEAT_LETTERS.slice(0, players);
  const cells = boardOfText(boardField, size, size, letters);
  if ("error" in cells) return cells;
  const found = piecesOn(cells.cells, board);
  if ("error" in found) return found;

  const [opener, step] = turnOrderOf(order, players);
  if (opener === undefined)
    return noPosition(
      "ERR_TURN",
      `the turn order is "${order}"; it is the seats ${letters.join("")} from any one on, forwards or backwards`,
    );
  const inOrder = inOrderOfPlay(found.pieces, recent, board.size);
  if ("error" in inOrder) return inOrder;
  const state = newBlokusState(board, opener, step);
  for (const { seat, action } of inOrder.pieces) layPiece(state, board, seat, action);
  state.out = 0;
  for (let seat = 0; seat < players; seat++)
    if (state.left[seat] === 0 && !inOrder.named.has(seat))
      return noPosition(
        "ERR_SCORE",
        `seat ${letters[seat]} has laid all its pieces; name the last of them among the last placements, it decides the bonus`,
      );

  if (!/^(-|B?O?V?G?)$/.test(out) || [...out.matchAll(/\w/g)].some(([seat]) => !includes(letters, seat)))
    return noPosition(
      "ERR_SYNTAX",
      `the seats passed over are "${out}"; write "-" or letters of ${letters.join("")}`,
    );
  const moves = new BlokusMoveSet(board);
  for (const [seat, letter] of letters.entries()) {
    const canMove = hasMove(state, board, seat);
    if (out.includes(letter)) {
      if (canMove) return noPosition("ERR_TURN", `seat ${letter} is passed over for good, but has a move`);
      state.out |= 1 << seat;
    }
    if (mover === letter && !canMove)
      return noPosition("ERR_TURN", `seat ${letter} is to move, but has no move`);
    if (mover === "-" && canMove)
      return noPosition("ERR_TURN", `the mover is "-", but the game is not over: seat ${letter} has a move`);
    if (mover === "-" && !out.includes(letter))
      return noPosition("ERR_TURN", `the game is over, so seat ${letter} is passed over, too`);
    if (moves.count(state, seat) > MOST_LEGAL)
      return noPosition(
        "ERR_PIECES",
        `seat ${letter} has more than ${MOST_LEGAL} moves, which no game leads to`,
      );
  }
  state.toMove = mover === "-" ? OVER : letters.findIndex((letter) => letter === mover);
  if (mover !== "-" && state.toMove < 0)
    return noPosition("ERR_SYNTAX", `the mover is "${mover}"; write one of ${letters.join(", ")} or "-"`);
  return { state };
}

function includes(letters: readonly string[], letter: string): boolean {
  return letters.includes(letter);
}

/** The opener and the step from seat to seat, or nothing if the text is not a turn order. */
function turnOrderOf(text: string, players: number): [opener: number, step: number] | [undefined, 0] {
  for (let opener = 0; opener < players; opener++)
    for (const step of [1, players - 1])
      if (turnOrderText(opener, step, players) === text) return [opener, step];
  return [undefined, 0];
}

/** The pieces on a board in reading order of their first squares; an error if they cannot have been laid. */
function piecesOn(
  owners: Int8Array,
  board: BlokusBoard,
): { readonly pieces: readonly LaidPiece[] } | { readonly error: PositionError } {
  const { size, starts } = board;
  const pieces: LaidPiece[] = [];
  const pieceAt = new Int16Array(size * size).fill(-1);
  const laid = starts.map(() => new Set<number>());
  const name = (cell: number) => cellText(size, cell % size, Math.floor(cell / size));
  for (const [first, seat] of owners.entries()) {
    if (seat < 0 || pieceAt[first]! >= 0) continue;
    const cells = [first];
    pieceAt[first] = pieces.length;
    for (const cell of cells)
      for (const beside of neighbours(cell, size, EDGES))
        if (owners[beside] === seat && pieceAt[beside]! < 0) {
          pieceAt[beside] = pieces.length;
          cells.push(beside);
        }
    const where = `the piece of seat ${SEAT_LETTERS[seat]} at ${name(first)}`;
    if (cells.length > board.largest)
      return noPosition(
        "ERR_PIECES",
        `${where} has ${cells.length} squares; pieces have ${board.largest} at most, and those of one seat do not touch edge to edge`,
      );
    const squares = cells.map((cell) => [cell % size, Math.floor(cell / size)] as const);
    const orientation = orientationOfShape.get(shapeKey(squares))!;
    const piece = pieceOfOrientation[orientation]!;
    if (laid[seat]!.has(piece)) return noPosition("ERR_PIECES", `${where} has been laid by the seat before`);
    laid[seat]!.add(piece);
    const left = Math.min(...squares.map(([x]) => x));
    const top = Math.min(...squares.map(([, y]) => y));
    pieces.push({ seat, cells, action: actionAt(board, orientation, left, top) });
  }
  for (const [seat, [x, y]] of starts.entries()) {
    const own = pieces.filter((piece) => piece.seat === seat);
    if (own.length === 0) continue;
    const start = y * size + x;
    if (owners[start] !== seat)
      return noPosition(
        "ERR_PIECES",
        `seat ${SEAT_LETTERS[seat]} has pieces on the board, but none on its start cell ${name(start)}`,
      );
    const joined = new Set([pieceAt[start]!]);
    for (const piece of joined)
      for (const cell of pieces[piece]!.cells)
        for (const corner of neighbours(cell, size, CORNERS))
          if (owners[corner] === seat) joined.add(pieceAt[corner]!);
    const apart = own.find((piece) => !joined.has(pieceAt[piece.cells[0]!]!));
    if (apart !== undefined)
      return noPosition(
        "ERR_PIECES",
        `the piece of seat ${SEAT_LETTERS[seat]} at ${name(apart.cells[0]!)} is not joined to its start cell by corners`,
      );
  }
  return { pieces };
}

const EDGES = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
] as const;

const CORNERS = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

function neighbours(cell: number, size: number, steps: readonly (readonly [number, number])[]): number[] {
  const x = cell % size;
  const y = Math.floor(cell / size);
  return steps.flatMap(([dx, dy]) =>
    x + dx >= 0 && x + dx < size && y + dy >= 0 && y + dy < size ? [(y + dy) * size + x + dx] : [],
  );
}

/** The pieces in an order of play: those not named among the last placements first; and the seats of the named ones. */
function inOrderOfPlay(
  pieces: readonly LaidPiece[],
  recent: string,
  size: number,
):
  | { readonly pieces: readonly LaidPiece[]; readonly named: ReadonlySet<number> }
  | { readonly error: PositionError } {
  const last: LaidPiece[] = [];
  for (const text of recent === "-" ? [] : recent.split(",")) {
    const cell = cellOfText(size, text);
    if (cell === undefined)
      return noPosition(
        "ERR_SYNTAX",
        `the last placements name "${text}", which is not a cell of this board`,
      );
    const piece = pieces.find(({ cells }) => cells.includes(cell[1] * size + cell[0]));
    if (piece === undefined)
      return noPosition("ERR_PIECES", `the last placements name ${text}, where no piece lies`);
    if (last.includes(piece))
      return noPosition("ERR_PIECES", `the last placements name the piece at ${text} twice`);
    last.push(piece);
  }
  return {
    pieces: [...pieces.filter((piece) => !last.includes(piece)), ...last],
    named: new Set(last.map(({ seat }) => seat)),
  };
}
