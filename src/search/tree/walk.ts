import type { Game } from "../../games/game.ts";
import { NONE, widened } from "./nodes.ts";
import type { SearchTree } from "./search-tree.ts";

/**
 * One simulation on its way through a tree: the path, the position that it has reached, and what comes back from the
 * leaf. The parts of a search read and write it. It is used again by the next simulation.
 */
export class Walk<S> {
  /** The number of this walk among those of its search, from 0. */
  readonly index: number;
  readonly tree: SearchTree;
  /** The position at the end of the path. Unused by a search whose nodes keep their states. */
  readonly state: S;
  /** The seat to move at the root of the search. */
  root = NONE;
  /** Whether it has ended, for now, at a node that another walk has in flight. */
  waits = false;
  /** Number of nodes on the path, L. The last one is the leaf. */
  length = 0;
  /** Shape [L]: the nodes of the path, from the root to the leaf. */
  nodes = new Int32Array(64);
  /** Shape [L - 1]: the edge that the simulation takes at each node before the leaf. */
  edges = new Int32Array(64);
  /** Shape [players]: what the backup takes to the nodes above, from the evaluation of the leaf. */
  readonly returns: Float64Array;

  constructor(game: Game<S>, tree: SearchTree, index = 0) {
    this.index = index;
    this.tree = tree;
    this.state = game.initial();
    this.returns = new Float64Array(game.players);
  }

  /** Adds a node to the path; returns its place on it. */
  push(node: number): number {
    const at = this.length++;
    if (at === this.nodes.length) this.#grow();
    this.nodes[at] = node;
    return at;
  }

  #grow(): void {
    const { length } = this.nodes;
    this.nodes = widened(this.nodes, new Int32Array(2 * length));
    this.edges = widened(this.edges, new Int32Array(2 * length));
  }
}
