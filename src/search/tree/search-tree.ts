import { TreeColumn, type Numbers } from "./tree-column.ts";
import { NONE, widened } from "./nodes.ts";

const NODES = 256;
const EDGES = 1024;

/** The least number of edges that there is room for at a node whose edges are added one by one. */
const LEAST_ROOM = 4;

/**
 * The tree of every tree search: nodes and edges as a structure of arrays, which grow by doubling and are used again.
 *
 * An edge is a move (an action, an outcome of chance, whatever the search numbers as a key) at an expanded node. A node
 * is what a simulation reaches through an edge. The edges of a node lie side by side, so the hundreds of moves of a node
 * cost 8 bytes each until they are tried. A child is always added after its parent: its number is greater.
 *
 * Every node has visits and a value for each seat. What else a search keeps, such as priors, rewards or proofs, is a
 * `TreeColumn` that one of its parts owns. Columns are made before the first node.
 */
export class SearchTree {
  readonly players: number;
  /** Number of nodes, N. */
  size = 0;
  /** Number of places for edges in use, E. */
  edges = 0;
  /** Shape [N]: the seat to move, CHANCE or OVER. */
  toMove = new Int16Array(NODES);
  /** Shape [N]: the number of simulations that passed through the node or ended in it. Counted before the backup. */
  visits = new Int32Array(NODES);
  /** Shape [N]: the first edge, or NONE while the node has no edges. */
  firstEdge = new Int32Array(NODES);
  /** Shape [N]: the number of edges. */
  edgeCount = new Int32Array(NODES);
  /** Shape [N]: the number of edges that lead to a node. */
  tried = new Int32Array(NODES);
  /** Shape [N, players]: of each seat, what the backup of the search keeps: a sum, a mean or a value of its own. */
  values: Float64Array;
  /** Shape [E]: the move, as the search numbers moves. */
  key = new Int32Array(EDGES);
  /** Shape [E]: the node that the edge leads to, or NONE. */
  child = new Int32Array(EDGES);
  /** Shape [N]: the number of places for edges that the node has. */
  #room = new Int32Array(NODES);
  readonly #nodeColumns: TreeColumn[] = [];
  readonly #edgeColumns: TreeColumn[] = [];

  // Beyond the nodes and edges in use, all arrays hold what a new node or edge starts with. So adding one costs next to
  // nothing, and what a decision has used is set back at once.
  constructor(players: number) {
    this.players = players;
    this.values = new Float64Array(NODES * players);
    this.firstEdge.fill(NONE);
    this.child.fill(NONE);
  }

  /** Makes a column with `width` numbers for each node. */
  nodeColumn<A extends Numbers>(kind: new (length: number) => A, width = 1, initial = 0): TreeColumn<A> {
    const column = new TreeColumn(kind, width, initial, this.toMove.length);
    this.#nodeColumns.push(column);
    return column;
  }

  /** Makes a column with `width` numbers for each edge. */
  edgeColumn<A extends Numbers>(kind: new (length: number) => A, width = 1, initial = 0): TreeColumn<A> {
    const column = new TreeColumn(kind, width, initial, this.key.length);
    this.#edgeColumns.push(column);
    return column;
  }

  /** Removes everything. */
  clear(): void {
    this.#truncate(0, 0);
  }

  /** Adds a node without edges, without visits and with values of 0; returns it. */
  addNode(toMove: number): number {
    const node = this.size++;
    if (node === this.toMove.length) this.#growNodes(2 * node);
    this.toMove[node] = toMove;
    return node;
  }

  /** Adds a node behind an edge that leads to none; returns it. */
  addChild(node: number, edge: number, toMove: number): number {
    const child = this.addNode(toMove);
    this.child[edge] = child;
    this.tried[node]!++;
    return child;
  }

