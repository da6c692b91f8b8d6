import { CHANCE, type Game, type IsLegal, OVER, type PassTo } from "../../games/game.ts";
import { type DepthFirstOptions, type Descent, inTurn, type LookAhead } from "./depth-first.ts";
import { numberBelow } from "./next-number.ts";
import { StaticPayoff } from "./static-payoff.ts";
import { AT_LEAST, AT_MOST, EXACT, TranspositionTable } from "./transposition-table.ts";

/** No seat; no move. */
const NONE = -1;

/**
 * The seat that moves at a node. `turns`: the seat whose turn it is. `layers`: alternately the root's seat and one of its
 * opponents, while the other opponents are skipped; this needs `passTo`.
 */
export type Opposition = "turns" | "layers";

/**
 * Alpha-beta (Knuth and Moore 1975) of one seat against all others: the root's seat takes the move that maximises its
 * payoff, and every opponent takes the move that minimises it.
 *
 * A node returns its exact value when this value lies between alpha and beta, otherwise a bound on the same side
 * (fail-soft). A node is also cut if the bounds of the payoff settle its value. In Blokus, for instance, no reply
 * takes placed squares away: the first reply that leaves the root's squares as they are ends its node.
 */
export class AlphaBeta<S> implements LookAhead<S> {
  readonly #game: Game<S>;
  readonly #passTo: PassTo<S> | undefined;
  readonly #isLegal: IsLegal<S> | undefined;
  readonly #descent: Descent<S>;
  readonly #payoff: StaticPayoff<S>;
  readonly #pruning: DepthFirstOptions["pruning"];
  readonly #table: TranspositionTable<S> | undefined;
  readonly #layers: boolean;
  readonly #found = new Float64Array(1);
  /** Killer moves by level: the last move that ended a node of the root's seat, and of its opponents. */
  readonly #ownKillers: number[] = [];
  readonly #othersKillers: number[] = [];
  #root = 0;

  constructor(descent: Descent<S>, options: DepthFirstOptions, opposition: Opposition) {
    const { game } = descent;
    this.#game = game;
    this.#passTo = game.search?.passTo;
    this.#isLegal = game.depthFirst?.isLegal;
    this.#descent = descent;
    this.#payoff = new StaticPayoff(game, options.value, options.payoff);
    this.#pruning = options.pruning;
    this.#table = TranspositionTable.open(game, options.table, 1);
    this.#layers = opposition === "layers";
  }

  begin(state: S): void {
    this.#root = this.#game.toMove(state);
    this.#table?.clear();
    this.#ownKillers.length = 0;
    this.#othersKillers.length = 0;
  }

