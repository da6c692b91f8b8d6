import { type BlokusState, type GameBlokus } from "../../../../src/games/blokus/blokus.ts";
import { cellsOfAction, pieceOfAction } from "../../../../src/games/blokus/board.ts";
import { blokusOrientations, blokusPieces } from "../../../../src/games/blokus/pieces.ts";
import { actionOfPly, seatOfPly } from "../../../../src/games/blokus/state.ts";

type Cell = readonly [x: number, y: number];

const SIDES: readonly Cell[] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];
const DIAGONALS: readonly Cell[] = [
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
];

/** Every set of up to five cells that hang together and contain [0, 0]. */
const throughOrigin: readonly (readonly Cell[])[] = blokusOrientations.flatMap(({ cells }) =>
  cells.map(([ax, ay]) => cells.map(([x, y]) => [x - ax, y - ay] as const)),
);

const kings = ([ax, ay]: Cell, [bx, by]: Cell) => Math.max(Math.abs(ax - bx), Math.abs(ay - by));
const same = ([ax, ay]: Cell, [bx, by]: Cell) => ax === bx && ay === by;

/**
 * The features of moves by their words, from cells and their owners: no tables and no bits. One object is one position.
 */
export class PlainMoveFeatures {
  readonly #game: GameBlokus;
  readonly #state: BlokusState;
  readonly #owner = new Map<string, number>();
  readonly #open = new Map<string, boolean>();
  readonly #cells: readonly Cell[];
  readonly #stage: string;
  /** In turn order from the mover on. */
  readonly #opponents: readonly number[];

