import type { Random } from "../../random.ts";
import type { SearchTree } from "../tree/search-tree.ts";
import type { TreeColumn } from "../tree/tree-column.ts";

/**
 * Part of a tree: progressive widening. A node considers move number n + 1 from t_n visits on, where t_0 = 0, t_1 = T and
 * t_(n+1) = t_n + T growth^n. The move of greatest prior comes first; a draw decides between equal ones.
 *
 * Source: R. Coulom, *Computing Elo ratings of move patterns in the game of Go* (2007), section 4.2, with T = 40 and
 * growth 1.4.
 */
export class Widening {
  readonly #tree: SearchTree;
  readonly #priors: TreeColumn<Float64Array> | undefined;
  /** Shape [edges]: 1 for a move that its node considers. */
  readonly considered: TreeColumn<Uint8Array>;
  /** Shape [nodes]: the number of moves that the node considers. */
  readonly #count: TreeColumn<Int32Array>;
  /** t_n by n. */
  readonly #thresholds: Float64Array;
  readonly #candidates: Int32Array;

  /**
   * `priors`, shape [edges], is what orders moves; without it all are equal. `moves`: the greatest number of moves that a
   * node can have.
   */
  constructor(
    tree: SearchTree,
    { simulations, growth }: { readonly simulations: number; readonly growth: number },
    priors: TreeColumn<Float64Array> | undefined,
    moves: number,
  ) {
    this.#tree = tree;
    this.#priors = priors;
    this.considered = tree.edgeColumn(Uint8Array);
    this.#count = tree.nodeColumn(Int32Array);
    this.#thresholds = new Float64Array(moves);
    for (let n = 1, step = simulations; n < moves; n++, step *= growth)
      this.#thresholds[n] = this.#thresholds[n - 1]! + step;
    this.#candidates = new Int32Array(moves);
  }

  /** Considers as many moves of a node as its visits allow. */
  widen(node: number, random: Random): void {
    const visits = this.#tree.visits[node]!;
    const all = this.#tree.edgeCount[node]!;
    for (let count = this.#count.data[node]!; count < all; count++) {
      if (visits < this.#thresholds[count]!) return;
      this.addMove(node, random);
    }
  }

  /** Considers one more move of a node, if there is one. Returns whether there was. */
  addMove(node: number, random: Random): boolean {
    const { firstEdge, edgeCount } = this.#tree;
    const count = this.#count.data;
    if (count[node] === edgeCount[node]) return false;
    count[node]!++;
    this.considered.data[this.#best(firstEdge[node]!, edgeCount[node]!, random)] = 1;
    return true;
  }

  /** The edge of greatest prior among those of a node that are not considered yet. */
  #best(first: number, count: number, random: Random): number {
    const considered = this.considered.data;
    const priors = this.#priors?.data;
    const candidates = this.#candidates;
    let found = 0;
    let greatest = -Infinity;
    for (let edge = first; edge < first + count; edge++) {
      if (considered[edge] === 1) continue;
      const prior = priors === undefined ? 0 : priors[edge]!;
      if (prior < greatest) continue;
      if (prior > greatest) {
        greatest = prior;
        found = 0;
      }
      candidates[found++] = edge;
    }
    return candidates[found === 1 ? 0 : random.below(found)]!;
  }
}
