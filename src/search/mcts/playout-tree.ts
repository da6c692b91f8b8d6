import { NONE, widened } from "../tree/nodes.ts";
import type { TreeColumn } from "../tree/tree-column.ts";
import { SearchTree } from "../tree/search-tree.ts";
import { Proofs } from "../tree/proofs.ts";
import { meanOf } from "../tree/sums.ts";
import { type Opponents, utilityOf } from "./opponents.ts";

/** The number of scores of each edge; see `PlayoutTree.score`. */
export const SCORE = 3;

/**
 * What a search by playouts keeps in its tree: proofs, if it has a solver, and the numbers that selection compares.
 * An edge costs 8 bytes until it is tried. The values of a node are the sums of the payoffs of the simulations through
 * it. The key of an edge is the seat that moves times the number of actions, plus the action; at a chance node it is the
 * outcome.
 *
 * The scores of a node's edges lie side by side. They exist only for nodes from which all edges have been tried: at the
 * other nodes an untried edge comes first.
 */
export class PlayoutTree {
  readonly tree: SearchTree;
  readonly proofs: Proofs | undefined;
  /**
   * Shape [edges with scores, SCORE]: the mover's mean, 1 / sqrt(n), and the weight of the move's history,
   * W / (n - sum + 1).
   */
  score = new Float64Array(256 * SCORE);
  readonly #hostile: boolean;
  /** W of Progressive History. */
  readonly #weight: number;
  /** Shape [nodes]: the index in `score` of the first number of the first edge, or NONE. */
  readonly #firstScore: TreeColumn<Int32Array>;
  /** Length of `score` that is in use. */
  #length = 0;

  constructor(
    players: number,
    { hostile }: Pick<Opponents<unknown>, "hostile">,
    weight: number,
    solver: boolean,
  ) {
    this.tree = new SearchTree(players);
    this.proofs = solver ? new Proofs(this.tree) : undefined;
    this.#firstScore = this.tree.nodeColumn(Int32Array, 1, NONE);
    this.#hostile = hostile;
    this.#weight = weight;
  }

  /** The mean payoff of a seat over the simulations through a node; at a proven node its exact payoff. */
  mean(node: number, seat: number): number {
    const { proofs, tree } = this;
    return proofs?.has(node) === true ? proofs.exact(node)[seat]! : meanOf(tree, node, seat);
  }

  /** Removes all scores, after the nodes of the tree have got other numbers. They are computed again when needed. */
  clearScores(): void {
    this.#length = 0;
    this.#firstScore.reset(0, this.tree.size);
  }

  /** The index in `score` of the numbers of a node's first edge. All edges of the node have been tried. */
  scoresOf(node: number, root: number): number {
    const known = this.#firstScore.data[node]!;
    return known === NONE ? this.#addScores(node, root) : known;
  }

  /** Computes the scores of an edge again, after a simulation through it. Scores that do not exist stay away. */
  rescore(node: number, edge: number, root: number): void {
    const first = this.#firstScore.data[node]!;
    if (first === NONE) return;
    const { tree, proofs } = this;
    const child = tree.child[edge]!;
    const visits = tree.visits[child]!;
    // A proven child is selected no more: further visits would change nothing.
    const sum =
      proofs?.has(child) === true
        ? -Infinity
        : utilityOf(this.#hostile, tree.values, child * tree.players, tree.toMove[node]!, root, visits);
    const at = first + SCORE * (edge - tree.firstEdge[node]!);
    this.score[at] = sum / visits;
    this.score[at + 1] = 1 / Math.sqrt(visits);
    this.score[at + 2] = this.#weight / (visits - sum + 1);
  }

  #addScores(node: number, root: number): number {
    const { tree } = this;
    const first = this.#length;
    const count = tree.edgeCount[node]!;
    this.#length += SCORE * count;
    if (this.#length > this.score.length)
      this.score = widened(this.score, new Float64Array(Math.max(2 * this.score.length, this.#length)));
    this.#firstScore.data[node] = first;
    const edge = tree.firstEdge[node]!;
    for (let i = 0; i < count; i++) this.rescore(node, edge + i, root);
    return first;
  }
}
