/**
 * States that a search wants evaluated, and the room for the answer.
 *
 * The search owns it and uses it again and again: the evaluator reads the first `count` states and fills
 * `values` (and `priors`, where the search asks for them) before the search goes on. Nothing is allocated.
 */
export interface EvaluationRequest<S> {
  /** The first `count` of these are asked about; not to be changed by the evaluator. */
  readonly states: readonly S[];
  count: number;
  /** Row-major [count, players]: for each state, what each seat is expected to earn from it on. */
  readonly values: Float64Array;
  /** Row-major [count, maxLegal]: a probability for each legal action, in the order of `legal`; absent where not wanted. */
  readonly priors?: Float32Array;
  /**
   * How many plies of chance, 1 or more, the search asks positions with chance to move to be valued through: by the mean, over
   * the outcomes in their order, of the values of the positions behind them with a player to move, each by its best move
   * through the plies left; 0 where the game is over. An evaluator that does so sets it to 0; one that leaves it has valued the
   * positions themselves.
   */
  chancePlies?: number;
  /** Whether unlikely outcomes (`unlikelyBelow`) are looked behind one ply less deep, where one is left. */
  readonly shallower?: boolean;
}

/** The probability below which an outcome counts as unlikely: half of that of the likeliest. */
export function unlikelyBelow(probabilities: Float64Array, count: number): number {
  let likeliest = 0;
  for (let i = 0; i < count; i++) likeliest = Math.max(likeliest, probabilities[i]!);
  return likeliest / 2;
}

/** Answers requests in the calling thread. */
export interface Evaluator<S> {
  evaluate(request: EvaluationRequest<S>): void;
}
