import { NONE, widened } from "./nodes.ts";

/**
 * A search tree of edges and visited nodes without states, as a structure of arrays. Every simulation plays from the
 * root on one working state.
 *
 * An edge is a move at an expanded node; a node is a position that a simulation has reached. So the hundreds of moves
 * of a node cost a few bytes each until they are tried. The arrays grow by doubling and are used again. Subclasses add
 * what their search keeps of nodes and edges.
 */
export class EdgeTree {
  readonly players: number;
  /** Number of nodes. */
  size = 0;
  /** Of each node: the seat to move, CHANCE or OVER. */
  toMove = new Int16Array(256);
  /** Of each node: the number of simulations that passed through it or ended in it. */
  visits = new Int32Array(256);
  /** Of each node: its first edge, or NONE while it is a leaf. */
  firstEdge = new Int32Array(256);
  edgeCount = new Int32Array(256);
  /** Number of edges. */
  edges = 0;
  /** Of each edge: its move, as the search numbers moves. */
  key = new Int32Array(1024);
  /** Of each edge: the node it leads to, or NONE. */
  child = new Int32Array(1024);

  constructor(players: number) {
    this.players = players;
  }

  /** Removes everything. */
  clear(): void {
    this.size = 0;
    this.edges = 0;
  }

  /** Adds a node without edges and without visits. */
  addNode(toMove: number): number {
    const node = this.size++;
    if (node === this.toMove.length) this.growNodes(2 * node);
    this.toMove[node] = toMove;
    this.visits[node] = 0;
    this.firstEdge[node] = NONE;
    this.edgeCount[node] = 0;
    return node;
  }

  /** Expands a node: adds an edge for each of the first `count` keys. */
  addEdges(node: number, keys: Int32Array, count: number): void {
    const first = this.edges;
    const end = first + count;
    while (end > this.key.length) this.growEdges(2 * this.key.length);
    const { key, child } = this;
    for (let i = 0; i < count; i++) {
      key[first + i] = keys[i]!;
      child[first + i] = NONE;
    }
    this.edges = end;
    this.firstEdge[node] = first;
    this.edgeCount[node] = count;
  }

  /** The edge of an expanded node with this key, or NONE. */
  edgeOf(node: number, key: number): number {
    const first = this.firstEdge[node]!;
    const end = first + this.edgeCount[node]!;
    for (let edge = first; edge < end; edge++) if (this.key[edge] === key) return edge;
    return NONE;
  }

  /** Makes room for this many nodes. */
  protected growNodes(length: number): void {
    this.toMove = widened(this.toMove, new Int16Array(length));
    this.visits = widened(this.visits, new Int32Array(length));
    this.firstEdge = widened(this.firstEdge, new Int32Array(length));
    this.edgeCount = widened(this.edgeCount, new Int32Array(length));
  }

  /** Makes room for this many edges. */
  protected growEdges(length: number): void {
    this.key = widened(this.key, new Int32Array(length));
    this.child = widened(this.child, new Int32Array(length));
  }
}
