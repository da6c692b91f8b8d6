/**
 * The plan of Sequential Halving (Karnin, Koren and Somekh 2013; at the root of a tree: Danihelka et al. 2022,
 * algorithm 2). For each of `simulations` simulations it gives a number of visits: the simulation takes the best of the
 * actions that have had exactly this number.
 *
 * There are ceil(log2 m) phases of about equal cost, where m is `considered`. In a phase, every action that is still
 * considered gets equally many visits; then the worse half is dropped, until two are left. A dropped action falls
 * behind in visits, so that no later number of the plan fits it. Simulations left over after the last phase go to the
 * last two actions. With too few simulations the plan ends early.
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
