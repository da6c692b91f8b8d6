import type { SearchTree } from "../tree/search-tree.ts";
import type { TreeColumn } from "../tree/tree-column.ts";
import type { Walk } from "../tree/walk.ts";

/**
 * Part of a tree: the all-moves-as-first statistics (AMAF) of every edge, the payoffs of the simulations through its node
 * in which the mover of the node made the move of the edge there or later, in the tree or in the playout. Each simulation
 * counts once.
 *
 * Source: S. Gelly and D. Silver, *Monte-Carlo tree search and rapid action value estimation in computer Go* (2011),
 * section 4.
 */
export class Amaf {
  /** Shape [edges, 2]: the sum of the mover's payoffs, and their number. */
  readonly column: TreeColumn<Float64Array>;
  /** By key of a move: the last simulation in which the move was made, counted from the end of that simulation. */
  readonly #made: Float64Array;
  #simulation = 0;

  /** Keys of moves are 0 .. keys - 1; see `PlayoutTree`. */
  constructor(tree: SearchTree, keys: number) {
    this.column = tree.edgeColumn(Float64Array, 2);
    this.#made = new Float64Array(keys);
  }

  /**
   * Adds a simulation. The first `length` of `keys` are the moves of its playout; `utilities` has what the simulation
   * paid each seat.
   */
  add<S>(
    { tree, nodes, edges, length: steps }: Walk<S>,
    keys: Int32Array,
    length: number,
    utilities: Float64Array,
  ): void {
    const made = this.#made;
    const number = ++this.#simulation;
    const { key, firstEdge, edgeCount, toMove } = tree;
    const { data } = this.column;
    for (let i = 0; i < length; i++) made[keys[i]!] = number;
    for (let depth = steps - 2; depth >= 0; depth--) {
      const node = nodes[depth]!;
      const mover = toMove[node]!;
      if (mover < 0) continue;
      made[key[edges[depth]!]!] = number;
      const payoff = utilities[mover]!;
      const first = firstEdge[node]!;
      const end = first + edgeCount[node]!;
      for (let edge = first; edge < end; edge++) {
        if (made[key[edge]!] !== number) continue;
        data[2 * edge]! += payoff;
        data[2 * edge + 1]! += 1;
      }
    }
  }
}
