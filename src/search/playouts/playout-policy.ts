import {
  CHANCE,
  type DealIndex,
  type Game,
  OVER,
  type PlayoutRecorder,
  type Playouts,
  type PlaysToEnd,
  type Preference,
} from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { widened } from "../tree/nodes.ts";

/**
 * Plays games to their end, epsilon-greedily. With probability 1 - epsilon it plays a move that the game prefers most
 * (in Blokus: one of the largest piece that can be placed), otherwise any legal move. Each candidate is equally likely.
 * Chance follows its probabilities.
 *
 * Source: BlokusZero, section 3.1.5 (Nijssen and Winands 2012). It uses the game's `playouts`, or else `preference`
 * over the list of legal moves. For a game without a preference all moves are equal. Then, and if epsilon is 0 or 1,
 * epsilon takes no draw.
 */
export class PlayoutPolicy<S> implements PlayoutRecorder {
  readonly #game: Game<S>;
  readonly #playouts: Playouts<S> | undefined;
  readonly #preference: Preference | undefined;
  readonly #deal: DealIndex<S> | undefined;
  readonly #actions: Int32Array;
  /** A move is drawn uniformly if a 32-bit draw lies below this. */
  readonly #uniformBelow: number;
  readonly #draws: boolean;
  /** Plays to the end without further ado, for games that can do so with this epsilon. */
  readonly #whole: PlaysToEnd<S> | undefined;
  readonly #actionCount: number;
  /** The decisions of the last playout in order: seat times number of actions plus action. The first `length` count. */
  keys = new Int32Array(256);
  seats = new Uint8Array(256);
  length = 0;

  constructor(game: Game<S>, epsilon: number) {
    this.#game = game;
    this.#actions = new Int32Array(game.maxLegal);
    this.#playouts = game.playouts;
    this.#preference = game.search?.preference;
    this.#deal = game.search?.deal;
    const prefers = this.#playouts !== undefined || this.#preference !== undefined;
    this.#uniformBelow = prefers ? Math.round(epsilon * 2 ** 32) : 2 ** 32;
    this.#draws = prefers && epsilon > 0 && epsilon < 1;
    if (!this.#draws)
      this.#whole = this.#uniformBelow > 0 ? game.playouts?.finish : game.playouts?.finishPreferred;
    this.#actionCount = game.actions;
  }

  /** As `play`, but keeps no decisions. Faster for games that can play to the end by themselves. */
  finish(state: S, random: Random): void {
    if (this.#whole !== undefined) this.#whole(state, random);
    else this.#playByMoves(state, random);
  }

  /** Plays `state` to the end of the game, in place; in a match of several deals to the end of the current deal. */
  play(state: S, random: Random): void {
    this.length = 0;
    if (this.#whole !== undefined) this.#whole(state, random, this);
    else this.#playByMoves(state, random);
  }

  /** Records a decision of the current playout. */
  add(seat: number, action: number): void {
    const at = this.length++;
    if (at === this.keys.length) this.#grow();
    this.keys[at] = seat * this.#actionCount + action;
    this.seats[at] = seat;
  }

  #playByMoves(state: S, random: Random): void {
    const game = this.#game;
    let length = 0;
    const deal = this.#deal;
    const currentDeal = deal?.(state);
    for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
      if (mover === CHANCE) {
        game.play(state, game.chance!.sample(state, random));
        continue;
      }
      const uniform = this.#draws ? random.uint32() < this.#uniformBelow : this.#uniformBelow > 0;
      const action = uniform ? this.#uniform(state, random) : this.#preferred(state, random);
      if (length === this.keys.length) this.#grow();
      this.keys[length] = mover * game.actions + action;
      this.seats[length++] = mover;
      game.play(state, action);
      if (deal !== undefined && deal(state) !== currentDeal) break;
    }
    this.length = length;
  }

  #uniform(state: S, random: Random): number {
    const playouts = this.#playouts;
    if (playouts !== undefined) return playouts.uniform(state, random);
    return this.#actions[random.below(this.#game.legal(state, this.#actions))]!;
  }

  #preferred(state: S, random: Random): number {
    const playouts = this.#playouts;
    const preference = this.#preference!;
    if (playouts !== undefined) return playouts.preferred(state, random);
    const actions = this.#actions;
    const legal = this.#game.legal(state, actions);
    let count = 0;
    let greatest = -Infinity;
    for (let i = 0; i < legal; i++) {
      const action = actions[i]!;
      const value = preference(action);
      if (value < greatest) continue;
      if (value > greatest) {
        greatest = value;
        count = 0;
      }
      actions[count++] = action;
    }
    return actions[random.below(count)]!;
  }

  #grow(): void {
    const length = 2 * this.keys.length;
    this.keys = widened(this.keys, new Int32Array(length));
    this.seats = widened(this.seats, new Uint8Array(length));
  }
}
