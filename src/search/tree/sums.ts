import type { SearchTree } from "./search-tree.ts";
import type { Walk } from "./walk.ts";

/** Part of a backup: adds `walk.returns` to the values of the path's node at this depth, which are sums. */
export function addReturns<S>({ tree, nodes, returns }: Walk<S>, depth: number): void {
  const { players, values } = tree;
  const at = nodes[depth]! * players;
  for (let seat = 0; seat < players; seat++) values[at + seat]! += returns[seat]!;
}

/** The mean over the simulations through a visited node whose values are sums. */
export function meanOf({ players, values, visits }: SearchTree, node: number, seat: number): number {
  return values[node * players + seat]! / visits[node]!;
}
