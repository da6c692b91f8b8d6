/** The greatest number of rounds of the iteration; with a prior it converges much earlier. */
const MOST_ROUNDS = 10_000;
const PRECISION = 1e-10;

/**
 * Strengths by the model of Bradley and Terry (1952): P(i beats j) = g_i / (g_i + g_j).
 *
 * `wins` is row-major [n, n]: the score of i against j, in any positive unit; a draw counts half for each. The
 * likelihood is maximised by the iteration of Hunter (2004, Annals of Statistics 32, equation 3).
 *
 * Without a prior a maximum exists only if a chain of wins leads from every player to every other one; otherwise the
 * strengths drift apart without bound. `prior` adds that many draws of each player against a further player of strength 1:
 * then the maximum is always unique and finite (Bayesian Elo adds draws among the players). Returns log g_i by player,
 * with mean 0.
 */
export function bradleyTerry(
  wins: ArrayLike<number>,
  n: number,
  prior: number,
  start?: Float64Array,
): Float64Array {
  if (wins.length !== n * n) throw new RangeError(`${wins.length} results for ${n} players`);
  const total = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    total[i] = prior / 2;
    for (let j = 0; j < n; j++) if (j !== i) total[i]! += wins[i * n + j]!;
  }
  const strength = start === undefined ? new Float64Array(n).fill(1) : start.map(Math.exp);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let moved = 0;
    for (let i = 0; i < n; i++) {
      const own = strength[i]!;
      let games = prior / (own + 1);
      for (let j = 0; j < n; j++)
        if (j !== i) games += (wins[i * n + j]! + wins[j * n + i]!) / (own + strength[j]!);
      // A player without games and without a prior keeps its strength.
      if (games === 0) continue;
      // The next players of this round already use it: the cyclic form, which converges faster (Hunter 2004, section 3).
      strength[i] = Math.max(Number.MIN_VALUE, total[i]! / games);
      moved = Math.max(moved, Math.abs(Math.log(strength[i]! / own)));
    }
    if (moved < PRECISION) break;
  }
  const logs = strength.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / n;
  return logs.map((log) => log - mean);
}
