/**
 * States that a search wants evaluated, and the buffers for the response.
 *
 * The search owns the request and reuses it: the evaluator reads the first `count` states and fills
 * `values` (and `priors`, if the search requests them) before the search continues. Nothing is allocated.
 */
export interface EvaluationRequest<S> {
  /** The first `count` states are to be evaluated; the evaluator does not change them. */
  readonly states: readonly S[];
  count: number;
  /** Which net of its agent is to evaluate them: that of the agent's `valueNet`; absent: that of its `net`. */
  readonly net?: "valueNet";
  /** Row-major [count, players]: for each state, the expected return of each seat from it on. */
  readonly values: Float64Array;
  /** Row-major [count, maxLegal]: a probability for each legal action, in the order of `legal`; absent if not wanted. */
  readonly priors?: Float32Array;
  /**
   * Number of chance plies, 1 or more, that the evaluator is to look through if chance moves. The value is then the mean
   * over the outcomes, in their order, of the positions behind them; if a player moves there, it makes its best move
   * through the plies left; the value is 0 if the game is over. An evaluator that looks through chance sets this
   * number to 0. One that leaves it has valued the positions themselves.
   */
  chancePlies?: number;
  /**
   * Processor seconds that the last response took, in the thread of the search and elsewhere; NaN if they are not known.
   * Written by evaluators whose work is not done within `evaluate`; absent from others.
   */
  seconds?: number;
  /** The part of `seconds` that other threads took for the net. Written and absent as `seconds` is. */
  evaluatorSeconds?: number;
  /** Whether the evaluator looks one ply less deep behind unlikely outcomes (`unlikelyBelow`), if a ply is left. */
  readonly shallower?: boolean;
}

/** The probability below which an outcome counts as unlikely: half of that of the likeliest. */
export function unlikelyBelow(probabilities: Float64Array, count: number): number {
  let likeliest = 0;
  for (let i = 0; i < count; i++) likeliest = Math.max(likeliest, probabilities[i]!);
  return likeliest / 2;
}

/** Responds to requests in the calling thread. */
export interface Evaluator<S> {
  evaluate(request: EvaluationRequest<S>): void;
}
