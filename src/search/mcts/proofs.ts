import type { TreeColumn } from "../tree/tree-column.ts";
import { NONE } from "../tree/nodes.ts";
import type { SearchTree } from "../tree/search-tree.ts";

/** The utility of the mover, which it maximises, from a vector of payoffs that starts at `at`. */
export type Utility = (payoffs: Float64Array, at: number, mover: number) => number;

/**
 * Part of a tree: proven nodes and their exact payoffs. This is MCTS-Solver (Winands, Bjornsson and Saito 2008) for any
 * number of players (Nijssen and Winands 2011) and any payoffs. A max-n value is not unique where the mover is
 * indifferent between moves that matter to others: the proven value is that of one equilibrium.
 */
export class Proofs {
  readonly #tree: SearchTree;
  readonly #proven: TreeColumn<Uint8Array>;
  /** Shape [nodes, players]. */
  readonly #exact: TreeColumn<Float64Array>;

  constructor(tree: SearchTree) {
    this.#tree = tree;
    this.#proven = tree.nodeColumn(Uint8Array);
    this.#exact = tree.nodeColumn(Float64Array, tree.players);
  }

  /** Whether the value of a node is known exactly. */
  has(node: number): boolean {
    return this.#proven.data[node] === 1;
  }

  /** The exact payoff of each seat at a proven node: a view of the tree's own numbers. */
  exact(node: number): Float64Array {
    const { data, width } = this.#exact;
    return data.subarray(node * width, (node + 1) * width);
  }

  /** Marks a node as proven with these payoffs, which also become the mean of its simulations. */
  set(node: number, payoffs: Float64Array): void {
    const { players, values, visits } = this.#tree;
    this.#proven.data[node] = 1;
    for (let seat = 0; seat < players; seat++) {
      this.#exact.data[node * players + seat] = payoffs[seat]!;
      values[node * players + seat] = payoffs[seat]! * visits[node]!;
    }
  }

  /**
   * Proves the value of a decision node from its proven children, if they suffice. Returns whether they did.
   *
   * They suffice when one of them gives the mover `most`, the greatest possible utility, or when all children are
   * proven. The value of the node is then that of the best child; of equal ones the first.
   */
  prove(node: number, utility: Utility, most: number): boolean {
    const { players, toMove, firstEdge, edgeCount, child } = this.#tree;
    const mover = toMove[node]!;
    const first = firstEdge[node]!;
    const end = first + edgeCount[node]!;
    let best = NONE;
    let greatest = -Infinity;
    let all = true;
    for (let edge = first; edge < end; edge++) {
      const to = child[edge]!;
      if (to === NONE || !this.has(to)) {
        all = false;
        continue;
      }
      const value = utility(this.#exact.data, to * players, mover);
      if (value > greatest) {
        greatest = value;
        best = to;
      } else if (best === NONE) best = to;
    }
    if (!all && greatest < most) return false;
    this.set(node, this.exact(best));
    return true;
  }
}
