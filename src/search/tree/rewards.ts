import type { TreeColumn } from "./tree-column.ts";
import type { SearchTree } from "./search-tree.ts";

/** Part of a tree: the reward of each seat for the move that leads to a node. 0 at the root. */
export class Rewards {
  /** Shape [nodes, players]. */
  readonly column: TreeColumn<Float64Array>;
  readonly #tree: SearchTree;

  constructor(tree: SearchTree) {
    this.column = tree.nodeColumn(Float64Array, tree.players);
    this.#tree = tree;
  }

  /** Sets the rewards of a node from the returns before and after the move, both of shape [players]. */
  set(node: number, before: Float64Array, after: Float64Array): void {
    const { data, width } = this.column;
    const at = node * width;
    for (let seat = 0; seat < width; seat++) data[at + seat] = after[seat]! - before[seat]!;
  }

  /** Q of a seat for the move that leads to a node: its reward plus the value of the node. */
  actionValue(node: number, seat: number): number {
    const at = node * this.column.width + seat;
    return this.column.data[at]! + this.#tree.values[at]!;
  }
}
