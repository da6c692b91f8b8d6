import { NONE } from "../tree/nodes.ts";
import type { PlayoutTree } from "./playout-tree.ts";

/** The utility of the mover, which it maximises, from a vector of payoffs that starts at `at`. */
export type Utility = (payoffs: Float64Array, at: number, mover: number) => number;

/**
 * Proves the value of a decision node from its proven children, if they suffice. Returns whether they did.
 *
 * They suffice when one of them gives the mover `most`, the greatest possible utility, or when all children are proven.
 * The value of the node is then that of the best child; of equal ones the first. This is MCTS-Solver (Winands,
 * Bjornsson and Saito 2008) for any number of players (Nijssen and Winands 2011) and any payoffs. A max-n value is not
 * unique where the mover is indifferent between moves that matter to others: the proven value is that of one
 * equilibrium.
 */
export function prove(tree: PlayoutTree, node: number, utility: Utility, most: number): boolean {
  const { players, exact, proven } = tree;
  const mover = tree.toMove[node]!;
  const first = tree.firstEdge[node]!;
  const end = first + tree.edgeCount[node]!;
  let best = NONE;
  let greatest = -Infinity;
  let all = true;
  for (let edge = first; edge < end; edge++) {
    const child = tree.child[edge]!;
    if (child === NONE || proven[child] === 0) {
      all = false;
      continue;
    }
    const value = utility(exact, child * players, mover);
    if (value > greatest) {
      greatest = value;
      best = child;
    }
  }
  if (!all && greatest < most) return false;
  setProven(tree, node, exact.subarray(best * players, (best + 1) * players));
  return true;
}

/** Marks a node as proven with these payoffs, which also become the mean of its simulations. */
export function setProven(tree: PlayoutTree, node: number, payoffs: Float64Array): void {
  const { players } = tree;
  tree.proven[node] = 1;
  for (let seat = 0; seat < players; seat++) {
    tree.exact[node * players + seat] = payoffs[seat]!;
    tree.sums[node * players + seat] = payoffs[seat]! * tree.visits[node]!;
  }
}
