import type { NamedArrays, SavedArrays } from "../tables.ts";
import type { LinearPolicy } from "./softmax-policy.ts";

/** Added to the sum of squares, so that the first steps of a weight are finite. */
const SMALLEST = 1e-8;

/**
 * Learns a linear softmax policy from decisions of others, by stochastic gradient ascent on their log-likelihood. With n
 * decisions (s, a) in a minibatch,
 *
 *     g = 1/n sum (phi(s, a) - sum_b pi(b | s) phi(s, b)),   theta = theta + rate g / sqrt(G),
 *
 * where b runs over the moves that the policy chooses from, and G is the sum of the squares of a weight's g so far
 * (AdaGrad, Duchi et al. 2011): so weights of rare features take steps as long as those of others.
 *
 * Source: Silver et al. 2016, Methods, Rollout policy; Coulom 2007 and Bouzy and Chaslot 2006 for patterns of Go.
 */
export class LikelihoodLearner<S> {
  readonly #policy: LinearPolicy<S>;
  readonly #squares: Float64Array;
  readonly #gradient: Float64Array;
  /** The weights with a gradient in this minibatch: the first `#touched` entries. */
  readonly #features: Int32Array;
  readonly #isTouched: Uint8Array;
  #touched = 0;
  #decisions = 0;

  constructor(policy: LinearPolicy<S>) {
    const { length } = policy.weights;
    this.#policy = policy;
    this.#squares = new Float64Array(length);
    this.#gradient = new Float64Array(length);
    this.#features = new Int32Array(length);
    this.#isTouched = new Uint8Array(length);
  }

  /**
   * Adds a decision to the minibatch; returns the log-likelihood of its move. Returns undefined, and adds nothing, if
   * the policy does not choose from this move.
   */
  add(state: S, action: number): number | undefined {
    const policy = this.#policy;
    policy.weigh(state);
    const { actions, count, odds, rows, total } = policy;
    const perMove = rows.length / actions.length;
    let chosen = -1;
    for (let i = 0; i < count && chosen < 0; i++) if (actions[i] === action) chosen = i;
    if (chosen < 0) return undefined;
    for (let i = 0, at = 0; i < count; i++) {
      const share = (i === chosen ? 1 : 0) - odds[i]! / total;
      for (const end = at + perMove; at < end; at++) {
        const feature = rows[at]!;
        this.#gradient[feature]! += share;
        if (this.#isTouched[feature] === 1) continue;
        this.#isTouched[feature] = 1;
        this.#features[this.#touched++] = feature;
      }
    }
    this.#decisions++;
    return Math.log(odds[chosen]! / total);
  }

  /** Takes a step by the decisions since the last one; none if there are no decisions. */
  step(rate: number): void {
    const { weights } = this.#policy;
    for (let i = 0; i < this.#touched; i++) {
      const feature = this.#features[i]!;
      const g = this.#gradient[feature]! / this.#decisions;
      this.#squares[feature]! += g * g;
      weights[feature]! += (rate * g) / Math.sqrt(this.#squares[feature]! + SMALLEST);
      this.#gradient[feature] = 0;
      this.#isTouched[feature] = 0;
    }
    this.#touched = 0;
    this.#decisions = 0;
  }

  /** The state of the learner between two steps, without the weights. */
  state(): SavedArrays {
    return new Map([["squares", { shape: [this.#squares.length], data: this.#squares.slice() }]]);
  }

  /** Restores the state of a new learner; an empty map is the initial state. Throws RangeError if it does not fit. */
  restore(saved: NamedArrays): void {
    const squares = saved.get("squares");
    if (squares === undefined) return;
    if (!(squares instanceof Float64Array) || squares.length !== this.#squares.length)
      throw new RangeError(`expected the array squares of ${this.#squares.length} numbers (float64)`);
    this.#squares.set(squares);
  }
}
