/** The node that a tree starts from. */
export const ROOT = 0;

/** No node, no edge, no scores. */
export const NONE = -1;

/** Numbers kept for each edge of a node whose children have all been visited; see `PlayoutTree.score`. */
export const SCORE = 3;

/** No node is expanded once a tree has this many edges (8 bytes each); simulations then end at its leaves. */
const MOST_EDGES = 1 << 25;

/**
 * The tree of a search by playouts, as a structure of arrays without states: a simulation plays its way from the
 * root again on one working state.
 *
 * An edge is a move that can be made at an expanded node, a node a position that a simulation has reached. So a node's
 * hundreds of moves cost 8 bytes each until they are tried, and what selection compares (`score`) is laid out side by
 * side, and only for nodes whose children have all been visited: at the others an unvisited one comes first. The
 * arrays grow by doubling and are used again.
 */
export class PlayoutTree {
  readonly players: number;
  /** Number of nodes. */
  size = 0;
  /** Of each node: the seat to move, CHANCE or OVER. */
  toMove = new Int16Array(256);
  /** Of each node: the simulations that passed through it or ended in it. */
  visits = new Int32Array(256);
  /** Of each node: its first edge, or NONE while it is a leaf. */
  firstEdge = new Int32Array(256);
  edgeCount = new Int32Array(256);
  /** Of each expanded node: how many of its edges lead to no node yet. */
  unvisited = new Int32Array(256);
  /** Of each node: the place of its first edge's numbers in `score`, or NONE. */
  firstScore = new Int32Array(256);
  /** Of each node: whether `exact` holds its value. Filled where the tree is made for proofs. */
  proven: Uint8Array;
  /** Row-major [node, players]: what each seat is paid from a proven node on. */
  exact: Float64Array;
  /** Row-major [node, players]: the payoffs of the simulations through the node, added up. */
  sums: Float64Array;
  /** Number of edges. */
  edges = 0;
  /** Of each edge: the seat that moves times the number of actions, plus the action; or the outcome of chance. */
  key = new Int32Array(1024);
  /** Of each edge: the node it leads to, or NONE. */
  child = new Int32Array(1024);
  /** For each edge of some nodes: the mover's mean, 1 / sqrt(n), and the weight of the move's history. */
  score = new Float64Array(256 * SCORE);
  #scores = 0;
  readonly #proofs: boolean;

  constructor(players: number, proofs: boolean) {
    this.players = players;
    this.sums = new Float64Array(256 * players);
    this.#proofs = proofs;
    this.proven = new Uint8Array(proofs ? 256 : 0);
    this.exact = new Float64Array(proofs ? 256 * players : 0);
  }

  /** Removes everything. */
  clear(): void {
    this.size = 0;
    this.edges = 0;
    this.#scores = 0;
  }

  /** Adds a node that no simulation has counted yet. */
  addNode(toMove: number): number {
    const node = this.size++;
    if (node === this.toMove.length) this.#growNodes();
    this.toMove[node] = toMove;
    this.visits[node] = 0;
    this.firstEdge[node] = NONE;
    this.edgeCount[node] = 0;
    this.unvisited[node] = 0;
    this.firstScore[node] = NONE;
    if (this.#proofs) this.proven[node] = 0;
    const at = node * this.players;
    for (let seat = 0; seat < this.players; seat++) this.sums[at + seat] = 0;
    return node;
  }

  /** Whether there is room to expand a node with this many moves. */
  roomFor(count: number): boolean {
    return this.edges + count <= MOST_EDGES;
  }

  /** Expands a node by the first `count` keys. */
  addEdges(node: number, keys: Int32Array, count: number): void {
    const first = this.edges;
    const end = first + count;
    while (end > this.key.length) this.#growEdges();
    const { key, child } = this;
    for (let i = 0; i < count; i++) {
      key[first + i] = keys[i]!;
      child[first + i] = NONE;
    }
    this.edges = end;
    this.firstEdge[node] = first;
    this.edgeCount[node] = count;
    this.unvisited[node] = count;
  }

  /** The edge of an expanded node with this key, or NONE. */
  edgeOf(node: number, key: number): number {
    const first = this.firstEdge[node]!;
    const end = first + this.edgeCount[node]!;
    for (let edge = first; edge < end; edge++) if (this.key[edge] === key) return edge;
    return NONE;
  }

  /** Makes room for the numbers that selection compares at a node. */
  addScores(node: number): void {
    const first = this.#scores;
    this.#scores += SCORE * this.edgeCount[node]!;
    if (this.#scores > this.score.length) {
      const wider = new Float64Array(Math.max(2 * this.score.length, this.#scores));
      wider.set(this.score);
      this.score = wider;
    }
    this.firstScore[node] = first;
  }

  /** The mean of what a seat was paid in the simulations through a node; its exact value where that is proven. */
  mean(node: number, seat: number): number {
    const at = node * this.players + seat;
    return this.#proofs && this.proven[node] === 1 ? this.exact[at]! : this.sums[at]! / this.visits[node]!;
  }

  /** Makes this tree equal to the part of another one that starts at `root`, which becomes the root. */
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

  #growNodes(): void {
    const length = 2 * this.toMove.length;
    this.toMove = widened(this.toMove, new Int16Array(length));
    this.visits = widened(this.visits, new Int32Array(length));
    this.firstEdge = widened(this.firstEdge, new Int32Array(length));
    this.edgeCount = widened(this.edgeCount, new Int32Array(length));
    this.unvisited = widened(this.unvisited, new Int32Array(length));
    this.firstScore = widened(this.firstScore, new Int32Array(length));
    this.sums = widened(this.sums, new Float64Array(length * this.players));
    if (!this.#proofs) return;
    this.proven = widened(this.proven, new Uint8Array(length));
    this.exact = widened(this.exact, new Float64Array(length * this.players));
  }

  #growEdges(): void {
    const length = 2 * this.key.length;
    this.key = widened(this.key, new Int32Array(length));
    this.child = widened(this.child, new Int32Array(length));
  }
}

function widened<A extends Uint8Array | Int16Array | Int32Array | Float64Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
