import { NONE, ROOT } from "../tree/nodes.ts";
import { Proofs, type Utility } from "../tree/proofs.ts";
import type { SearchTree } from "../tree/search-tree.ts";
import { indexOf } from "./index-of.ts";

/** The utility of a seat that plays for itself. */
const own: Utility = (payoffs, at, seat) => payoffs[at + seat]!;

/**
 * Part of a tree that a net guides: which nodes are proven, by the returns of the whole game, and what follows for moves.
 *
 * A move is *closed* when it is proven, and is a loss (it gives its mover the least return of the game) or worse than
 * another proven move of the node. Simulations take no closed move. Any other proven move competes with the unproven ones:
 * it may be the best one, and a node that avoided it would be valued by its worse moves alone.
 */
export class ProvenMoves {
  readonly proofs: Proofs;
  readonly #tree: SearchTree;
  readonly #least: number;
  readonly #most: number;

  /** The bounds are those of the returns of a seat. */
  constructor(tree: SearchTree, [least, most]: readonly [number, number]) {
    this.proofs = new Proofs(tree);
    this.#tree = tree;
    this.#least = least;
    this.#most = most;
  }

  /** Proves a node by a proven child, if that suffices. Returns whether the node is proven. Chance nodes never are. */
  prove(node: number, child: number): boolean {
    return this.#tree.toMove[node]! >= 0 && this.proofs.prove(node, child, own, this.#most);
  }

  /** Whether a decision node has proven moves. */
  someIn(node: number): boolean {
    return this.proofs.bestOf(node) > -Infinity;
  }

  /** Whether the move of a decision node that leads to `child` is closed. NONE represents an untried move. */
  closed(node: number, child: number): boolean {
    if (child === NONE || !this.proofs.has(child)) return false;
    const value = this.proofs.exactOf(child, this.#tree.toMove[node]!);
    return value <= this.#least || value < this.proofs.bestOf(node);
  }

  /**
   * Sets the weights of root moves that are neither to be played nor to be learned to 0. These are the closed moves; at a
   * proven root, unless it is lost, all moves but the best proven ones. Weights lie beside `actions`, the legal ones in
   * increasing order. They stay as they are if none would be left. Returns whether a move was left out.
   */
  keepGood(actions: Int32Array, weights: Float64Array): boolean {
    const settled = this.proofs.has(ROOT);
    if (!this.someIn(ROOT) || (settled && this.proofs.bestOf(ROOT) <= this.#least)) return false;
    const { firstEdge, edgeCount, child, key } = this.#tree;
    const good = new Uint8Array(actions.length);
    const first = firstEdge[ROOT]!;
    const end = first + edgeCount[ROOT]!;
    let left = 0;
    for (let edge = first; edge < end; edge++) {
      const to = child[edge]!;
      if (this.closed(ROOT, to) || (settled && (to === NONE || !this.proofs.has(to)))) continue;
      const index = indexOf(actions, key[edge]!);
      good[index] = 1;
      left += weights[index]!;
    }
    if (left === 0 && !settled) return false;
    // If the best proven moves have no weight of their own, they share it equally.
    for (let i = 0; i < weights.length; i++) weights[i] = left === 0 ? good[i]! : weights[i]! * good[i]!;
    return good.includes(0);
  }
}
