import type { PlayoutRecorder } from "../../game.ts";
import type { Random } from "../../../random.ts";
import { actionAt, BORDER, type BlokusBoard, pieceOfOrientation, sizeOfPiece } from "../board.ts";
import { MOST_SQUARES } from "../cells.ts";
import { type NearPlacements, nearPlacements, PIECES } from "../near-placements.ts";
import { OpenCorners } from "../open-corners.ts";
import { blokusOrientations } from "../pieces.ts";
import { playBlokus } from "../play.ts";
import type { BlokusState } from "../state.ts";
import { CLASSES, type FeatureNumbers, featureNumbers, STAGES } from "./feature-numbers.ts";
import { MoverView, TWO_STEPS, WIDE_CORNER } from "./mover-view.ts";

/** Number of tries after which all moves are listed: cheaper than listing, and seldom all needed. */
const TRIALS = 40;

/** Up to this number of placements around the mover's corners, all moves are listed at once. */
const FEW = 50;

/** The greatest odds that the squares of a move give it. The more, the more often trials fail. */
export const MOST_BY_SQUARES = 4.5;
/** The logarithms of the odds of a square and of a piece are at most this far from 0, so no product of odds is 0. */
const MOST_OF_SQUARE = 20;
const MOST_OF_PIECE = 100;

/** Cell [x, y] has the number (y << ROW_SHIFT) + x. */
const ROW_SHIFT = 5;
const CELLS = 20 << ROW_SHIFT;

/** By orientation, `MOST_SQUARES` each: its squares as steps from the number of the top left cell of the bounding box. */
const squareSteps = Int32Array.from(
  blokusOrientations.flatMap(({ cells }) =>
    Array.from({ length: MOST_SQUARES }, (_, i) => {
      const [x, y] = cells[i] ?? [0, 0];
      return (y << ROW_SHIFT) + x;
    }),
  ),
);

/**
 * Plays to the end by a part of a linear policy, which needs no list of moves. The odds of a move are
 *
 *     exp(theta of its piece) min(M, product over its squares of exp(theta of the square - theta of a far square))
 *
 * where a far square has class 0 for all opponents, and is an own open corner if the square is one. M is `MOST_BY_SQUARES`. To
 * the weight of a piece belong those of as many far squares as it has, and of the squares that it lacks. What the policy knows
 * beyond that does not count.
 *
 * Moves are drawn by trial: an open corner, in proportion to a bound of the odds of all placements there; a piece by its odds
 * and the number of its placements; one of these. It is taken if it is legal and a number from [0, 1) is below the ratio of
 * the odds of its squares to the bound (rejection sampling; von Neumann 1951). After some failures a move is drawn from a list
 * of all. So moves have exactly these probabilities. As in `playouts.ts`, a placement counts at the first open corner that it
 * covers.
 */
export class CornerPlayouts {
  readonly #board: BlokusBoard;
  readonly #weights: Float64Array;
  readonly #numbers: FeatureNumbers;
  readonly #placements: NearPlacements;
  readonly #corners: OpenCorners;
  readonly #view: MoverView;
  /** Number of classes of a cell for all opponents together. */
  readonly #classes: number;
  readonly #found: Int32Array;
  readonly #odds: Float64Array;
  /** The weights that the odds were computed from. */
  readonly #knownWeights: Float64Array;
  /** By stage and piece: the odds of the piece, relative to the greatest. */
  readonly #pieceOdds = new Float64Array(STAGES * PIECES);
  /** By kind of a square and stage: the odds of a square, relative to a far one. */
  readonly #squareOdds: Float64Array;
  /** By stage: the greatest of these odds. */
  readonly #most = new Float64Array(STAGES);
  /** By open corner: a bound of the odds that squares give a placement there; and the bounds of the odds of all its placements added up. */
  readonly #bounds: Float64Array;
  readonly #shares: Float64Array;
  /** By cell: the draw that its odds were looked up for, and its odds. */
  readonly #known = new Int32Array(CELLS);
  readonly #cellOdds = new Float64Array(CELLS);
  #draws = 0;
  /** By row: the cells at most four king's steps from one that has a class above 0. */
  readonly #near: Int32Array;
  readonly #spread: Int32Array;