  look(
    state: S,
    depth: number,
    actions: Int32Array,
    count: number,
    actionValues: Float64Array,
    values: Float64Array,
  ): number {
    const game = this.#game;
    const descent = this.#descent;
    const first = actions.subarray(0, count).indexOf(this.#actionOf(descent.expected(0)));
    const child = descent.level(1).state;
    let best = -Infinity;
    let bestIndex = NONE;
    for (let t = 0; t < count; t++) {
      const index = inTurn(t, first);
      game.copy(state, child);
      game.play(child, actions[index]!);
      // A move that comes before the best in order wins with an equal value, so its window opens one number lower.
      const alpha = this.#pruning !== "full" ? -Infinity : index < bestIndex ? numberBelow(best) : best;
      const actionValue = this.#value(1, depth - 1, alpha, Infinity, false);
      descent.leaveLine();
      actionValues[index] = actionValue;
      if (actionValue > best || (actionValue === best && index < bestIndex)) {
        best = actionValue;
        bestIndex = index;
        descent.setLine(0, this.#moveOf(this.#root, actions[index]!));
      }
    }
    values.fill(0);
    values[this.#root] = best;
    // If no payoff was a number, the first.
    return Math.max(0, bestIndex);
  }

  /**
   * The payoff of the root's seat at the position of a level. `due` counts in layers only: true if the root's seat
   * moves next, false if one of its opponents does.
   */
  #value(number: number, plies: number, alpha: number, beta: number, due: boolean): number {
    const game = this.#game;
    const descent = this.#descent;
    const level = descent.level(number);
    const { state } = level;
    descent.visit();
    level.line.length = 0;
    const toMove = game.toMove(state);
    if (toMove === OVER || plies === 0) {
      if (toMove !== OVER) descent.limited = true;
      this.#payoff.write(state, level.values);
      return level.values[this.#root]!;
    }
    if (toMove === CHANCE) return this.#mean(number, plies, due);
    const root = this.#root;
    const payoff = this.#payoff;
    let maximising = this.#layers ? due : toMove === root;
    if (plies === 1 && payoff.foresees && this.#pruning !== "none") {
      descent.limited = true;
      return this.#last(level, maximising);
    }
    if (this.#layers) {
      // A layer in which no seat can move is skipped without costing depth. The game is not over, so the other layer can
      // move.
      if (due) maximising = this.#passTo!(state, root);
      else if (!this.#anyOpponent(state, level.passed)) maximising = this.#passTo!(state, root);
    }

    let least = -Infinity;
    let most = Infinity;
    if (this.#pruning !== "none" && payoff.bounded) {
      const movers = maximising ? 1 << root : this.#layers ? ~(1 << root) : 1 << toMove;
      payoff.look(state, plies, movers, !this.#layers);
      least = payoff.least(root);
      most = payoff.most(root);
      if (least >= beta) {
        descent.limited ||= !payoff.leastLasts;
        return least;
      }
      if (most <= alpha) {
        descent.limited ||= !payoff.mostLasts;
        return most;
      }
      if (least === most) {
        descent.limited ||= !payoff.leastLasts || !payoff.mostLasts;
        return least;
      }
    }

    const table = this.#table;
    let place = NONE;
    let hint = descent.expected(number);
    if (table !== undefined) {
      place = table.place(state, this.#layers && maximising ? 1 : 0);
      if (table.holds(place)) {
        if (table.plies(place) === plies) {
          const value = table.value(place);
          const kind = table.kind(place);
          if (
            kind === EXACT ||
            (kind === AT_LEAST && value >= beta) ||
            (kind === AT_MOST && value <= alpha)
          ) {
            if (table.limited(place)) descent.limited = true;
            return value;
          }
        }
        if (hint === NONE) hint = table.move(place);
      }
      table.key(level.key);
    }

    // The move that ended the last node of this level may end this one too.
    const killers = maximising ? this.#ownKillers : this.#othersKillers;
    if (hint === NONE) hint = killers[number] ?? NONE;

    const before = descent.limited;
    descent.limited = false;
    let best = maximising ? -Infinity : Infinity;
    let low = alpha;
    let high = beta;
    let bestMove = NONE;
    const seats = this.#layers && !maximising ? game.players : 1;
    const hintSeat = hint === NONE ? NONE : this.#seatOf(hint);
    const hinted = this.#actionOf(hint);
    const child = descent.level(number + 1).state;
    search: for (let s = 0; s < seats; s++) {
      let from = state;
      let seat = maximising ? root : toMove;
      if (seats > 1) {
        // The seat of the move to be tried first comes first, then the others in turn order.
        seat = (root + inTurn(s, hintSeat === NONE ? NONE : (hintSeat - root + seats) % seats)) % seats;
        if (seat === root) continue;
        from = level.passed;
        game.copy(state, from);
        if (!this.#passTo!(from, seat)) continue;
      }
      // If the game knows that the hinted move is legal, the other moves are listed only if that move does not end the
      // node.
      const early = hintSeat === seat && this.#isLegal?.(from, hinted) === true;
      let count = 1;
      let first = NONE;
      for (let t = early ? -1 : 0; t < count; t++) {
        if (t === 0) {
          count = game.legal(from, level.actions);
          descent.order.sort(level.actions, count);
          if (hintSeat === seat) first = indexOf(level.actions, count, hinted);
          // The hinted move has been searched already.
          if (early && first !== NONE) continue;
        }
        const action = t < 0 ? hinted : level.actions[inTurn(t, first)]!;
        game.copy(from, child);
        game.play(child, action);
        const value = this.#value(number + 1, plies - 1, low, high, !maximising);
        descent.leaveLine();
        if (maximising ? value > best : value < best) {
          best = value;
          bestMove = this.#moveOf(seat, action);
          descent.setLine(number, bestMove);
          if (maximising && best > low) low = best;
          if (!maximising && best < high) high = best;
        }
        if (this.#pruning === "none") continue;
        const settled = maximising ? best >= most : best <= least;
        if (settled) descent.limited ||= !(maximising ? payoff.mostLasts : payoff.leastLasts);
        if (settled || low >= high) {
          killers[number] = bestMove;
          break search;
        }
      }
    }
    if (table !== undefined) {
      const kind = best <= alpha ? AT_MOST : best >= beta ? AT_LEAST : EXACT;
      this.#found[0] = best;
      table.store(place, level.key, plies, kind, descent.limited, bestMove, this.#found);
    }
    descent.limited ||= before;
    return best;
  }

  /**
   * The payoff of the root's seat after the last move before the horizon. The payoff knows the best move without
   * playing any: it is best for the mover, and it is worst for the others or does not change their payoff.
   */
  #last(
    { state, values }: { readonly state: S; readonly values: Float64Array },
    maximising: boolean,
  ): number {
    const root = this.#root;
    const payoff = this.#payoff;
    if (maximising && payoff.writeBest(state, root, values)) return values[root]!;
    let least = Infinity;
    if (this.#layers) {
      for (let seat = 0; seat < payoff.players; seat++)
        if (seat !== root && payoff.writeBest(state, seat, values)) least = Math.min(least, values[root]!);
      // A layer in which no seat can move is skipped, as in `#value`.
      if (least < Infinity) return least;
    }
    payoff.writeBest(state, this.#game.toMove(state), values);
    return values[root]!;
  }

  /** The mean over the outcomes of a chance node, each searched with a full window. A chance node costs no depth. */
  #mean(number: number, plies: number, due: boolean): number {
    const game = this.#game;
    const descent = this.#descent;
    const { state, actions, probabilities, line } = descent.level(number);
    const child = descent.level(number + 1).state;
    const count = game.chance!.outcomes(state, actions, probabilities);
    let mean = 0;
    for (let i = 0; i < count; i++) {
      game.copy(state, child);
      game.play(child, actions[i]!);
      mean += probabilities[i]! * this.#value(number + 1, plies, -Infinity, Infinity, due);
    }
    // The outcome of chance is unknown, so the principal variation ends here.
    line.length = 0;
    return mean;
  }

  #anyOpponent(state: S, passed: S): boolean {
    const game = this.#game;
    const toMove = game.toMove(state);
    if (toMove !== this.#root) return true;
    game.copy(state, passed);
    for (let seat = 0; seat < game.players; seat++)
      if (seat !== this.#root && this.#passTo!(passed, seat)) return true;
    return false;
  }

  /** A seat's action as one number. */
  #moveOf(seat: number, action: number): number {
    return seat * this.#game.actions + action;
  }

  #seatOf(move: number): number {
    return Math.floor(move / this.#game.actions);
  }

  #actionOf(move: number): number {
    return move === NONE ? NONE : move % this.#game.actions;
  }
}

function indexOf(actions: Int32Array, count: number, action: number): number {
  for (let i = 0; i < count; i++) if (actions[i] === action) return i;
  return NONE;
}
