import { NONE } from "./nodes.ts";
import type { SearchTree } from "./search-tree.ts";
import type { TreeColumn } from "./tree-column.ts";

/** The utility of the mover, which it maximises, from a vector of payoffs that starts at `at`. */
export type Utility = (payoffs: Float64Array, at: number, mover: number) => number;

/**
 * Part of a tree: proven nodes and their exact payoffs. This is MCTS-Solver (Winands, Bjornsson and Saito 2008) for any
 * number of players (Nijssen and Winands 2011) and any payoffs. A max-n value is not unique if the mover is
 * indifferent between moves that matter to others: the proven value is that of one equilibrium.
 */
export class Proofs {
  readonly #tree: SearchTree;
  readonly #proven: TreeColumn<Uint8Array>;
  /** Shape [nodes, players]. */
  readonly #exact: TreeColumn<Float64Array>;
  /** Shape [nodes]: the greatest utility of the mover behind a proven child; -Infinity without one. */
  readonly #best: TreeColumn<Float64Array>;

  constructor(tree: SearchTree) {
    this.#tree = tree;
    this.#proven = tree.nodeColumn(Uint8Array);
    this.#exact = tree.nodeColumn(Float64Array, tree.players);
    this.#best = tree.nodeColumn(Float64Array, 1, -Infinity);
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

  /** The exact payoff of one seat at a proven node. */
  exactOf(node: number, seat: number): number {
    return this.#exact.data[node * this.#exact.width + seat]!;
  }

  /** The greatest utility that a proven child of a decision node gives its mover; -Infinity without one. */
  bestOf(node: number): number {
    return this.#best.data[node]!;
  }

  /** Marks a node as proven with these payoffs. */
  set(node: number, payoffs: Float64Array): void {
    this.#proven.data[node] = 1;
    this.exact(node).set(payoffs);
  }

  /**
   * Proves the value of a decision node if its proven children suffice. To be called whenever one of them, `child`, has been
   * proven. Returns whether they did.
   *
   * They suffice when one of them gives the mover `most`, the greatest possible utility, or when all children are
   * proven. The value of the node is then that of the best child; of equal ones the first.
   */
  prove(node: number, child: number, utility: Utility, most: number): boolean {
    const { players, tried, edgeCount, toMove } = this.#tree;
    const best = this.#best.data;
    const value = utility(this.#exact.data, child * players, toMove[node]!);
    if (value > best[node]!) best[node] = value;
    if (best[node]! < most && (tried[node]! < edgeCount[node]! || !this.#allProven(node))) return false;
    this.set(node, this.exact(this.#bestChild(node, utility)));
    return true;
  }

  #allProven(node: number): boolean {
    const { firstEdge, edgeCount, child } = this.#tree;
    const first = firstEdge[node]!;
    const end = first + edgeCount[node]!;
    for (let edge = first; edge < end; edge++) if (!this.has(child[edge]!)) return false;
    return true;
  }

  #bestChild(node: number, utility: Utility): number {
    const { players, toMove, firstEdge, edgeCount, child } = this.#tree;
    const mover = toMove[node]!;
    const first = firstEdge[node]!;
    const end = first + edgeCount[node]!;
    let best = NONE;
    let greatest = -Infinity;
    for (let edge = first; edge < end; edge++) {
      const to = child[edge]!;
      if (to === NONE || !this.has(to)) continue;
      const value = utility(this.#exact.data, to * players, mover);
      if (value > greatest || best === NONE) {
        greatest = value;
        best = to;
      }
    }
    return best;
  }
}
