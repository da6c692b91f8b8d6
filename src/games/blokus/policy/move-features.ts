import {
  besideRows,
  BORDER,
  type BlokusBoard,
  cornerRows,
  pieceOfOrientation,
  SHAPE_ROWS,
  shapeRows,
} from "../board.ts";
import { MOST_SQUARES } from "../cells.ts";
import { nearbyIn } from "../near-placements.ts";
import { blokusOrientations } from "../pieces.ts";
import { type BlokusState, seatOfPly } from "../state.ts";
import type { MoveFeatures } from "../../game.ts";
import {
  CLASSES,
  CONTEST_KINDS,
  featureNumbers,
  type FeatureNumbers,
  MOST_CENTRE,
  MOST_CORNERS,
  MOST_LOST,
  MOST_MADE,
  STAGES,
} from "./feature-numbers.ts";
import {
  addSquares,
  firstReplied,
  MoverView,
  NARROW_CORNER,
  opponentNumber,
  roomClasses,
  TWO_STEPS,
  WIDE_CORNER,
} from "./mover-view.ts";

/** Cell [x, y] has the number ((y + 1) << ROW_SHIFT) + x + 1, so cells around the board have numbers as well. */
const ROW_SHIFT = 5;
const ROW = 1 << ROW_SHIFT;
/** Enough for 20 rows and one above and below. */
const CELLS = 22 * ROW;

/** Words of what a cell is: its class for all opponents in the lowest bits, */
const CLASS_BITS = 7;
const CLASS_MASK = (1 << CLASS_BITS) - 1;
/** then whether it is an own open corner; */
const OWN = 1 << CLASS_BITS;
/** who contests it, two bits; */
const CONTEST_SHIFT = CLASS_BITS + 1;
/** how far the nearest piece of an opponent is, one bit for each distance, the nearest lowest; */
const DISTANCE_SHIFT = CONTEST_SHIFT + 2;
const DISTANCES = 4;
/** and the same for the last piece of each opponent. */
const REPLY_SHIFT = DISTANCE_SHIFT + DISTANCES;
const REPLY_DISTANCES = 3;

/** What a corner cell is: the set of blocked cells nearby, or one of these. */
const UNKNOWN = -2;
const CLOSED = -1;

/**
 * The features of moves of Blokus for linear policies. Each has a weight of its own in each stage of the game for the mover,
 * which is the number of its next piece: 1 to 3, 4 to 6, 7 to 10, and more.
 *
 * - For each square of the piece: whether it is an own open corner, and for each opponent in turn order, whether it is an
 *   open corner of the opponent with room or without, or one or two steps from one (`MoverView`).
 * - For each cell at a corner of the piece: whether it is a new open corner; the room there when the piece lies
 *   (`roomClasses`), and whether it is an opponent's corner too or within two steps of one.
 * - The piece; the number of new corners; the number of own open corners that the piece covers or closes; the distance
 *   of its nearest square from the centre, and to the nearest square of an opponent, in king's steps; the distance to the piece
 *   that each opponent has laid since the mover's last move.
 *
 * All of them are the same in all images of a position.
 */
export class BlokusMoveFeatures implements MoveFeatures<BlokusState> {
  readonly perMove: number;
  readonly #board: BlokusBoard;
  readonly #numbers: FeatureNumbers;
  readonly #view: MoverView;
  readonly #rooms: Uint8Array;
  /** By action: the distance from the centre. */
  readonly #centre: Uint8Array;
  readonly #cells = new Int32Array(CELLS);
  readonly #corners = new Int16Array(CELLS);
  readonly #occupied: Int32Array;
  readonly #spread: Int32Array;

  /** `growPointTree` must have been called. */
  constructor(board: BlokusBoard) {
    this.#board = board;
    this.#numbers = featureNumbers(board);
    this.#view = new MoverView(board);
    this.#rooms = roomClasses();
    this.perMove = MOST_SQUARES + MOST_CORNERS + 5 + this.#view.opponents;
    this.#centre = centreDistances(board);
    this.#occupied = new Int32Array(board.rows);
    this.#spread = new Int32Array(board.rows);
  }

  get count(): number {
    return this.#numbers.count;
  }

  get names(): readonly string[] {
    return this.#numbers.names;
  }