  constructor(game: GameBlokus, state: BlokusState) {
    this.#game = game;
    this.#state = state;
    const { size } = game.board;
    this.#cells = Array.from({ length: size * size }, (_, i) => [i % size, Math.floor(i / size)] as const);
    for (let ply = 0; ply < state.plies; ply++)
      for (const [x, y] of cellsOfAction(game.board, actionOfPly(state, ply)))
        this.#owner.set(`${x},${y}`, seatOfPly(state, ply));
    const laid = Array.from({ length: state.plies }, (_, ply) => seatOfPly(state, ply)).filter(
      (seat) => seat === state.toMove,
    ).length;
    this.#stage =
      laid < 3 ? "pieces 1-3" : laid < 6 ? "pieces 4-6" : laid < 10 ? "pieces 7-10" : "pieces 11-21";
    this.#opponents = Array.from(
      { length: game.players - 1 },
      (_, k) => (state.toMove + (k + 1) * state.step) % game.players,
    );
  }

  /** The names of the features of a move, in alphabetical order. */
  namesOf(action: number): string[] {
    const { board, players } = this.#game;
    const mover = this.#state.toMove;
    const squares: readonly Cell[] = cellsOfAction(board, action);
    const around = (steps: readonly Cell[], not: readonly Cell[]) =>
      this.#cells.filter(
        (cell) =>
          squares.some(([x, y]) => steps.some(([dx, dy]) => same(cell, [x + dx, y + dy]))) &&
          ![...squares, ...not].some((other) => same(cell, other)),
      );
    const beside = around(SIDES, []);
    const corners = around(DIAGONALS, beside);
    const who = (k: number) => (players === 2 ? "" : ` of seat +${k + 1}`);
    const names: string[] = [];
    const add = (name: string) => void names.push(`${name}, ${this.#stage}`);

    for (const cell of squares) {
      const classes = this.#opponents.map((seat, k) => `, ${this.#classOf(seat, cell)}${who(k)}`);
      add(`square${this.#isOpen(mover, cell) ? " on own corner" : ""}${classes.toReversed().join("")}`);
    }
    for (let n = squares.length; n < 5; n++) names.push("no square");
    let made = 0;
    for (const cell of corners) {
      if (this.#isClosed(mover, cell)) names.push("no corner");
      else if (this.#isOpen(mover, cell)) add("old corner");
      else {
        made++;
        const classes = this.#opponents.map((seat) => this.#classOf(seat, cell));
        const contest = classes.some((name) => name.endsWith("corner"))
          ? ", an opponent's too"
          : classes.some((name) => name.endsWith("step") || name.endsWith("steps"))
            ? ", within two steps of an opponent's"
            : "";
        const room = this.#room(mover, cell, [...squares, ...beside]);
        const kind = room <= 2 ? "0-2" : room <= 15 ? "3-15" : room <= 60 ? "16-60" : "61 or more";
        add(`new corner, room for ${kind}${contest}`);
      }
    }
    for (let n = corners.length; n < 8; n++) names.push("no corner");
    const lost = [...squares, ...beside].filter((cell) => this.#isOpen(mover, cell)).length;
    const centre: Cell = [(board.size - 1) / 2, (board.size - 1) / 2];
    const fromCentre = Math.floor(Math.min(...squares.map((cell) => kings(cell, centre))));
    add(`piece ${blokusPieces[pieceOfAction(board, action)]!.name}`);
    add(`makes ${made >= 8 ? "8 or more" : made} corners`);
    add(`takes ${lost >= 5 ? "5 or more" : lost} own corners`);
    add(`${fromCentre >= 9 ? "9 or more" : fromCentre} from the centre`);
    const fromOpponents = this.#distance(
      squares,
      this.#cells.filter(([x, y]) => (this.#owner.get(`${x},${y}`) ?? mover) !== mover),
    );
    add(`${fromOpponents >= 5 ? "5 or more" : fromOpponents} from opponents`);
    for (const [k, seat] of this.#opponents.entries()) {
      const distance = this.#distance(squares, this.#lastPiece(seat));
      add(
        `${distance === 1 ? "beside" : distance === 2 ? "2 from" : distance <= 4 ? "3-4 from" : "far from"} the last piece${who(k)}`,
      );
    }
    return names.toSorted();
  }

  #isClosed(seat: number, [x, y]: Cell): boolean {
    const { size } = this.#game.board;
    return (
      x < 0 ||
      y < 0 ||
      x >= size ||
      y >= size ||
      this.#owner.has(`${x},${y}`) ||
      SIDES.some(([dx, dy]) => this.#owner.get(`${x + dx},${y + dy}`) === seat)
    );
  }

  /** Whether a cell is an open corner of a seat. */
  #isOpen(seat: number, cell: Cell): boolean {
    const key = `${seat} ${cell.join()}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const open = this.#findOpen(seat, cell);
    this.#open.set(key, open);
    return open;
  }

  #findOpen(seat: number, [x, y]: Cell): boolean {
    if (this.#isClosed(seat, [x, y])) return false;
    if (DIAGONALS.some(([dx, dy]) => this.#owner.get(`${x + dx},${y + dy}`) === seat)) return true;
    return same(this.#game.board.starts[seat]!, [x, y]);
  }

  /** Placements through a cell, of any piece, that cover no closed cell at most two steps away. */
  #room(seat: number, [x, y]: Cell, closed: readonly Cell[]): number {
    return throughOrigin.filter((cells) =>
      cells
        .filter(([dx, dy]) => Math.abs(dx) + Math.abs(dy) <= 2)
        .map(([dx, dy]) => [x + dx, y + dy] as const)
        .every((cell) => !this.#isClosed(seat, cell) && !closed.some((other) => same(cell, other))),
    ).length;
  }

  /** What a cell is to an opponent. */
  #classOf(seat: number, cell: Cell): string {
    if (this.#state.left[seat] === 0 || (this.#state.out >> seat) & 1) return "far";
    if (this.#isOpen(seat, cell)) return this.#room(seat, cell, []) > 15 ? "wide corner" : "narrow corner";
    const one = (from: Cell) =>
      !this.#isClosed(seat, from) &&
      SIDES.some(([dx, dy]) => this.#isOpen(seat, [from[0] + dx, from[1] + dy]));
    if (one(cell)) return "one step";
    return !this.#isClosed(seat, cell) && SIDES.some(([dx, dy]) => one([cell[0] + dx, cell[1] + dy]))
      ? "two steps"
      : "far";
  }

  /** The squares that a seat has laid since the mover's last move. */
  #lastPiece(seat: number): readonly Cell[] {
    for (let ply = this.#state.plies - 1; ply >= 0; ply--) {
      const by = seatOfPly(this.#state, ply);
      if (by === this.#state.toMove) return [];
      if (by === seat) return cellsOfAction(this.#game.board, actionOfPly(this.#state, ply));
    }
    return [];
  }

  #distance(from: readonly Cell[], to: readonly Cell[]): number {
    return Math.min(...from.flatMap((a) => to.map((b) => kings(a, b))));
  }
}
