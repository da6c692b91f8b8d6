import { OVER, type PlayoutRecorder } from "../../game.ts";
import type { Random } from "../../../random.ts";
import { EMPTY, type GoBoard, neighbour } from "../board.ts";
import { LocalFeatures } from "./local-features.ts";
import { moveFeatureNumbers } from "./move-feature-numbers.ts";
import type { GoRules } from "../options.ts";
import { OPPONENT, OUTSIDE, OWN, type Patterns, patterns } from "./patterns.ts";
import { playGo } from "../play.ts";
import { CAP } from "../playouts/playouts.ts";
import type { GoState } from "../state.ts";

/** Weights of patterns beyond this count as this, and the product of odds stays finite and above 0. */
const MOST_PATTERN_WEIGHT = 200;
/** Likewise of the other features. */
const MOST_LOCAL_WEIGHT = 50;

/**
 * Plays to the end of a game by a linear softmax policy: a move with features phi has the odds exp(theta . phi) among the
 * moves that fill no own eye and that simple ko and the ban of suicide allow. A pass is played if there is no such move.
 *
 * The pattern around a point changes only where stones come, go, or get another number of liberties. So the odds by
 * patterns of all points are kept from move to move, for both seats, and their sums by row. The other features belong to
 * few points, which are looked up at every move (Silver et al. 2016: "incrementally computed").
 *
 * A move is drawn by one number from [0, 1) times the sum of all odds: row by row from the top, then point by point from
 * the left. A single move takes no random number. A ladder is read only if its move is drawn: until then the move has
 * its odds with or without the ladder, the greater of the two. It is then taken if another number from [0, 1) is below the
 * ratio of the odds that are read to these; else it keeps the odds that are read, and a move is drawn again. So moves have
 * the probabilities of the policy (rejection sampling; von Neumann 1951). If the number is below the ratio whatever a
 * reading would give, nothing is read.
 */
export class PolicyPlayouts {
  readonly #rules: GoRules;
  readonly #board: GoBoard;
  readonly #patterns: Patterns;
  readonly #odds: OddsOfFeatures;
  readonly #local: LocalFeatures;
  /** The feature `response`. */
  readonly #response = moveFeatureNumbers().response;
  /** By cell: what is on it, as in the rings of patterns; stones of Black count as own, those of White as the opponent's. */
  readonly #classes: Uint8Array;
  /** By cell: the two halves of the ring around it, in the code of patterns, kept up to date with the classes. */
  readonly #lower: Int16Array;
  readonly #upper: Int16Array;
  readonly #rowOf: Uint8Array;
  /** What follows is by seat, then by cell or row: odds by pattern, odds by all features, and sums of these. */
  readonly #patternOdds: Float64Array;
  readonly #allOdds: Float64Array;
  readonly #sums: Float64Array;
  /** By seat: the rows whose sum is out of date, one bit each, and the number of points with odds above 0. */
  readonly #staleRows = new Int32Array(2);
  readonly #candidates = new Int32Array(2);
  /** By cell: the seats whose odds there are out of date, one bit each; and lists of these cells by seat. */
  readonly #stale: Uint8Array;
  readonly #staleCells: Int16Array;
  readonly #staleCount = new Int32Array(2);
  /** By seat: the cells where odds by all features differ from those by pattern. */
  readonly #touched: Int16Array;
  readonly #touchedCount = new Int32Array(2);
  /** By cell: above 0 if its move may be a ladder that has not been read, with a bit for either slot of ladders. */
  readonly #open: Uint8Array;

