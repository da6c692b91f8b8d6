/**
 * The result of a game for a seat, from -1 to 1: the mean over the other seats of 1 if the seat has the greater return,
 * -1 if it has the smaller one, and 0 if both are equal. With two players a win is 1, a draw 0 and a loss -1.
 */
export function resultOf(returns: ArrayLike<number>, seat: number): number {
  let sum = 0;
  for (let other = 0; other < returns.length; other++)
    if (other !== seat) sum += Math.sign(returns[seat]! - returns[other]!);
  return sum / (returns.length - 1);
}

/**
 * For each game of a minibatch, the mean result of the other games in which the learner has the same seat; 0 if there
 * are none. The result of a game is independent of its own baseline, so the gradient keeps its mean.
 */
export function leaveOneOut(results: readonly { readonly seat: number; readonly z: number }[]): number[] {
  const bySeat = new Map<number, { sum: number; games: number }>();
  for (const { seat, z } of results) {
    const { sum, games } = bySeat.get(seat) ?? { sum: 0, games: 0 };
    bySeat.set(seat, { sum: sum + z, games: games + 1 });
  }
  return results.map(({ seat, z }) => {
    const { sum, games } = bySeat.get(seat)!;
    return games < 2 ? 0 : (sum - z) / (games - 1);
  });
}