  /** `weights` are theta, in the order of the game's features of moves; their contents are read in each playout. */
  constructor(board: BlokusBoard, weights: Float64Array) {
    const cells = board.size ** 2;
    this.#board = board;
    this.#weights = weights;
    this.#numbers = featureNumbers(board);
    this.#placements = nearPlacements();
    this.#corners = new OpenCorners(board);
    this.#view = new MoverView(board);
    this.#classes = CLASSES ** this.#view.opponents;
    this.#found = new Int32Array(board.actions);
    this.#odds = new Float64Array(board.actions);
    this.#squareOdds = new Float64Array(2 * this.#classes * STAGES);
    this.#knownWeights = new Float64Array(1 + this.#squareOdds.length + PIECES * STAGES).fill(NaN);
    this.#bounds = new Float64Array(cells);
    this.#shares = new Float64Array(cells);
    this.#near = new Int32Array(board.rows);
    this.#spread = new Int32Array(board.rows);
  }

  /** Plays to the end of the game. */
  finish(state: BlokusState, random: Random, recorder?: PlayoutRecorder): void {
    this.#readWeights();
    while (state.toMove >= 0) {
      const action = this.#draw(state, random);
      recorder?.add(state.toMove, action);
      playBlokus(state, this.#board, action);
    }
  }

  /** Computes odds again if the weights have changed. */
  #readWeights(): void {
    const { noSquare, piece, square } = this.#numbers;
    const weights = this.#weights;
    const squares = 2 * this.#classes * STAGES;
    const known = this.#knownWeights;
    let changed = known[0] !== weights[noSquare];
    for (let i = 0; i < squares && !changed; i++) changed = known[1 + i] !== weights[square + i];
    for (let i = 0; i < PIECES * STAGES && !changed; i++)
      changed = known[1 + squares + i] !== weights[piece + i];
    if (!changed) return;
    known[0] = weights[noSquare]!;
    known.set(weights.subarray(square, square + squares), 1);
    known.set(weights.subarray(piece, piece + PIECES * STAGES), 1 + squares);
    this.#most.fill(1);
    for (let i = 0; i < squares; i++) {
      // Of an own open corner, the class for opponents counts; that it is an own one does not.
      const far = i - (i % (this.#classes * STAGES)) + (i % STAGES);
      const odds = Math.exp(within(weights[square + i]! - weights[square + far]!, MOST_OF_SQUARE));
      this.#squareOdds[i] = odds;
      if (odds > this.#most[i % STAGES]!) this.#most[i % STAGES] = odds;
    }
    for (let stage = 0; stage < STAGES; stage++) {
      const logs = Array.from(sizeOfPiece, (size, each) => {
        const far = size * weights[square + stage]! + (MOST_SQUARES - size) * weights[noSquare]!;
        return weights[piece + each * STAGES + stage]! + far;
      });
      const greatest = Math.max(...logs);
      for (const [each, log] of logs.entries())
        this.#pieceOdds[stage * PIECES + each] = Math.exp(within(log - greatest, MOST_OF_PIECE));
    }
  }

  #draw(state: BlokusState, random: Random): number {
    this.#corners.find(state);
    this.#view.look(state);
    this.#draws = (this.#draws + 1) | 0;
    const placement = this.#try(state, random);
    const drawn = placement >= 0 ? placement : this.#drawFromList(state, random);
    return actionAt(this.#board, drawn >> 16, drawn & 255, (drawn >> 8) & 255);
  }

  /** Draws by trial; -1 if nothing was taken. */
  #try(state: BlokusState, random: Random): number {
    const { nodes, starts } = this.#placements;
    const { count, nearby, pieces } = this.#corners;
    const pieceOdds = this.#pieceOdds;
    const shares = this.#shares;
    const hand = state.left[state.toMove]!;
    const ofStage = this.#view.stage * PIECES;
    let placements = 0;
    for (let corner = 0; corner < count; corner++) {
      const around = nearby[corner]!;
      let share = 0;
      for (let rest = hand & pieces[corner]!; rest !== 0; rest &= rest - 1) {
        const piece = 31 - Math.clz32(rest & -rest);
        const here = starts[around + piece + 1]! - starts[around + piece]!;
        placements += here;
        share += here * pieceOdds[ofStage + piece]!;
      }
      shares[corner] = share;
    }
    if (placements <= FEW) return -1;
    this.#findBounds();
    let total = 0;
    for (let corner = 0; corner < count; corner++)
      total += shares[corner] = shares[corner]! * this.#bounds[corner]!;
    for (let trial = 0; trial < TRIALS; trial++) {
      let left = random.float() * total;
      let corner = 0;
      while (corner < count - 1 && left >= shares[corner]!) left -= shares[corner++]!;
      const around = nearby[corner]!;
      // What is left is uniform within the share of the corner: it draws the piece and the placement as well.
      left /= this.#bounds[corner]!;
      for (let rest = hand & pieces[corner]!; rest !== 0; rest &= rest - 1) {
        const piece = 31 - Math.clz32(rest & -rest);
        const odds = pieceOdds[ofStage + piece]!;
        const first = starts[around + piece]!;
        const here = starts[around + piece + 1]! - first;
        if (left >= here * odds) {
          left -= here * odds;
          continue;
        }
        const placement = this.#corners.placementOf(state, corner, nodes[first + Math.floor(left / odds)]!);
        if (placement < 0) break;
        if (random.float() * this.#bounds[corner]! < this.#oddsBySquares(placement)) return placement;
        break;
      }
    }
    return -1;
  }

  #drawFromList(state: BlokusState, random: Random): number {
    const found = this.#found;
    const odds = this.#odds;
    const pieces = this.#view.stage * PIECES;
    const count = this.#corners.list(state, state.left[state.toMove]!, found);
    if (count === 1) return found[0]!;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const piece = pieceOfOrientation[found[i]! >> 16]!;
      total += odds[i] = this.#pieceOdds[pieces + piece]! * this.#oddsBySquares(found[i]!);
    }
    let left = random.float() * total;
    for (let i = 0; i < count - 1; i++) {
      left -= odds[i]!;
      if (left < 0) return found[i]!;
    }
    return found[count - 1]!;
  }

  /** Finds for each open corner a bound of what the squares of a placement there add to the logarithm of its odds. */
  #findBounds(): void {
    const { count, xs, ys } = this.#corners;
    const { stage } = this.#view;
    const most = this.#most[stage]!;
    this.#findNear();
    for (let corner = 0; corner < count; corner++) {
      const x = xs[corner]!;
      const y = ys[corner]!;
      const near = (this.#near[y + BORDER]! >> (x + BORDER)) & 1;
      const others = near === 1 ? most ** (MOST_SQUARES - 1) : 1;
      this.#bounds[corner] = Math.min(MOST_BY_SQUARES, this.#oddsOfCell((y << ROW_SHIFT) + x) * others);
    }
  }

  #findNear(): void {
    const { rows } = this.#board;
    const { opponents, sets } = this.#view;
    const near = this.#near;
    const spread = this.#spread;
    near.fill(0);
    for (let set = 0; set < opponents * WIDE_CORNER; set++)
      for (let row = BORDER; row < rows - BORDER; row++) near[row] = near[row]! | sets[set * rows + row]!;
    for (let row = BORDER; row < rows - BORDER; row++) {
      const one = near[row]! | (near[row]! << 1) | (near[row]! >>> 1);
      const two = one | (one << 1) | (one >>> 1);
      near[row] = two | (two << 2) | (two >>> 2);
    }
    for (let row = 1; row < rows - 1; row++) spread[row] = near[row - 1]! | near[row]! | near[row + 1]!;
    for (let row = 2; row < rows - 2; row++) near[row] = spread[row - 1]! | spread[row]! | spread[row + 1]!;
    for (let row = BORDER; row < rows - BORDER; row++)
      spread[row] = near[row - 2]! | near[row]! | near[row + 2]!;
    near.set(spread);
  }