  /** `weights` are theta, in the order of the game's features of moves; their current contents count at every move. */
  constructor(rules: GoRules, weights: Float64Array) {
    const { board } = rules;
    const { cells, pointOf, size } = board;
    this.#rules = rules;
    this.#board = board;
    this.#patterns = patterns();
    this.#odds = new OddsOfFeatures(weights, this.#patterns);
    this.#local = new LocalFeatures(board, moveFeatureNumbers());
    this.#classes = new Uint8Array(cells).fill(OUTSIDE);
    this.#lower = new Int16Array(cells);
    this.#upper = new Int16Array(cells);
    this.#rowOf = Uint8Array.from(pointOf, (point) => Math.max(0, Math.floor(point / size)));
    this.#patternOdds = new Float64Array(2 * cells);
    this.#allOdds = new Float64Array(2 * cells);
    this.#sums = new Float64Array(2 * size);
    this.#stale = new Uint8Array(cells);
    this.#staleCells = new Int16Array(2 * cells);
    this.#open = new Uint8Array(cells);
    this.#touched = new Int16Array(2 * this.#local.cells.length);
  }

  /** Plays to the end of the game, or for `CAP` plies a point; then the present position counts. */
  finish(state: GoState, random: Random, recorder?: PlayoutRecorder): void {
    const { pass, pointOf, points } = this.#board;
    this.#begin(state);
    const end = state.plies + CAP * points;
    while (state.toMove !== OVER) {
      const mover = state.toMove;
      const cell = this.#draw(state, random);
      const action = cell === 0 ? pass : pointOf[cell]!;
      recorder?.add(mover, action);
      playGo(state, this.#rules, action);
      if (cell !== 0) this.#follow(state, cell, mover);
      if (state.plies === end) state.toMove = OVER;
    }
  }

  #begin(state: GoState): void {
    const { cells, points, cellOf } = this.#board;
    this.#odds.refresh();
    this.#readBoard(state);
    this.#patternOdds.fill(0);
    this.#allOdds.fill(0);
    this.#staleRows.fill(-1);
    this.#candidates.fill(0);
    this.#touchedCount.fill(0);
    this.#stale.fill(3);
    for (let point = 0; point < points; point++) {
      this.#staleCells[point] = cellOf[point]!;
      this.#staleCells[cells + point] = cellOf[point]!;
    }
    this.#staleCount.fill(points);
  }

