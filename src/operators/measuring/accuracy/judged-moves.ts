/** How policies judged moves that were played: a number of each array for each decision. */
export interface JudgedMoves {
  /** The game of the collection. */
  readonly games: Uint32Array;
  /** Number of moves before it. */
  readonly plies: Uint32Array;
  /** Rank of the move by its probability, 1 for the likeliest; of equally likely moves the first legal one is first. 0: the policy never plays it. */
  readonly ranks: Uint32Array;
  /** Natural logarithm of the probability of the move; NaN if the rank is 0. */
  readonly likelihoods: Float64Array;
}

/** Judgements one after another, which share an order. */
export function joined(all: readonly JudgedMoves[]): JudgedMoves {
  const length = all.reduce((sum, { ranks }) => sum + ranks.length, 0);
  const judged: JudgedMoves = newJudgedMoves(length);
  let at = 0;
  for (const { games, likelihoods, plies, ranks } of all) {
    judged.games.set(games, at);
    judged.plies.set(plies, at);
    judged.ranks.set(ranks, at);
    judged.likelihoods.set(likelihoods, at);
    at += ranks.length;
  }
  return judged;
}

/** Room for the judgements of so many decisions. */
export function newJudgedMoves(length: number): JudgedMoves {
  return {
    games: new Uint32Array(length),
    plies: new Uint32Array(length),
    ranks: new Uint32Array(length),
    likelihoods: new Float64Array(length),
  };
}

/** The first `count` judgements. */
export function firstJudged({ games, likelihoods, plies, ranks }: JudgedMoves, count: number): JudgedMoves {
  return {
    games: games.slice(0, count),
    plies: plies.slice(0, count),
    ranks: ranks.slice(0, count),
    likelihoods: likelihoods.slice(0, count),
  };
}

/** The rank of entry `played` among the first `count` weights, as `JudgedMoves.ranks`. */
export function rankOf(weights: ArrayLike<number>, count: number, played: number): number {
  const own = weights[played]!;
  let rank = 1;
  for (let i = 0; i < count; i++) if (weights[i]! > own || (weights[i] === own && i < played)) rank++;
  return rank;
}
