import { CHANCE, type Game, OVER } from "../../games/game.ts";
import { winShares } from "../../games/outcome.ts";
import { allFinite } from "../../games/all-finite.ts";
import { NumberUnsound } from "../../messages/number-unsound.ts";
import type { Random } from "../../random.ts";
import type { LinearPolicy } from "./softmax-policy.ts";
import type { LearnedGame, LearnerOptions, NamedArrays, SavedArrays, TablesLearner } from "../tables.ts";

/** Added to the sum of squares, so that the first steps of a weight are finite. */
const SMALLEST = 1e-8;

/**
 * Learns a linear softmax policy from the returns of games that it plays against itself: REINFORCE (Williams 1992).
 * A deal is the result of chance before the first decision. Every deal is played `replays` times, and the return of a seat
 * is compared with its mean return in the other games of the deal (the leave-one-out baseline of Kool, van Hoof and Welling
 * 2019). This removes the luck of the deal. With R_k the payoff of a seat in game k of K and R its mean over the K,
 *
 *     g = 1/K sum_k sum_t K/(K - 1) (R_k - R) (phi(a_t) - sum_a pi(a) phi(a)),   theta = theta + rate g / sqrt(G),
 *
 * t over the seat's decisions in game k, all seats added up, and G the sum of the squares of a weight's g so far (AdaGrad,
 * Duchi et al. 2011): a step after every deal. So weights of rare features take steps as long as those of other weights.
 *
 * It counts a deal as one game, and reports the last game of the deal.
 */
export class PolicyGradientLearner<S> implements TablesLearner {
  readonly #policy: LinearPolicy<S>;
  readonly #game: Game<S>;
  readonly #replays: number;
  /** Whether a game pays shares of a win instead of its returns. */
  readonly #sharesWin: boolean;
  readonly #rate: number;
  readonly #perMove: number;
  readonly #start: S;
  readonly #state: S;
  readonly #gradient: Float64Array;
  readonly #squares: Float64Array;
  /** The decisions of a deal, in order: the seat, the game of the deal, and where its terms begin. */
  #seats = new Uint8Array(1024);
  #plays = new Uint16Array(1024);
  #firsts = new Int32Array(1025);
  #choices = 0;
  /** The terms of d log pi / d theta at these decisions: a feature and its share. */
  #features = new Int32Array(1 << 16);
  #shares = new Float64Array(1 << 16);
  #terms = 0;
  /** By game of the deal: what it pays each seat. */
  readonly #payoffs: Float64Array[];
  readonly #returns: Float64Array;
  readonly #means: Float64Array;
  #actions = new Int32Array(256);
  #values = new Float64Array(0);
  #plies = 0;
  #dealt = 0;

  constructor(policy: LinearPolicy<S>, game: Game<S>, { payoff, replays, step }: LearnerOptions) {
    this.#policy = policy;
    this.#game = game;
    this.#replays = replays!;
    this.#sharesWin = payoff === "share";
    this.#rate = step.rate;
    this.#perMove = game.linear!.moveFeatures!.perMove;
    this.#start = game.initial();
    this.#state = game.initial();
    this.#gradient = new Float64Array(policy.weights.length);
    this.#squares = new Float64Array(policy.weights.length);
    this.#payoffs = Array.from({ length: this.#replays }, () => new Float64Array(game.players));
    this.#returns = new Float64Array(game.players);
    this.#means = new Float64Array(game.players);
  }

  get actions(): Int32Array {
    return this.#actions.subarray(0, this.#plies);
  }

  get values(): Float64Array {
    return this.#values;
  }

