import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { SearchDefinition } from "../definition.ts";
import {
  DepthFirst,
  type DepthFirstOptions,
  depthFirstOptions,
  type Descent,
  inTurn,
  type LookAhead,
} from "./depth-first.ts";
import { StaticPayoff, staticPayoffBounds, unknownValue } from "./static-payoff.ts";
import { EXACT, TranspositionTable } from "./transposition-table.ts";

const NONE = -1;

/**
 * Max-n (Luckhardt and Irani 1986): at every node the mover takes the move whose payoff vector is best for itself. Of
 * equal moves it takes the first in the order of moves. The vector of that move is the value of the node.
 *
 * Shallow pruning (Korf 1991): player i moves to a node of player j, and j has found a payoff x_j there. If S bounds
 * the sum of all payoffs, i can get at most S - x_j - the least payoffs of the other players. Once this cannot beat
 * what i already has, the node is left. Only the parent of a node may cut it: deeper cuts are unsound for three or more
 * players. Equal payoffs go to the first move in order, so a move that was tried out of order is cut only by a strictly
 * smaller payoff.
 */
class MaxN<S> implements LookAhead<S> {
  readonly #game: Game<S>;
  readonly #descent: Descent<S>;
  readonly #payoff: StaticPayoff<S>;
  readonly #pruning: DepthFirstOptions["pruning"];
  readonly #table: TranspositionTable<S> | undefined;

  constructor(descent: Descent<S>, options: DepthFirstOptions) {
    const { game } = descent;
    this.#game = game;
    this.#descent = descent;
    this.#payoff = new StaticPayoff(game, options.value, options.payoff);
    this.#pruning = options.pruning;
    this.#table = TranspositionTable.open(game, options.table, game.players);
  }

  begin(): void {
    this.#table?.clear();
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
    const mover = game.toMove(state);
    const expected = actions.subarray(0, count).indexOf(descent.expected(0));
    const child = descent.level(1);
    let best = -Infinity;
    let bestIndex = NONE;
    for (let t = 0; t < count; t++) {
      const index = inTurn(t, expected);
      game.copy(state, child.state);
      game.play(child.state, actions[index]!);
      const settled = this.#settled(child.state, depth - 1, mover);
      if (settled !== undefined && !betters(settled, best, index < bestIndex)) {
        actionValues[index] = settled;
        descent.limited = true;
        continue;
      }
      const found =
        this.#pruning === "full"
          ? this.#value(1, depth - 1, mover, best, index < bestIndex)
          : this.#value(1, depth - 1, NONE, -Infinity, true);
      descent.leaveLine();
      // The value of a move that was cut is at most that of the best move.
      const actionValue = found ? child.values[mover]! : best;
      actionValues[index] = actionValue;
      if (found && (actionValue > best || (actionValue === best && index < bestIndex))) {
        best = actionValue;
        bestIndex = index;
        values.set(child.values);
        descent.setLine(0, actions[index]!);
      }
    }
    if (bestIndex !== NONE) return bestIndex;
    // No payoff was a number.
    values.fill(NaN);
    return 0;
  }

  /** The payoff of a seat after some plies, if the bounds leave only one possibility; else undefined. */
  #settled(state: S, plies: number, seat: number): number | undefined {
    const payoff = this.#payoff;
    const toMove = this.#game.toMove(state);
    if (this.#pruning === "none" || !payoff.bounded || plies === 0 || toMove < 0) return undefined;
    payoff.look(state, plies, 1 << toMove, true);
    const least = payoff.least(seat);
    return least === payoff.most(seat) ? least : undefined;
  }

  /**
   * Writes the payoffs of a level's position into its values and returns true. Returns false, without payoffs, as soon
   * as it is certain that `parent` will not move here: it already has a payoff of `reached`. With `ties` it also moves
   * here for an equal payoff.
   */
  #value(number: number, plies: number, parent: number, reached: number, ties: boolean): boolean {
    const game = this.#game;
    const descent = this.#descent;
    const level = descent.level(number);
    const { state, values } = level;
    descent.visit();
    level.line.length = 0;
    const mover = game.toMove(state);
    if (mover === OVER || plies === 0) {
      if (mover !== OVER) descent.limited = true;
      this.#payoff.write(state, values);
      return true;
    }
    if (mover === CHANCE) {
      this.#mean(number, plies);
      return true;
    }

