import { EdgeTree } from "../tree/edge-tree.ts";
import { NONE, ROOT, widened } from "../tree/nodes.ts";

/** The number of scores of each edge, at a node whose children have all been visited; see `PlayoutTree.score`. */
export const SCORE = 3;

/** A tree with this many edges (8 bytes each) grows no more: simulations then end at its leaves. */
const MOST_EDGES = 1 << 25;

/**
 * The tree of a Monte Carlo tree search by playouts. An edge costs 8 bytes until it is tried.
 *
 * The numbers that selection compares (`score`) lie side by side. They exist only for nodes whose children have all
 * been visited: at the other nodes an unvisited child comes first. The key of an edge is the seat that moves times the
 * number of actions, plus the action; at a chance node it is the outcome.
 */
export class PlayoutTree extends EdgeTree {
  /** Of each expanded node: the number of its edges that lead to no node yet. */
  unvisited = new Int32Array(256);
  /** Of each node: the index in `score` of the first number of its first edge, or NONE. */
  firstScore = new Int32Array(256);
  /** Of each node: 1 where `exact` holds its value, else 0. Empty in a tree without proofs. */
  proven: Uint8Array;
  /** Row-major [node, players]: the payoff of each seat at a proven node. Empty in a tree without proofs. */
  exact: Float64Array;
  /** Row-major [node, players]: the sum of the payoffs of the simulations through the node. */
  sums: Float64Array;
  /**
   * Row-major [edge, SCORE], for nodes with scores: the mover's mean, 1 / sqrt(n), and the weight of the move's
   * history.
   */
  score = new Float64Array(256 * SCORE);
  #scores = 0;
  readonly #proofs: boolean;

  constructor(players: number, proofs: boolean) {
    super(players);
    this.sums = new Float64Array(256 * players);
    this.#proofs = proofs;
    this.proven = new Uint8Array(proofs ? 256 : 0);
    this.exact = new Float64Array(proofs ? 256 * players : 0);
  }

  override clear(): void {
    super.clear();
    this.#scores = 0;
  }

  override addNode(toMove: number): number {
    const node = super.addNode(toMove);
    this.unvisited[node] = 0;
    this.firstScore[node] = NONE;
    if (this.#proofs) this.proven[node] = 0;
    const at = node * this.players;
    for (let seat = 0; seat < this.players; seat++) this.sums[at + seat] = 0;
    return node;
  }

  /** Whether the tree has room to expand a node with this many moves. */
  roomFor(count: number): boolean {
    return this.edges + count <= MOST_EDGES;
  }

  override addEdges(node: number, keys: Int32Array, count: number): void {
    super.addEdges(node, keys, count);
    this.unvisited[node] = count;
  }

  /** Makes room for the scores of a node's edges. */
  addScores(node: number): void {
    const first = this.#scores;
    this.#scores += SCORE * this.edgeCount[node]!;
    if (this.#scores > this.score.length) {
      const length = Math.max(2 * this.score.length, this.#scores);
      this.score = widened(this.score, new Float64Array(length));
    }
    this.firstScore[node] = first;
  }

  /** The mean payoff of a seat over the simulations through a node; at a proven node its exact payoff. */
  mean(node: number, seat: number): number {
    const at = node * this.players + seat;
    return this.#proofs && this.proven[node] === 1 ? this.exact[at]! : this.sums[at]! / this.visits[node]!;
  }

  /** Copies the subtree of another tree that starts at `root`. That node becomes the root of this tree. */
  assign(from: PlayoutTree, root: number): void {
    this.clear();
    const origins = [root];
    this.addNode(from.toMove[root]!);
    for (let node = ROOT; node < this.size; node++) {
      const origin = origins[node]!;
      this.visits[node] = from.visits[origin]!;
      if (this.#proofs) this.proven[node] = from.proven[origin]!;
      for (let seat = 0; seat < this.players; seat++) {
        const [to, at] = [node * this.players + seat, origin * this.players + seat];
        this.sums[to] = from.sums[at]!;
        if (this.#proofs) this.exact[to] = from.exact[at]!;
      }
      const first = from.firstEdge[origin]!;
      if (first === NONE) continue;
      const count = from.edgeCount[origin]!;
      this.addEdges(node, from.key.subarray(first, first + count), count);
      this.unvisited[node] = from.unvisited[origin]!;
      for (let i = 0; i < count; i++) {
        const child = from.child[first + i]!;
        if (child === NONE) continue;
        this.child[this.firstEdge[node]! + i] = this.addNode(from.toMove[child]!);
        origins.push(child);
      }
      const score = from.firstScore[origin]!;
      if (score === NONE) continue;
      this.addScores(node);
      this.score.set(from.score.subarray(score, score + SCORE * count), this.firstScore[node]);
    }
  }

  protected override growNodes(length: number): void {
    super.growNodes(length);
    this.unvisited = widened(this.unvisited, new Int32Array(length));
    this.firstScore = widened(this.firstScore, new Int32Array(length));
    this.sums = widened(this.sums, new Float64Array(length * this.players));
    if (!this.#proofs) return;
    this.proven = widened(this.proven, new Uint8Array(length));
    this.exact = widened(this.exact, new Float64Array(length * this.players));
  }
}