  /** Expands a node without edges: adds an edge for each of the first `count` keys. Returns the first edge. */
  addEdges(node: number, keys: Int32Array, count: number): number {
    const first = this.#takeRoom(count);
    const { key } = this;
    for (let i = 0; i < count; i++) key[first + i] = keys[i]!;
    this.firstEdge[node] = first;
    this.edgeCount[node] = count;
    this.#room[node] = count;
    return first;
  }

  /** Adds one edge behind the others of a node; returns it. The edges of this node may move to other places. */
  addEdge(node: number, key: number): number {
    const count = this.edgeCount[node]!;
    if (count === this.#room[node]!) this.#widen(node, Math.max(LEAST_ROOM, 2 * count));
    const edge = this.firstEdge[node]! + count;
    this.edgeCount[node] = count + 1;
    this.key[edge] = key;
    return edge;
  }

  /** The edge of a node with this key, or NONE. */
  edgeOf(node: number, key: number): number {
    const first = this.firstEdge[node]!;
    const end = first + this.edgeCount[node]!;
    for (let edge = first; edge < end; edge++) if (this.key[edge] === key) return edge;
    return NONE;
  }

  /** Exchanges two edges of a node, with all that is kept of them. */
  swapEdges(one: number, other: number): void {
    if (one === other) return;
    const { key, child } = this;
    const [k, c] = [key[one]!, child[one]!];
    key[one] = key[other]!;
    child[one] = child[other]!;
    key[other] = k;
    child[other] = c;
    const columns = this.#edgeColumns;
    for (let i = 0; i < columns.length; i++) columns[i]!.swap(one, other);
  }

  /** Drops all but the subtree that starts at a node, which becomes the root. Nodes and edges get other numbers. */
  rebase(root: number): void {
    const kept = this.#subtree(root);
    const numbers = new Int32Array(this.size).fill(NONE);
    for (const [number, node] of kept.entries()) numbers[node] = number;
    const edges = this.#keepEdges(kept, numbers);
    for (const [to, from] of kept.entries()) this.#moveNode(to, from);
    this.#truncate(kept.length, edges);
  }

  /** Becomes equal to another tree with the same columns. */
  copy(from: SearchTree): void {
    if (this.toMove.length < from.size) this.#growNodes(from.toMove.length);
    if (this.key.length < from.edges) this.#growEdges(from.key.length);
    this.clear();
    this.size = from.size;
    this.edges = from.edges;
    for (const array of ["toMove", "visits", "firstEdge", "edgeCount", "tried"] as const)
      copyInto(this[array], from[array], from.size);
    copyInto(this.#room, from.#room, from.size);
    copyInto(this.values, from.values, from.size * this.players);
    copyInto(this.key, from.key, from.edges);
    copyInto(this.child, from.child, from.edges);
    for (const [i, column] of this.#nodeColumns.entries()) column.copy(from.#nodeColumns[i]!, from.size);
    for (const [i, column] of this.#edgeColumns.entries()) column.copy(from.#edgeColumns[i]!, from.edges);
  }

  /** The nodes of a subtree in increasing order. */
  #subtree(root: number): Int32Array {
    const within = new Uint8Array(this.size);
    within[root] = 1;
    let count = 0;
    for (let node = root; node < this.size; node++) {
      if (within[node] === 0) continue;
      count++;
      const first = this.firstEdge[node]!;
      for (let edge = first; edge < first + this.edgeCount[node]!; edge++)
        if (this.child[edge] !== NONE) within[this.child[edge]!] = 1;
    }
    const nodes = new Int32Array(count);
    for (let node = root, i = 0; i < count; node++) if (within[node] === 1) nodes[i++] = node;
    return nodes;
  }

  /**
   * Moves the edges of some nodes to the front, in the order in which they lie, and renames their children. Returns their
   * number.
   */
  #keepEdges(nodes: Int32Array, numbers: Int32Array): number {
    const { firstEdge, edgeCount, key, child } = this;
    const expanded = nodes.filter((node) => firstEdge[node] !== NONE);
    expanded.sort((a, b) => firstEdge[a]! - firstEdge[b]!);
    let end = 0;
    for (const node of expanded) {
      const first = firstEdge[node]!;
      const count = edgeCount[node]!;
      key.copyWithin(end, first, first + count);
      for (let i = 0; i < count; i++) {
        const to = child[first + i]!;
        child[end + i] = to === NONE ? NONE : numbers[to]!;
      }
      for (const column of this.#edgeColumns) column.move(end, first, count);
      firstEdge[node] = end;
      this.#room[node] = count;
      end += count;
    }
    return end;
  }

  #moveNode(to: number, from: number): void {
    if (to === from) return;
    this.toMove[to] = this.toMove[from]!;
    this.visits[to] = this.visits[from]!;
    this.firstEdge[to] = this.firstEdge[from]!;
    this.edgeCount[to] = this.edgeCount[from]!;
    this.tried[to] = this.tried[from]!;
    this.#room[to] = this.#room[from]!;
    const { players, values } = this;
    for (let seat = 0; seat < players; seat++) values[to * players + seat] = values[from * players + seat]!;
    for (const column of this.#nodeColumns) column.move(to, from, 1);
  }

  /** Moves the edges of a node to a place with more room. */
  #widen(node: number, room: number): void {
    const from = this.firstEdge[node]!;
    const count = this.edgeCount[node]!;
    const to = this.#takeRoom(room);
    this.firstEdge[node] = to;
    this.#room[node] = room;
    for (let i = 0; i < count; i++) {
      this.key[to + i] = this.key[from + i]!;
      this.child[to + i] = this.child[from + i]!;
    }
    if (count > 0) for (const column of this.#edgeColumns) column.move(to, from, count);
  }

  /** Takes `count` places for edges behind the last one in use; returns the first of them. */
  #takeRoom(count: number): number {
    const first = this.edges;
    this.edges += count;
    if (this.edges > this.key.length) {
      let length = 2 * this.key.length;
      while (this.edges > length) length *= 2;
      this.#growEdges(length);
    }
    return first;
  }

  /** Keeps the first nodes and the first edges, and sets all behind them to what new ones start with. */
  #truncate(nodes: number, edges: number): void {
    const { size, edges: used, players } = this;
    for (const array of [this.visits, this.edgeCount, this.tried, this.#room]) array.fill(0, nodes, size);
    this.firstEdge.fill(NONE, nodes, size);
    this.values.fill(0, nodes * players, size * players);
    for (const column of this.#nodeColumns) column.reset(nodes, size);
    this.child.fill(NONE, edges, used);
    for (const column of this.#edgeColumns) column.reset(edges, used);
    this.size = nodes;
    this.edges = edges;
  }

  #growNodes(length: number): void {
    const before = this.toMove.length;
    this.toMove = widened(this.toMove, new Int16Array(length));
    this.visits = widened(this.visits, new Int32Array(length));
    this.firstEdge = widened(this.firstEdge, new Int32Array(length));
    this.firstEdge.fill(NONE, before);
    this.edgeCount = widened(this.edgeCount, new Int32Array(length));
    this.tried = widened(this.tried, new Int32Array(length));
    this.#room = widened(this.#room, new Int32Array(length));
    this.values = widened(this.values, new Float64Array(length * this.players));
    for (const column of this.#nodeColumns) column.grow(length);
  }

  #growEdges(length: number): void {
    const before = this.key.length;
    this.key = widened(this.key, new Int32Array(length));
    this.child = widened(this.child, new Int32Array(length));
    this.child.fill(NONE, before);
    for (const column of this.#edgeColumns) column.grow(length);
  }
}

function copyInto<A extends Int16Array | Int32Array | Float64Array>(into: A, from: A, count: number): void {
  for (let i = 0; i < count; i++) into[i] = from[i]!;
}