    const payoff = this.#payoff;
    if (plies === 1 && payoff.foresees && this.#pruning !== "none") {
      // All moves that are best for the mover lead to the same payoffs.
      payoff.writeBest(state, mover, values);
      descent.limited = true;
      return true;
    }
    const table = this.#table;
    let place = NONE;
    let hint = descent.expected(number);
    if (table !== undefined) {
      place = table.place(state, 0);
      if (table.holds(place)) {
        if (table.plies(place) === plies) {
          for (let seat = 0; seat < values.length; seat++) values[seat] = table.value(place, seat);
          if (table.limited(place)) descent.limited = true;
          return true;
        }
        if (hint === NONE) hint = table.move(place);
      }
      table.key(level.key);
    }

    let most = Infinity;
    /** The parent's greatest possible payoff here is this number minus the mover's payoff. */
    let shared = Infinity;
    if (this.#pruning !== "none" && payoff.bounded) {
      payoff.look(state, plies, 1 << mover, true);
      most = payoff.most(mover);
      if (parent !== NONE && !betters(payoff.most(parent), reached, ties)) {
        descent.limited ||= !payoff.mostLasts;
        return false;
      }
      if (parent !== NONE && parent !== mover && payoff.sumBounded) {
        shared = payoff.mostSum();
        for (let seat = 0; seat < values.length; seat++)
          if (seat !== parent && seat !== mover) shared -= payoff.least(seat);
      }
    }

    const before = descent.limited;
    descent.limited = false;
    const child = descent.level(number + 1);
    const count = game.legal(state, level.actions);
    descent.order.sort(level.actions, count);
    const expected = hint === NONE ? NONE : level.actions.subarray(0, count).indexOf(hint);
    let best = -Infinity;
    let bestIndex = NONE;
    let left = false;
    for (let t = 0; t < count; t++) {
      const index = inTurn(t, expected);
      if (!betters(most, best, index < bestIndex)) {
        descent.limited ||= !payoff.mostLasts;
        continue;
      }
      game.copy(state, child.state);
      game.play(child.state, level.actions[index]!);
      const found = this.#value(number + 1, plies - 1, mover, best, index < bestIndex);
      descent.leaveLine();
      if (!found || !betters(child.values[mover]!, best, index < bestIndex)) continue;
      best = child.values[mover]!;
      bestIndex = index;
      values.set(child.values);
      descent.setLine(number, level.actions[index]!);
      if (!betters(shared - best, reached, ties)) {
        descent.limited = true;
        left = true;
        break;
      }
    }
    if (table !== undefined && !left)
      table.store(place, level.key, plies, EXACT, descent.limited, level.actions[bestIndex]!, values);
    descent.limited ||= before;
    return !left;
  }

  /** The mean over the outcomes of a chance node, each searched without bounds. A chance node costs no depth. */
  #mean(number: number, plies: number): void {
    const game = this.#game;
    const descent = this.#descent;
    const { state, actions, probabilities, values, line } = descent.level(number);
    const child = descent.level(number + 1);
    const count = game.chance!.outcomes(state, actions, probabilities);
    values.fill(0);
    for (let i = 0; i < count; i++) {
      game.copy(state, child.state);
      game.play(child.state, actions[i]!);
      this.#value(number + 1, plies, NONE, -Infinity, true);
      for (let seat = 0; seat < values.length; seat++)
        values[seat]! += probabilities[i]! * child.values[seat]!;
    }
    // The outcome of chance is unknown, so the principal variation ends here.
    line.length = 0;
  }
}

/** Whether a payoff beats the one reached: it is greater, or equal and wins ties. */
function betters(payoff: number, reached: number, tie: boolean): boolean {
  return payoff > reached || (tie && payoff === reached);
}

/** Depth-first search for any number of players: see `MaxN`. */
export const maxN: SearchDefinition<typeof depthFirstOptions> = {
  name: "max-n",
  description:
    "Depth-first search in which every player maximises its own payoff; shallow pruning. Needs no net.",
  options: depthFirstOptions,
  needs: { value: false, policy: false },
  best: "value",
  analysis: { pruning: "inner" },
  unsuited: (game, { value }) => unknownValue(game, value),
  valueBounds: (game, { payoff, value }) => staticPayoffBounds(game, value, payoff),
  create: (game, options, _nets, threadSeconds) =>
    new DepthFirst(game, options, threadSeconds, (descent) => new MaxN(descent, options)),
};
