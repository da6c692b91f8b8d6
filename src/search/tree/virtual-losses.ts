import type { SearchTree } from "./search-tree.ts";
import type { TreeColumn } from "./tree-column.ts";
import type { Walk } from "./walk.ts";

/**
 * Part of a tree in which several simulations are under way at once: until a simulation is backed up, every node of its path
 * counts as visited so many times more. The next simulations then take other paths. A selection may count each of these visits
 * with the least return for the seat that moved there.
 *
 * Source: Chaslot, Winands and van den Herik 2008 (Parallel Monte-Carlo tree search); the number of losses as in Silver et
 * al. 2016; visits without losses as in Liu et al. 2020 (Watch the unobserved).
 */
export class VirtualLosses {
  /** Shape [nodes]: visits that have not been made. */
  readonly column: TreeColumn<Int32Array>;
  readonly #perSimulation: number;

  constructor(tree: SearchTree, perSimulation: number) {
    this.column = tree.nodeColumn(Int32Array);
    this.#perSimulation = perSimulation;
  }

  /** Counts a simulation that has reached its leaf. */
  add({ nodes, length }: Walk<unknown>): void {
    const { data } = this.column;
    for (let depth = 0; depth < length; depth++) data[nodes[depth]!]! += this.#perSimulation;
  }

  /** Takes back what `add` has counted. */
  remove({ nodes, length }: Walk<unknown>): void {
    const { data } = this.column;
    for (let depth = 0; depth < length; depth++) data[nodes[depth]!]! -= this.#perSimulation;
  }
}
