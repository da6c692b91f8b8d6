import type { SearchTree } from "./search-tree.ts";
import type { Walk } from "./walk.ts";

/** A backup: adds `walk.returns` to the values of the nodes of the path, which are sums. */
export function addReturns<S>({ tree, nodes, length, returns }: Walk<S>): void {
  const { players, values } = tree;
  for (let depth = 0; depth < length; depth++) {
    const at = nodes[depth]! * players;
    for (let seat = 0; seat < players; seat++) values[at + seat]! += returns[seat]!;
  }
}

/** The mean over the simulations through a visited node whose values are sums. */
export function meanOf({ players, values, visits }: SearchTree, node: number, seat: number): number {
  return values[node * players + seat]! / visits[node]!;
}

/** Makes these payoffs the mean of all simulations through a node whose values are sums. */
export function setMean({ players, values, visits }: SearchTree, node: number, payoffs: Float64Array): void {
  for (let seat = 0; seat < players; seat++) values[node * players + seat] = payoffs[seat]! * visits[node]!;
}