  /** The odds that the squares of a placement give it. */
  #oddsBySquares(placement: number): number {
    const orientation = placement >> 16;
    const cell = (((placement >> 8) & 255) << ROW_SHIFT) + (placement & 255);
    const size = sizeOfPiece[pieceOfOrientation[orientation]!]!;
    let odds = 1;
    for (let n = orientation * MOST_SQUARES, end = n + size; n < end; n++)
      odds *= this.#oddsOfCell(cell + squareSteps[n]!);
    return Math.min(MOST_BY_SQUARES, odds);
  }

  #oddsOfCell(cell: number): number {
    return this.#known[cell] === this.#draws ? this.#cellOdds[cell]! : this.#findOdds(cell);
  }

  #findOdds(cell: number): number {
    const { rows } = this.#board;
    const { opponents, own, sets, stage } = this.#view;
    const row = (cell >> ROW_SHIFT) + BORDER;
    const x = (cell & ((1 << ROW_SHIFT) - 1)) + BORDER;
    let kind = ((own[row]! >> x) & 1) * this.#classes;
    for (let k = 0, worth = 1, at = row; k < opponents; k++, worth *= CLASSES)
      for (let each = TWO_STEPS; each <= WIDE_CORNER; each++, at += rows)
        kind += ((sets[at]! >> x) & 1) * each * worth;
    this.#known[cell] = this.#draws;
    return (this.#cellOdds[cell] = this.#squareOdds[kind * STAGES + stage]!);
  }
}

function within(log: number, most: number): number {
  return Math.max(-most, Math.min(most, log));
}