  /** Notes what is on all points, and the rings around them. */
  #readBoard(state: GoState): void {
    const { points, cellOf, stride } = this.#board;
    const classes = this.#classes;
    for (let point = 0; point < points; point++) {
      const cell = cellOf[point]!;
      classes[cell] = state.colour[cell] === EMPTY ? 0 : classOfChain(state, state.head[cell]!);
    }
    for (let point = 0; point < points; point++) {
      const cell = cellOf[point]!;
      this.#lower[cell] =
        classes[cell - stride - 1]! |
        (classes[cell - stride]! << 3) |
        (classes[cell - stride + 1]! << 6) |
        (classes[cell + 1]! << 9);
      this.#upper[cell] =
        classes[cell + stride + 1]! |
        (classes[cell + stride]! << 3) |
        (classes[cell + stride - 1]! << 6) |
        (classes[cell - 1]! << 9);
    }
  }

  /** Brings what is kept up to date after a stone of `mover` on a cell. */
  #follow(state: GoState, cell: number, mover: number): void {
    const { stride } = this.#board;
    const { colour, head, next, history, plies } = state;
    const from = plies === 1 ? 0 : history.capturedEnd[plies - 2]!;
    const end = history.capturedEnd[plies - 1]!;
    this.#touch(cell);
    for (let i = from; i < end; i++) {
      this.#setClass(history.captured[i]!, 0);
      this.#touch(history.captured[i]!);
    }
    // Chains of the side that captured have new liberties.
    for (let i = from; i < end; i++)
      for (let side = 0; side < 4; side++) {
        const beside = neighbour(history.captured[i]!, side, stride);
        if (colour[beside] === mover + 1) this.#setChain(state, head[beside]!);
      }
    for (let side = 0; side < 4; side++) {
      const beside = neighbour(cell, side, stride);
      if (colour[beside] === 2 - mover) this.#setChain(state, head[beside]!);
    }
    const now = classOfChain(state, head[cell]!);
    let stone = cell;
    do {
      if (this.#classes[stone] !== now) this.#setClass(stone, now);
      stone = next[stone]!;
    } while (stone !== cell);
  }

  /** Notes the number of liberties of a chain whose stones all have the class that they had. */
  #setChain(state: GoState, chain: number): void {
    const now = classOfChain(state, chain);
    if (this.#classes[chain] === now) return;
    let stone = chain;
    do {
      this.#setClass(stone, now);
      stone = state.next[stone]!;
    } while (stone !== chain);
  }

  /** Notes what is on a cell; the odds of the points around it are then out of date. */
  #setClass(cell: number, now: number): void {
    const { stride } = this.#board;
    const change = this.#classes[cell]! ^ now;
    const lower = this.#lower;
    const upper = this.#upper;
    this.#classes[cell] = now;
    lower[cell + stride + 1]! ^= change;
    lower[cell + stride]! ^= change << 3;
    lower[cell + stride - 1]! ^= change << 6;
    lower[cell - 1]! ^= change << 9;
    upper[cell - stride - 1]! ^= change;
    upper[cell - stride]! ^= change << 3;
    upper[cell - stride + 1]! ^= change << 6;
    upper[cell + 1]! ^= change << 9;
    this.#touch(cell - stride - 1);
    this.#touch(cell - stride);
    this.#touch(cell - stride + 1);
    this.#touch(cell - 1);
    this.#touch(cell + 1);
    this.#touch(cell + stride - 1);
    this.#touch(cell + stride);
    this.#touch(cell + stride + 1);
  }

  /** The odds of an empty cell are out of date for both seats. */
  #touch(cell: number): void {
    const stale = this.#stale[cell]!;
    if (stale === 3 || this.#classes[cell] !== 0) return;
    this.#stale[cell] = 3;
    if ((stale & 1) === 0) this.#staleCells[this.#staleCount[0]!++] = cell;
    if ((stale & 2) === 0) this.#staleCells[this.#board.cells + this.#staleCount[1]!++] = cell;
  }

  /** Draws the cell of a move, or 0 for a pass. */
  #draw(state: GoState, random: Random): number {
    const { toMove, ko } = state;
    const { cells } = this.#board;
    this.#leaveLocal(toMove);
    this.#updatePatterns(state);
    this.#applyLocal(state);
    this.#applyBounds(toMove);
    let candidates = this.#candidates[toMove]!;
    if (ko !== 0 && this.#allOdds[toMove * cells + ko]! > 0) {
      candidates--;
      this.#setOdds(toMove, ko, 0);
    }
    if (candidates === 0) return 0;
    if (candidates === 1) {
      this.#sumRows(toMove);
      return this.#cellAt(toMove, 0);
    }
    for (;;) {
      const cell = this.#drawByOdds(toMove, random);
      if (this.#open[cell] === 0) return cell;
      const drawn = random.float();
      if (drawn < this.#leastShare(cell) || drawn < this.#readLadders(state, cell)) return cell;
    }
  }

  #drawByOdds(seat: number, random: Random): number {
    const { size } = this.#board;
    this.#sumRows(seat);
    const sums = this.#sums;
    let total = 0;
    for (let row = seat * size, last = row + size; row < last; row++) total += sums[row]!;
    return this.#cellAt(seat, random.float() * total);
  }

  /** Takes back what local features changed at the seat's last move. */
  #leaveLocal(seat: number): void {
    const first = seat * this.#local.cells.length;
    const base = seat * this.#board.cells;
    for (let i = first, end = first + this.#touchedCount[seat]!; i < end; i++) {
      const cell = this.#touched[i]!;
      this.#allOdds[base + cell] = this.#patternOdds[base + cell]!;
      this.#staleRows[seat]! |= 1 << this.#rowOf[cell]!;
    }
    this.#touchedCount[seat] = 0;
  }

  /** Brings the mover's odds by patterns up to date. */
  #updatePatterns({ colour, toMove }: GoState): void {
    const base = toMove * this.#board.cells;
    const bit = 1 << toMove;
    for (let i = base, end = base + this.#staleCount[toMove]!; i < end; i++) {
      const cell = this.#staleCells[i]!;
      this.#stale[cell]! ^= bit;
      const now = colour[cell] === EMPTY ? this.#oddsOfPattern(cell, toMove) : 0;
      const before = this.#patternOdds[base + cell]!;
      if (now === before) continue;
      this.#candidates[toMove]! += (now > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
      this.#patternOdds[base + cell] = now;
      this.#allOdds[base + cell] = now;
      this.#staleRows[toMove]! |= 1 << this.#rowOf[cell]!;
    }
    this.#staleCount[toMove] = 0;
  }

  #oddsOfPattern(cell: number, seat: number): number {
    const { rows, swapped, width, numbers } = this.#patterns;
    const view = seat === 0 ? rows : swapped;
    return this.#odds.ofPattern(numbers[view[this.#lower[cell]!]! * width + view[this.#upper[cell]!]!]!);
  }

  /** Multiplies the mover's odds by those of local features. */
  #applyLocal(state: GoState): void {
    const local = this.#local;
    const { toMove } = state;
    local.find(state);
    const base = toMove * this.#board.cells;
    const response = this.#odds.ofLocal(this.#response);
    for (let i = 0; i < local.responseCount; i++) {
      const cell = local.responseCells[i]!;
      const odds = this.#allOdds[base + cell]!;
      if (odds === 0) continue;
      const pattern = this.#odds.ofLocal(local.responsePatterns[i]!);
      const neighbour = this.#odds.ofLocal(local.responseNeighbours[i]!);
      this.#setOdds(toMove, cell, odds * response * pattern * neighbour);
    }
    for (let i = 0; i < local.count; i++) {
      const cell = local.cells[i]!;
      const odds = this.#allOdds[base + cell]!;
      if (odds > 0) this.#setOdds(toMove, cell, odds * this.#odds.ofLocal(local.features[i]!));
    }
  }

  /** Multiplies the mover's odds by the most that ladders can give. */
  #applyBounds(seat: number): void {
    const { openCells, openSlots, openFeatures, openCount } = this.#local;
    const base = seat * this.#board.cells;
    const open = this.#open;
    open.fill(0);
    for (let i = 0; i < openCount; i++) {
      const cell = openCells[i]!;
      const bit = 1 << (openSlots[i]! & 1);
      if ((open[cell]! & bit) !== 0) continue;
      open[cell]! |= bit;
      const odds = this.#odds.ofLocal(openFeatures[i]!);
      if (odds > 1 && this.#allOdds[base + cell]! > 0)
        this.#setOdds(seat, cell, this.#allOdds[base + cell]! * odds);
    }
  }

  /** The least that the ladders of a move can leave of its odds, as a share of those before. */
  #leastShare(cell: number): number {
    const { openCells, openSlots, openFeatures, openCount } = this.#local;
    let share = 1;
    let slots = 0;
    for (let i = 0; i < openCount; i++) {
      const bit = 1 << (openSlots[i]! & 1);
      if (openCells[i] !== cell || (slots & bit) !== 0) continue;
      slots |= bit;
      const odds = this.#odds.ofLocal(openFeatures[i]!);
      share *= odds > 1 ? 1 / odds : odds;
    }
    return share;
  }

  /** Reads the ladders of a move; sets its odds, and returns them as a share of those before. */
  #readLadders(state: GoState, cell: number): number {
    const local = this.#local;
    const { openCells, openSlots, openFeatures, openCount } = local;
    let share = 1;
    for (let slot = 0; slot < 2; slot++) {
      let feature = 0;
      let found = false;
      for (let i = 0; i < openCount && !found; i++) {
        if (openCells[i] !== cell || (openSlots[i]! & 1) !== slot) continue;
        feature = openFeatures[i]!;
        found = local.isLadder(state, i);
      }
      if (feature === 0) continue;
      const odds = this.#odds.ofLocal(feature);
      share *= (found ? odds : 1) / Math.max(1, odds);
    }
    this.#open[cell] = 0;
    if (share < 1)
      this.#setOdds(state.toMove, cell, this.#allOdds[state.toMove * this.#board.cells + cell]! * share);
    return share;
  }

  /** Sets the odds of a cell for this move alone. */
  #setOdds(seat: number, cell: number, odds: number): void {
    this.#touched[seat * this.#local.cells.length + this.#touchedCount[seat]!++] = cell;
    this.#allOdds[seat * this.#board.cells + cell] = odds;
    this.#staleRows[seat]! |= 1 << this.#rowOf[cell]!;
  }

  #sumRows(seat: number): void {
    const { cells, size, stride } = this.#board;
    let stale = this.#staleRows[seat]!;
    for (let row = 0; row < size; row++, stale >>= 1) {
      if ((stale & 1) === 0) continue;
      let sum = 0;
      const first = seat * cells + (row + 1) * stride + 1;
      for (let at = first; at < first + size; at++) sum += this.#allOdds[at]!;
      this.#sums[seat * size + row] = sum;
    }
    this.#staleRows[seat] = 0;
  }

  /** The cell that a share of the sum of all odds falls on; the last one with odds if rounding leads beyond it. */
  #cellAt(seat: number, share: number): number {
    const { cells, size, stride } = this.#board;
    let left = share;
    let row = -1;
    for (let next = 0; next < size; next++) {
      const sum = this.#sums[seat * size + next]!;
      if (sum === 0) continue;
      if (row >= 0) left -= this.#sums[seat * size + row]!;
      row = next;
      if (left < sum) break;
    }
    const first = (row + 1) * stride + 1;
    let chosen = 0;
    for (let cell = first; cell < first + size; cell++) {
      const odds = this.#allOdds[seat * cells + cell]!;
      if (odds === 0) continue;
      chosen = cell;
      if (left < odds) break;
      left -= odds;
    }
    return chosen;
  }
}

