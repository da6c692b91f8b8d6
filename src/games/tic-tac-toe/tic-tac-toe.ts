import type { GridBoard } from "../../figures/boards/board.ts";
import { Type } from "../../schema.ts";
import { completeGame } from "../complete-game.ts";
import { OVER } from "../game.ts";
import type { Game } from "../game.ts";
import { boardOfText, boardText, noPosition } from "../position-text.ts";
import { rowsOfOneSeat } from "../rows-of-one-seat.ts";
import { imageOfSquare } from "../square-symmetry.ts";

/** Options of `tic-tac-toe`: none. */
export const optionsTicTacToe = Type.Object({}, { additionalProperties: false });

/** A board of tic-tac-toe, and the seat to move. */
export interface StateTicTacToe {
  /** The nine cells row by row from the top left: 0 empty, 1 a stone of seat 0, 2 a stone of seat 1. */
  readonly cells: Uint8Array;
  /** The seat to move, or OVER. */
  toMove: number;
}

/** The board as a drawing: seat 0 has crosses, seat 1 rings. */
function boardOf({ cells }: StateTicTacToe): GridBoard {
  const won = rowsOfOneSeat(3, 3, 3, (cell) => cells[cell]! - 1);
  return {
    kind: "grid",
    columns: 3,
    rows: 3,
    ground: "cells",
    columnNames: ["a", "b", "c"],
    rowNames: ["3", "2", "1"],
    pieces: Array.from(cells, (stone, cell) => ({ stone, cell })).flatMap(({ cell, stone }) =>
      stone === 0
        ? []
        : [{ seat: stone - 1, shape: stone === 1 ? ("cross" as const) : ("ring" as const), cells: [cell] }],
    ),
    seats: [{}, {}],
    ...(won.length === 0 ? {} : { won }),
  };
}

/** Three in a row, a column or a diagonal. */
const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
] as const;

/**
 * The rules of tic-tac-toe.
 *
 * Action = cell, row by row from the top left. A win returns 1, a draw .5, a loss 0; until the game is over both
 * seats' returns are 0. Moves are written as column letter and row number from the bottom: `a3` is cell 0, `c1`
 * cell 8. A position is written as the board (`boardText`; seat 0 plays x, seat 1 o), then the mover, `-` when the game
 * is over: `x2/1o1/3 x`.
 */
