import { NONE, widened } from "../tree/nodes.ts";

/**
 * A tree of information sets as a structure of arrays. A node is a number. It stands for all positions that one
 * observer cannot distinguish after what it has seen since the root.
 *
 * The moves at a node depend on the determinization, so children are added one by one. They form a linked list in the
 * order in which they were added. The key of a child is what the observer saw: an action, a class of actions that look
 * alike, a group of actions, or an outcome of chance. The arrays grow by doubling and are used again.
 */
export class InformationTree {
  readonly players: number;
  /** Number of nodes. */
  size = 0;
  /** Of each node: the number of simulations that passed through it or ended in it. */
  visits = new Int32Array(1024);
  /** Of each node: the number of simulations that passed through its parent while its key was possible there. */
  available = new Int32Array(1024);
  key = new Int32Array(1024);
  firstChild = new Int32Array(1024);
  lastChild = new Int32Array(1024);
  nextSibling = new Int32Array(1024);
  /** Row-major [node, players]: the sum of each seat's returns over the simulations through the node. */
  sums: Float64Array;

  constructor(players: number) {
    this.players = players;
    this.sums = new Float64Array(1024 * players);
  }

  /** Starts again with only a root. */
  reset(): void {
    this.size = 0;
    this.#add(NONE);
  }

  /** The child with a key, or NONE. */
  childOf(node: number, key: number): number {
    let child = this.firstChild[node]!;
    while (child !== NONE && this.key[child] !== key) child = this.nextSibling[child]!;
    return child;
  }

  /** Adds a child after the others. It counts as available once. */
  addChild(node: number, key: number): number {
    const child = this.#add(key);
    this.available[child] = 1;
    if (this.firstChild[node] === NONE) this.firstChild[node] = child;
    else this.nextSibling[this.lastChild[node]!] = child;
    this.lastChild[node] = child;
    return child;
  }

  /** Counts a simulation with these returns at the first `length` nodes of a path. */
  backUp(path: Int32Array, length: number, returns: Float64Array): void {
    const { players, sums, visits } = this;
    for (let i = 0; i < length; i++) {
      const node = path[i]!;
      visits[node]!++;
      for (let seat = 0, at = node * players; seat < players; seat++) sums[at + seat]! += returns[seat]!;
    }
  }

  /** The mean return of a seat over the simulations through a visited node. */
  mean(node: number, seat: number): number {
    return this.sums[node * this.players + seat]! / this.visits[node]!;
  }

  #add(key: number): number {
    const node = this.size++;
    if (node === this.visits.length) this.#grow();
    this.visits[node] = 0;
    this.available[node] = 0;
    this.key[node] = key;
    this.firstChild[node] = NONE;
    this.lastChild[node] = NONE;
    this.nextSibling[node] = NONE;
    for (let at = node * this.players, end = at + this.players; at < end; at++) this.sums[at] = 0;
    return node;
  }

  #grow(): void {
    const length = 2 * this.visits.length;
    this.visits = widened(this.visits, new Int32Array(length));
    this.available = widened(this.available, new Int32Array(length));
    this.key = widened(this.key, new Int32Array(length));
    this.firstChild = widened(this.firstChild, new Int32Array(length));
    this.lastChild = widened(this.lastChild, new Int32Array(length));
    this.nextSibling = widened(this.nextSibling, new Int32Array(length));
    this.sums = widened(this.sums, new Float64Array(length * this.players));
  }
}
