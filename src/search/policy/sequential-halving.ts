/**
 * The plan of Sequential Halving (Karnin, Koren and Somekh 2013; at the root of a tree: Danihelka et al. 2022, algorithm
 * 2): for each of `simulations` simulations, how many visits an action must have had to be one of those among which it
 * chooses.
 *
 * In each of ceil(log2 m) phases every action still considered is visited equally often, so that the phases cost about the
 * same; then half of them, the worse ones, are dropped, down to two. Where a simulation takes the best of the actions
 * with the wanted count, those that fall behind never have it again. Simulations left over when the phases are through
 * go on with the last two; too few of them cut the plan short.
 */
export function sequentialHalving(considered: number, simulations: number): Int32Array {
  const plan = new Int32Array(simulations);
  const phases = Math.max(1, Math.ceil(Math.log2(considered)));
  let left = considered;
  let visits = 0;
  for (let filled = 0; filled < simulations; left = Math.max(Math.min(2, considered), left >> 1)) {
    const rounds = Math.max(1, Math.floor(simulations / (phases * left)));
    for (let round = 0; round < rounds; round++, visits++)
      for (let i = 0; i < left && filled < simulations; i++) plan[filled++] = visits;
  }
  return plan;
}
