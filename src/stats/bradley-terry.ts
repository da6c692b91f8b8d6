/** The most rounds of the iteration; with a prior it ends after far fewer. */
const MOST_ROUNDS = 10_000;
const PRECISION = 1e-10;

/**
 * Strengths by the model of Bradley and Terry (1952): P(i beats j) = g_i / (g_i + g_j).
 *
 * `wins` is row-major [n, n]: what i scored against j, draws counted as half to each, in any positive unit of weight.
 * The maximum of the likelihood is found by the iteration of Hunter (2004, Annals of Statistics 32, equation 3).
 *
 * Without a prior there is a maximum only if a chain of wins leads from every player to every other; otherwise strengths
 * drift apart without bound. `prior` draws of each player against one more player, whose strength is 1, make it unique
 * and finite always (as Bayesian Elo does with draws among the players). Returns log g_i by player, their mean 0.
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
      // Used at once by the players that follow: the cyclic form, which is faster (Hunter 2004, section 3).
      strength[i] = Math.max(Number.MIN_VALUE, total[i]! / games);
      moved = Math.max(moved, Math.abs(Math.log(strength[i]! / own)));
    }
    if (moved < PRECISION) break;
  }
  const logs = strength.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / n;
  return logs.map((log) => log - mean);
}