/** What a stone of a chain is in the ring of a point. */
function classOfChain({ colour, liberties }: GoState, chain: number): number {
  return (colour[chain] === 1 ? OWN : OPPONENT) + Math.min(3, liberties[chain]!);
}

/**
 * The odds that features give: exp of their weights, or 0 for a pattern where a move may not be played. A slot without a
 * feature counts nothing, so the weight of `nothing` is taken off the weights of features that fill a slot. The odds of a
 * feature are computed when a playout first asks for them.
 */
class OddsOfFeatures {
  readonly #weights: Float64Array;
  readonly #pattern: number;
  readonly #playable: Uint8Array;
  #nothing = 0;
  /** The number of the present playout. */
  #playout = 0;
  /** By feature: the playout that its odds were computed in, and the odds. They lie side by side, in one line of a cache. */
  readonly #known: Float64Array;

  constructor(weights: Float64Array, { playable }: Patterns) {
    this.#weights = weights;
    this.#pattern = moveFeatureNumbers().pattern;
    this.#playable = playable;
    this.#known = new Float64Array(2 * weights.length);
  }

  /** Begins a playout: weights are read again. */
  refresh(): void {
    this.#playout++;
    this.#nothing = this.#weights[moveFeatureNumbers().nothing]!;
  }

  ofPattern(pattern: number): number {
    const at = 2 * (this.#pattern + pattern);
    return this.#known[at] === this.#playout ? this.#known[at + 1]! : this.#readPattern(pattern);
  }

  #readPattern(pattern: number): number {
    const feature = this.#pattern + pattern;
    const weight = within(this.#weights[feature]!, MOST_PATTERN_WEIGHT);
    return this.#keep(feature, this.#playable[pattern] === 0 ? 0 : Math.exp(weight));
  }

  ofLocal(feature: number): number {
    const at = 2 * feature;
    return this.#known[at] === this.#playout ? this.#known[at + 1]! : this.#readLocal(feature);
  }

  #readLocal(feature: number): number {
    return this.#keep(feature, Math.exp(within(this.#weights[feature]! - this.#nothing, MOST_LOCAL_WEIGHT)));
  }

  #keep(feature: number, odds: number): number {
    this.#known[2 * feature] = this.#playout;
    this.#known[2 * feature + 1] = odds;
    return odds;
  }
}

function within(weight: number, most: number): number {
  return Math.max(-most, Math.min(most, weight));
}