  write(state: BlokusState, actions: Int32Array, moves: number, out: Int32Array): void {
    const { placements } = this.#board;
    const { noSquare, noCorner, square, oldCorner, newCorner, piece, made, lost, centre, opponents, reply } =
      this.#numbers;
    const classes = CLASSES ** this.#view.opponents;
    const cells = this.#cells;
    const corners = this.#corners;
    const rooms = this.#rooms;
    const { perMove } = this;
    const view = this.#view;
    this.#lookAround(state);
    const { stage } = view;
    for (let i = 0, at = 0; i < moves; i++, at += perMove) {
      const placement = placements[actions[i]!]!;
      const orientation = placement >> 16;
      const cell = (((placement >> 8) & 255) + 1) * ROW + (placement & 255) + 1;
      let all = 0;
      let taken = 0;
      let to = at;
      for (let n = squareSteps.first[orientation]!; n < squareSteps.first[orientation + 1]!; n++) {
        const what = cells[cell + squareSteps.steps[n]!]!;
        all |= what;
        const own = (what >> CLASS_BITS) & 1;
        taken += own;
        out[to++] = square + ((what & CLASS_MASK) + own * classes) * STAGES + stage;
      }
      while (to < at + MOST_SQUARES) out[to++] = noSquare;
      for (let n = besideSteps.first[orientation]!; n < besideSteps.first[orientation + 1]!; n++)
        taken += (cells[cell + besideSteps.steps[n]!]! >> CLASS_BITS) & 1;
      let opened = 0;
      for (let n = cornerSteps.first[orientation]!; n < cornerSteps.first[orientation + 1]!; n++) {
        const corner = cell + cornerSteps.steps[n]!;
        let near = corners[corner]!;
        if (near === UNKNOWN) near = this.#lookAtCorner(state, corner);
        if (near === CLOSED) {
          out[to++] = noCorner;
          continue;
        }
        const what = cells[corner]!;
        if ((what & OWN) !== 0) {
          out[to++] = oldCorner + stage;
          continue;
        }
        opened++;
        const room = rooms[near | cornerClosed[n]!]!;
        out[to++] = newCorner + (room * CONTEST_KINDS + ((what >> CONTEST_SHIFT) & 3)) * STAGES + stage;
      }
      while (to < at + MOST_SQUARES + MOST_CORNERS) out[to++] = noCorner;
      out[to] = piece + pieceOfOrientation[orientation]! * STAGES + stage;
      out[to + 1] = made + Math.min(MOST_MADE, opened) * STAGES + stage;
      out[to + 2] = lost + Math.min(MOST_LOST, taken) * STAGES + stage;
      out[to + 3] = centre + this.#centre[actions[i]!]! * STAGES + stage;
      out[to + 4] = opponents + nearest(all >> DISTANCE_SHIFT, DISTANCES) * STAGES + stage;
      for (let k = 0; k < view.opponents; k++) {
        const distance = nearest(all >> (REPLY_SHIFT + k * REPLY_DISTANCES), REPLY_DISTANCES);
        out[to + 5 + k] = reply + (k * (REPLY_DISTANCES + 1) + distance) * STAGES + stage;
      }
    }
  }

  /** Fills in what each cell is. */
  #lookAround(state: BlokusState): void {
    const { players, rows } = this.#board;
    const cells = this.#cells.fill(0);
    const view = this.#view;
    this.#corners.fill(UNKNOWN);
    view.look(state);
    this.#mark(view.own, 0, OWN);
    for (let k = 0, worth = 1; k < view.opponents; k++, worth *= CLASSES)
      for (let kind = TWO_STEPS; kind <= WIDE_CORNER; kind++) {
        const first = view.rowsOf(k, kind);
        const contest = (kind < NARROW_CORNER ? 1 : 2) << CONTEST_SHIFT;
        for (let row = BORDER; row < rows - BORDER; row++)
          for (let rest = view.sets[first + row]!; rest !== 0; rest &= rest - 1) {
            const cell = cellOf(row, rest);
            const before = cells[cell]! & (3 << CONTEST_SHIFT);
            cells[cell] = cells[cell]! + kind * worth + Math.max(0, contest - before);
          }
      }
    const occupied = this.#occupied.fill(0);
    for (let ply = 0; ply < state.plies; ply++)
      if (seatOfPly(state, ply) !== state.toMove) addSquares(state, this.#board, ply, occupied);
    this.#markDistances(occupied, DISTANCE_SHIFT, 0b1111);
    for (let ply = firstReplied(state); ply < state.plies; ply++) {
      occupied.fill(0);
      addSquares(state, this.#board, ply, occupied);
      const opponent = opponentNumber(state, seatOfPly(state, ply), players);
      this.#markDistances(occupied, REPLY_SHIFT + opponent * REPLY_DISTANCES, 0b1011);
    }
  }

  /** Adds a bit to each cell of a set. */
  #mark(set: Int32Array, from: number, bit: number): void {
    const cells = this.#cells;
    for (let row = BORDER; row < this.#board.rows - BORDER; row++)
      for (let rest = set[from + row]!; rest !== 0; rest &= rest - 1) {
        const cell = cellOf(row, rest);
        cells[cell] = cells[cell]! | bit;
      }
  }

  /**
   * Marks the cells one, two, three and four king's steps around a set, each with a bit of its own from `shift` on. Bit n of
   * `ends`: whether distance n + 1 is the last one of its mark. Spreads the set.
   */
  #markDistances(set: Int32Array, shift: number, ends: number): void {
    const { rows, outside } = this.#board;
    const around = this.#spread;
    for (let distance = 0, mark = shift; distance < 4; distance++) {
      for (let row = BORDER; row < rows - BORDER; row++) {
        const all = set[row - 1]! | set[row]! | set[row + 1]!;
        around[row] = (all | (all << 1) | (all >>> 1)) & ~outside;
      }
      const bit = 1 << mark;
      for (let row = BORDER; row < rows - BORDER; row++) {
        for (let rest = around[row]! & ~set[row]!; rest !== 0; rest &= rest - 1) {
          const cell = cellOf(row, rest);
          this.#cells[cell] = this.#cells[cell]! | bit;
        }
        set[row] = around[row]!;
      }
      if ((ends >> distance) & 1) mark++;
    }
  }