export const ticTacToe: Game<StateTicTacToe> = completeGame("tic-tac-toe", 2, {
  actions: 9,

  initial: () => ({ cells: new Uint8Array(9), toMove: 0 }),

  toMove: (state) => state.toMove,

  legal(state, out) {
    if (state.toMove === OVER) return 0;
    let count = 0;
    for (let cell = 0; cell < 9; cell++) if (state.cells[cell] === 0) out[count++] = cell;
    return count;
  },

  play(state, action) {
    state.cells[action] = state.toMove + 1;
    state.toMove = moverOn(state.cells);
  },

  copy(from, into) {
    into.cells.set(from.cells);
    into.toMove = from.toMove;
  },

  returns(state, out) {
    const winner = winnerOn(state.cells);
    const other = state.toMove === OVER ? 0.5 : 0;
    out[0] = winner === 0 ? other : winner === 1 ? 1 : 0;
    out[1] = winner === 0 ? other : winner === 2 ? 1 : 0;
  },

  linear: {
    features: {
      names: ["one", "to move", "own lines", "their lines", "own twos", "their twos"],
      write(state, seat, out) {
        out.fill(0);
        out[0] = 1;
        out[1] = state.toMove === seat ? 1 : 0;
        for (const line of LINES) {
          let own = 0;
          let theirs = 0;
          for (const cell of line) {
            if (state.cells[cell] === seat + 1) own++;
            else if (state.cells[cell] !== 0) theirs++;
          }
          // Lines that only one of the two can still fill, in parts of the eight.
          if (own > 0 && theirs === 0) out[own === 1 ? 2 : 4]! += 0.125;
          if (theirs > 0 && own === 0) out[theirs === 1 ? 3 : 5]! += 0.125;
        }
      },
    },
  },

  notation: {
    format: (_, action) => `${"abc"[action % 3]}${3 - Math.floor(action / 3)}`,
    parse(state, text) {
      if (state.toMove === OVER || !/^[a-c][1-3]$/.test(text)) return undefined;
      const cell = 3 * (3 - Number(text[1])) + "abc".indexOf(text[0]!);
      return state.cells[cell] === 0 ? cell : undefined;
    },
    position: ({ cells, toMove }) =>
      `${boardText(3, 3, (cell) => ["", "x", "o"][cells[cell]!]!)} ${toMove === OVER ? "-" : "xo"[toMove]!}`,
    parsePosition(text) {
      const fields = text.split(" ");
      if (fields.length !== 2)
        return noPosition("ERR_SYNTAX", `a position has 2 parts, board and mover, as in "x2/1o1/3 x"`);
      const board = boardOfText(fields[0]!, 3, 3, ["x", "o"]);
      if ("error" in board) return board;
      const cells = Uint8Array.from(board.cells, (letter) => letter + 1);
      const count = (stone: number) => cells.filter((each) => each === stone).length;
      if (count(1) !== count(2) && count(1) !== count(2) + 1)
        return noPosition(
          "ERR_PIECES",
          `the board has ${count(1)} stones x and ${count(2)} stones o; x has as many as o, or one more`,
        );
      if (hasLine(cells, 1) && hasLine(cells, 2))
        return noPosition("ERR_PIECES", "both x and o have three in a row; the game ends with the first");
      const toMove = moverOn(cells);
      const mover = toMove === OVER ? "-" : "xo"[toMove]!;
      return fields[1] === mover
        ? { state: { cells, toMove } }
        : noPosition("ERR_TURN", `the mover is "${fields[1]}"; on this board it is "${mover}"`);
    },
  },

  drawing: {
    text(state) {
      const stone = (cell: number) => ".XO"[state.cells[cell]!];
      const rows = [0, 3, 6].map(
        (cell) => `${3 - cell / 3} ${stone(cell)} ${stone(cell + 1)} ${stone(cell + 2)}`,
      );
      return [...rows, "  a b c"].join("\n");
    },
    board: boardOf,
    place: (_, action) => ({ cells: [action] }),
  },

  nets: {
    planes: {
      /** Three planes: the stones of the seat to move, the other's, and all ones if seat 1 is to move. */
      stones: {
        shape: [3, 3, 3],
        encoding: [
          { as: "bits", channels: 2 },
          { as: "uniform", channels: 1 },
        ],
        write(state, out, offset) {
          const second = stonesOn(state.cells) % 2;
          for (let cell = 0; cell < 9; cell++) {
            const stone = state.cells[cell]!;
            out[offset + 3 * cell] = stone === second + 1 ? 1 : 0;
            out[offset + 3 * cell + 1] = stone === 2 - second ? 1 : 0;
            out[offset + 3 * cell + 2] = second;
          }
        },
      },
    },

    actionPlanes: { planes: 1, index: (cell) => cell },

    ownership(state, out) {
      for (let cell = 0; cell < 9; cell++) out[cell] = state.cells[cell]! - 1;
    },

    packing: {
      bytes: 9,
      pack: (state, out, offset) => out.set(state.cells, offset),
      unpack(from, offset, into) {
        for (let cell = 0; cell < 9; cell++) into.cells[cell] = from[offset + cell]!;
        into.toMove = moverOn(into.cells);
      },
    },
  },

  symmetry: {
    count: 8,
    transform(state, symmetry, into) {
      const cells = state.cells.slice();
      for (let cell = 0; cell < 9; cell++) into.cells[imageOfSquare(cell, symmetry, 3)] = cells[cell]!;
      into.toMove = state.toMove;
    },
    action: (cell, symmetry) => imageOfSquare(cell, symmetry, 3),
    seat: (seat) => seat,
  },
});

/** The seat to move, or OVER: seats alternate, so the number of stones determines it. */
function moverOn(cells: Uint8Array): number {
  const stones = stonesOn(cells);
  return stones === 9 || winnerOn(cells) !== 0 ? OVER : stones % 2;
}

function stonesOn(cells: Uint8Array): number {
  let stones = 0;
  for (let cell = 0; cell < 9; cell++) if (cells[cell] !== 0) stones++;
  return stones;
}

/** The stone that is three in a line, or 0. */
function winnerOn(cells: Uint8Array): number {
  for (const [a, b, c] of LINES)
    if (cells[a] !== 0 && cells[a] === cells[b] && cells[a] === cells[c]) return cells[a]!;
  return 0;
}

function hasLine(cells: Uint8Array, stone: number): boolean {
  return LINES.some((line) => line.every((cell) => cells[cell] === stone));
}
