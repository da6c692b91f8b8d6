import { NONE } from "../tree/nodes.ts";
import type { PlayoutTree } from "./playout-tree.ts";

/** What the seat to move at a node of a tree is after, from a vector of payoffs. */
export type Utility = (payoffs: Float64Array, at: number, mover: number) => number;

/**
 * Proves a decision node's value from its proven children, if they suffice; says whether they did.
 *
 * They do when one of them pays the mover `most`, the greatest worth there is, or when all children are proven; the
 * value is then that of the best child, the first of equals. MCTS-Solver (Winands, Bjornsson and Saito 2008) for any
 * number of players (Nijssen and Winands 2011), for any payoffs. Where movers are indifferent between moves that others
 * are not, a max-n value is one of several: a proven value is that of some equilibrium.
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

/** Takes note of a node's value, which becomes the mean of its simulations too. */
export function setProven(tree: PlayoutTree, node: number, payoffs: Float64Array): void {
  const { players } = tree;
  tree.proven[node] = 1;
  for (let seat = 0; seat < players; seat++) {
    tree.exact[node * players + seat] = payoffs[seat]!;
    tree.sums[node * players + seat] = payoffs[seat]! * tree.visits[node]!;
  }
}