  /** Fills in what a corner cell is to the mover, and returns it. */
  #lookAtCorner({ forbidden, toMove }: BlokusState, cell: number): number {
    const { players } = this.#board;
    const x = (cell & (ROW - 1)) - 1;
    const at = ((cell >> ROW_SHIFT) - 1 + BORDER) * players + toMove;
    const closed = ((forbidden[at]! >> (x + BORDER)) & 1) !== 0;
    return (this.#corners[cell] = closed ? CLOSED : nearbyIn(forbidden, at, players, x));
  }
}

/** The number of the cell at the lowest bit of a row. */
function cellOf(row: number, bits: number): number {
  return ((row - BORDER + 1) << ROW_SHIFT) + 32 - Math.clz32(bits & -bits) - BORDER;
}

/** The lowest of some bits that is set, or their number if none is. */
function nearest(bits: number, count: number): number {
  const some = bits | (1 << count);
  return 31 - Math.clz32(some & -some);
}

/** By action: the distance of the nearest square from the centre of the board, in king's steps, rounded down. */
function centreDistances({ placements, size }: BlokusBoard): Uint8Array {
  const centre = (size - 1) / 2;
  return Uint8Array.from(placements, (placement) => {
    const [left, top] = [placement & 255, (placement >> 8) & 255];
    const distances = blokusOrientations[placement >> 16]!.cells.map(([x, y]) =>
      Math.max(Math.abs(left + x - centre), Math.abs(top + y - centre)),
    );
    return Math.min(MOST_CENTRE, Math.floor(Math.min(...distances)));
  });
}

/** Cells by orientation, as steps from the number of the top left cell of the bounding box; `first` has one entry more. */
interface Steps {
  readonly steps: Int32Array;
  readonly first: Int32Array;
  readonly cells: readonly (readonly (readonly [x: number, y: number])[])[];
}

function stepsTo(table: Int32Array): Steps {
  const cells = blokusOrientations.map((_, orientation) =>
    Array.from(
      { length: SHAPE_ROWS ** 2 },
      (_unused, i) => [i % SHAPE_ROWS, Math.floor(i / SHAPE_ROWS)] as const,
    )
      .filter(([x, y]) => (table[orientation * SHAPE_ROWS + y]! >> x) & 1)
      .map(([x, y]) => [x - 1, y - 1] as const),
  );
  const first = new Int32Array(cells.length + 1);
  for (const [orientation, each] of cells.entries())
    first[orientation + 1] = first[orientation]! + each.length;
  return { cells, first, steps: Int32Array.from(cells.flat(), ([x, y]) => y * ROW + x) };
}

const squareSteps = stepsTo(shapeRows);
const besideSteps = stepsTo(besideRows);
const cornerSteps = stepsTo(cornerRows);

/** By corner cell of an orientation: which cells at most two steps from it the piece closes to its seat. */
const cornerClosed = Int16Array.from(
  cornerSteps.cells.flatMap((corners, orientation) =>
    corners.map(([x, y]) => {
      const rows = new Int32Array(SHAPE_ROWS + 2 * BORDER + 2);
      for (const [column, row] of [...squareSteps.cells[orientation]!, ...besideSteps.cells[orientation]!])
        rows[row + 1 + BORDER]! |= 1 << (column + 1 + BORDER);
      return nearbyIn(rows, y + 1 + BORDER, 1, x + 1);
    }),
  ),
);