  playGame(random: Random): LearnedGame {
    const game = this.#game;
    const { players } = game;
    this.#deal(random);
    this.#choices = 0;
    this.#terms = 0;
    let decisions = 0;
    for (let play = 0; play < this.#replays; play++) decisions = this.#play(play, random);
    this.#means.fill(0);
    for (const payoffs of this.#payoffs)
      for (let seat = 0; seat < players; seat++) this.#means[seat]! += payoffs[seat]! / this.#replays;
    this.#learn();
    const { weights } = this.#policy;
    if (!allFinite(weights, 0, weights.length))
      throw new NumberUnsound(
        "a weight of the policy is NaN or infinite: learning has diverged; start from an earlier checkpoint, and learn with a lower rate",
      );
    const means = [...this.#means];
    this.#values = Float64Array.from({ length: decisions * players }, (_, i) => means[i % players]!);
    return {
      returns: [...this.#returns],
      plies: this.#plies,
      startValue: means[0]!,
      facts: game.figures?.facts?.(this.#state) ?? {},
    };
  }

  state(): SavedArrays {
    return new Map([["squares", { shape: [this.#squares.length], data: this.#squares.slice() }]]);
  }

  restore(saved: NamedArrays): void {
    if (saved.size === 0) return;
    const squares = saved.get("squares");
    if (!(squares instanceof Float64Array) || squares.length !== this.#squares.length)
      throw new RangeError(`expected the array squares of ${this.#squares.length} numbers (float64)`);
    this.#squares.set(squares);
  }

  /** Begins a game and plays chance up to the first decision. */
  #deal(random: Random): void {
    const game = this.#game;
    const start = game.initial();
    this.#plies = 0;
    while (game.toMove(start) === CHANCE) {
      const outcome = game.chance!.sample(start, random);
      this.#note(outcome);
      game.play(start, outcome);
    }
    this.#dealt = this.#plies;
    game.copy(start, this.#start);
  }

  /** Plays the deal to the end of the game; returns the number of decisions. */
  #play(play: number, random: Random): number {
    const game = this.#game;
    const policy = this.#policy;
    const state = this.#state;
    game.copy(this.#start, state);
    this.#plies = this.#dealt;
    let decisions = 0;
    for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
      let action: number;
      if (mover === CHANCE) action = game.chance!.sample(state, random);
      else {
        const chosen = policy.drawIndex(state, random);
        action = policy.actions[chosen]!;
        decisions++;
        if (policy.count > 1) this.#choose(play, mover, chosen);
      }
      this.#note(action);
      game.play(state, action);
    }
    game.returns(state, this.#returns);
    if (this.#sharesWin) winShares(this.#returns, this.#payoffs[play]!);
    else this.#payoffs[play]!.set(this.#returns);
    return decisions;
  }

  /** Notes d log pi / d theta of the policy's last draw. */
  #choose(play: number, seat: number, chosen: number): void {
    const { count, odds, rows, total } = this.#policy;
    const length = count * this.#perMove;
    this.#reserve(length);
    this.#seats[this.#choices] = seat;
    this.#plays[this.#choices] = play;
    for (let i = 0, at = 0; i < count; i++) {
      const share = (i === chosen ? 1 : 0) - odds[i]! / total;
      for (const end = at + this.#perMove; at < end; at++) {
        this.#features[this.#terms] = rows[at]!;
        this.#shares[this.#terms++] = share;
      }
    }
    this.#firsts[++this.#choices] = this.#terms;
  }

  #learn(): void {
    const gradient = this.#gradient.fill(0);
    const { weights } = this.#policy;
    for (let choice = 0; choice < this.#choices; choice++) {
      const seat = this.#seats[choice]!;
      const advantage = this.#payoffs[this.#plays[choice]!]![seat]! - this.#means[seat]!;
      if (advantage === 0) continue;
      for (let i = this.#firsts[choice]!, end = this.#firsts[choice + 1]!; i < end; i++)
        gradient[this.#features[i]!]! += advantage * this.#shares[i]!;
    }
    for (let i = 0; i < weights.length; i++) {
      if (gradient[i] === 0) continue;
      const g = gradient[i]! / (this.#replays - 1);
      this.#squares[i]! += g * g;
      weights[i]! += (this.#rate * g) / Math.sqrt(this.#squares[i]! + SMALLEST);
    }
  }

  #note(action: number): void {
    if (this.#plies === this.#actions.length) this.#actions = longer(this.#actions);
    this.#actions[this.#plies++] = action;
  }

  /** Makes room for one more decision with this many terms. */
  #reserve(terms: number): void {
    if (this.#choices + 1 === this.#firsts.length - 1) {
      this.#firsts = longer(this.#firsts);
      this.#seats = longer(this.#seats);
      this.#plays = longer(this.#plays);
    }
    while (this.#terms + terms > this.#features.length) {
      this.#features = longer(this.#features);
      this.#shares = longer(this.#shares);
    }
  }
}

type Array = Int32Array | Float64Array | Uint8Array | Uint16Array;

/** A copy with twice the length. */
function longer<T extends Array>(from: T): T {
  const into = new (from.constructor as new (length: number) => T)(2 * from.length);
  into.set(from);
  return into;
}
