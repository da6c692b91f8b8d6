import { NONE, ROOT } from "./nodes.ts";
import type { SearchTree } from "./search-tree.ts";

/** Part of a choice: keeps the tree below the moves played for the next decision of the game. */
export class KeptTree {
  readonly #tree: SearchTree;
  readonly #keeps: boolean;
  /** The node of the game's current position, or NONE. */
  #node = NONE;

  /** With `keeps` false every decision starts with a new tree. */
  constructor(tree: SearchTree, keeps: boolean) {
    this.#tree = tree;
    this.#keeps = keeps;
  }

  /** Keeps nothing for the next decision. */
  forget(): void {
    this.#node = NONE;
  }

  /** Follows a ply of the game, by its key in the tree. */
  follow(key: number): void {
    if (this.#node === NONE) return;
    const edge = this.#tree.edgeOf(this.#node, key);
    this.#node = edge === NONE ? NONE : this.#tree.child[edge]!;
  }

  /** Starts the tree of a decision: with the kept part of the last tree, or with only a root. */
  plant(toMove: number): void {
    const tree = this.#tree;
    if (this.#node !== NONE && this.#node !== ROOT) tree.rebase(this.#node);
    else {
      tree.clear();
      tree.addNode(toMove);
    }
    this.#node = this.#keeps ? ROOT : NONE;
  }
}
