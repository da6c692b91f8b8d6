import { type Features, type FeaturesAhead, type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import type { LinearValue } from "./linear-value.ts";
import {
  type Exploration,
  greedily,
  type LearnedGame,
  type LearnerOptions,
  type NamedArrays,
  type SavedArrays,
  type TablesLearner,
} from "../tables.ts";

/**
 * Trains a linear value function by TD(lambda) with accumulating traces, on line, from games against itself (Sutton 1988;
 * Miki et al. 2008, section 2.1).
 *
 * V is the expected win share of seat 0. So seat 0 plays the move to the position with the greatest V and seat 1 the move to
 * the position with the least V; of equal moves the first. After every ply, from s to s',
 *
 *     delta = r + V(s') - V(s),   e = lambda e + phi(s),   theta = theta + alpha delta e
 *
 * with r = 0 until the game is over, and then r the win share of seat 0 and V(s') = 0; gamma is 1. The traces e begin each game at
 * zero. alpha = rate (N0 + 1) / (N0 + n^1.1) in game n, counted from 1 (Geramifard et al. 2006); rate alone without N0.
 *
 * An exploring move (of the opening, or drawn at random and not greedy) gives no information about the value of greedy
 * play. With `cut` nothing is learned from its ply and the traces start again after it (Watkins). With `keep` its ply is
 * learned from like any other.
 */
export class TdLambdaLearner<S> implements TablesLearner {
  readonly #value: LinearValue<S>;
  readonly #game: Game<S>;
  readonly #features: Features<S>;
  readonly #ahead: FeaturesAhead<S> | undefined;
  readonly #options: LearnerOptions;
  readonly #start: S;
  readonly #state: S;
  readonly #trial: S;
  /** The legal actions of the present position, the first `#count` of them. */
  readonly #legal: Int32Array;
  #count = 0;
  readonly #traces: Float64Array;
  /** phi of the present position, of the position being tried, and of the best position tried. */
  #row: Float64Array;
  #tried: Float64Array;
  #best: Float64Array;
  #actions = new Int32Array(64);
  #values = new Float64Array(128);
  #plies = 0;
  #games = 0;

  constructor(value: LinearValue<S>, game: Game<S>, options: LearnerOptions) {
    const features = value.weights.length;
    this.#value = value;
    this.#game = game;
    this.#features = game.linear!.features!;
    this.#ahead = this.#features.ahead?.();
    this.#options = options;
    this.#start = game.initial();
    this.#state = game.initial();
    this.#trial = game.initial();
    this.#legal = new Int32Array(game.maxLegal);
    this.#traces = new Float64Array(features);
    this.#row = new Float64Array(features);
    this.#tried = new Float64Array(features);
    this.#best = new Float64Array(features);
  }

  get actions(): Int32Array {
    return this.#actions.subarray(0, this.#plies);
  }

  get values(): Float64Array {
    return this.#values.subarray(0, 2 * this.#plies);
  }

  playGame(random: Random, { opening, epsilon }: Exploration = greedily): LearnedGame {
    const game = this.#game;
    const state = this.#state;
    const cut = this.#options.traces !== "keep";
    this.#games++;
    this.#plies = 0;
    this.#traces.fill(0);
    game.copy(this.#start, state);
    this.#features.write(state, 0, this.#row);
    let end = 0;
    while (game.toMove(state) !== OVER) {
      const greedy = this.#greedy();
      const played =
        this.#plies < opening.length ? opening[this.#plies]! : this.#drawn(random, epsilon, greedy);
      const explores = played !== greedy.action;
      const after = explores ? this.#try(played, this.#best) : greedy.value;
      this.#note(played, after);
      if (explores && cut) this.#traces.fill(0);
      else this.#learn(after);
      game.play(state, played);
      [this.#row, this.#best] = [this.#best, this.#row];
      end = after;
    }
    return {
      returns: [end, 1 - end],
      plies: this.#plies,
      startValue: this.#values[0] ?? 0,
      facts: game.figures?.facts?.(state) ?? {},
    };
  }

  state(): SavedArrays {
    return new Map([["games", { shape: [1], data: new Float64Array([this.#games]) }]]);
  }

  restore(saved: NamedArrays): void {
    if (saved.size === 0) return;
    const games = saved.get("games");
    if (!(games instanceof Float64Array) || games.length !== 1)
      throw new RangeError("expected the array games of 1 number (float64)");
    this.#games = games[0]!;
  }

  /** The mover's greedy action and the value of the position after it, whose phi is left in `#best`. */
  #greedy(): { action: number; value: number } {
    const game = this.#game;
    const sign = game.toMove(this.#state) === 0 ? 1 : -1;
    const count = game.legal(this.#state, this.#legal);
    this.#ahead?.from(this.#state, this.#legal, count);
    let action = this.#legal[0]!;
    let value = this.#try(action, this.#best);
    for (let i = 1; i < count; i++) {
      const tried = this.#try(this.#legal[i]!, this.#tried);
      if (sign * tried <= sign * value) continue;
      action = this.#legal[i]!;
      value = tried;
      [this.#tried, this.#best] = [this.#best, this.#tried];
    }
    this.#count = count;
    return { action, value };
  }

  /** r + V of the position after an action; writes its phi to `row`. */
  #try(action: number, row: Float64Array): number {
    if (this.#ahead?.write(action, 0, row) === true) return this.#value.dot(row);
    this.#game.copy(this.#state, this.#trial);
    this.#game.play(this.#trial, action);
    return this.#value.value(this.#trial, row);
  }

  #drawn(random: Random, epsilon: number, greedy: { readonly action: number }): number {
    if (epsilon === 0 || random.float() >= epsilon) return greedy.action;
    return this.#legal[random.below(this.#count)]!;
  }

  /** One step of TD(lambda) from the present position towards `after`, r + V(s'). */
  #learn(after: number): void {
    const { lambda } = this.#options;
    const { weights } = this.#value;
    const row = this.#row;
    const traces = this.#traces;
    const delta = after - this.#value.dot(row);
    const step = this.#rate() * delta;
    for (let i = 0; i < weights.length; i++) {
      traces[i] = lambda * traces[i]! + row[i]!;
      weights[i]! += step * traces[i]!;
    }
  }

  #rate(): number {
    const { step, decay } = this.#options;
    return decay === undefined ? step.rate : (step.rate * (decay + 1)) / (decay + this.#games ** 1.1);
  }

  #note(action: number, value: number): void {
    if (this.#plies === this.#actions.length) {
      const [actions, values] = [this.#actions, this.#values];
      this.#actions = new Int32Array(2 * actions.length);
      this.#actions.set(actions);
      this.#values = new Float64Array(2 * values.length);
      this.#values.set(values);
    }
    this.#actions[this.#plies] = action;
    this.#values[2 * this.#plies] = value;
    this.#values[2 * this.#plies + 1] = 1 - value;
    this.#plies++;
  }
}
