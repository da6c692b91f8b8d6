import { CHANCE } from "../../games/game.ts";
import { EdgeTree } from "../tree/edge-tree.ts";
import { NONE, ROOT, widened } from "../tree/nodes.ts";

/**
 * The tree of a policy-guided search. An edge is a legal action of an expanded node, or an outcome of chance, and costs
 * 12 bytes. Its key is that action or outcome.
 *
 * With hundreds of actions and as many simulations, almost all edges are never tried, and they must cost selection
 * nothing. So the edges of a decision node lie in this order: first the *tried* edges, which lead to a node, in the
 * order in which they were first taken; then the untried edge with the greatest prior (of equals the one with the least
 * action); then the other edges in any order. A rule that compares untried actions by their priors alone looks at the
 * tried edges and one more. The edges of a chance node keep their order.
 */
export class PolicyTree extends EdgeTree {
  /** Of each node: the number of its edges that lead to a node. */
  tried = new Int32Array(256);
  /** Of each decision node: the net's value for the mover. */
  estimate = new Float64Array(256);
  /** Row-major [node, players]: each seat's mean return from the node on, over the simulations through it. */
  values: Float64Array;
  /** Row-major [node, players]: the reward of each seat for the action that leads to the node. */
  rewards: Float64Array;
  /** Of each edge: its prior, or the probability of the outcome. The sum over a node is 1. */
  prior = new Float32Array(1024);

  constructor(players: number) {
    super(players);
    this.values = new Float64Array(256 * players);
    this.rewards = new Float64Array(256 * players);
  }

  override addNode(toMove: number): number {
    const node = super.addNode(toMove);
    this.tried[node] = 0;
    this.estimate[node] = 0;
    const at = node * this.players;
    for (let seat = 0; seat < this.players; seat++) {
      this.values[at + seat] = 0;
      this.rewards[at + seat] = 0;
    }
    return node;
  }

  /**
   * Sets the priors of a node's edges to the numbers from `at` on, divided by their sum; to equal shares where the sum
   * is 0. The edges must still lie in the order of `addEdges`.
   */
  setPriors(node: number, priors: Float32Array | Float64Array, at: number): void {
    const first = this.firstEdge[node]!;
    const count = this.edgeCount[node]!;
    const { prior } = this;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += priors[at + i]!;
    const share = sum > 0 ? 1 / sum : 0;
    for (let i = 0; i < count; i++) prior[first + i] = sum > 0 ? priors[at + i]! * share : 1 / count;
    if (this.toMove[node] !== CHANCE) this.placeNext(node);
  }

  /** Moves the untried edge with the greatest prior next to the tried ones. To be called when priors have changed. */
  placeNext(node: number): void {
    const { key, prior } = this;
    const next = this.firstEdge[node]! + this.tried[node]!;
    const end = this.firstEdge[node]! + this.edgeCount[node]!;
    if (next === end) return;
    let best = next;
    let greatest = prior[next]!;
    for (let edge = next + 1; edge < end; edge++) {
      const each = prior[edge]!;
      if (each > greatest || (each === greatest && key[edge]! < key[best]!)) {
        greatest = each;
        best = edge;
      }
    }
    this.#swap(next, best);
  }

  /** Adds a node behind an untried edge and returns it. The edges of a decision node change places. */
  follow(node: number, edge: number, toMove: number): number {
    const child = this.addNode(toMove);
    this.child[edge] = child;
    const tried = this.tried[node]!++;
    if (this.toMove[node] === CHANCE) return child;
    const next = this.firstEdge[node]! + tried;
    if (edge === next) this.placeNext(node);
    else {
      // The edge that was next is still the next one, a place farther on.
      this.#swap(edge, next);
      this.#swap(edge, next + 1);
    }
    return child;
  }

  /** Q of a seat for the action that leads to a node: its reward plus the mean return from the node on. */
  actionValue(node: number, seat: number): number {
    const at = node * this.players + seat;
    return this.rewards[at]! + this.values[at]!;
  }

  /** Copies the subtree of another tree that starts at `root`. That node becomes the root of this tree. */
  assign(from: PolicyTree, root: number): void {
    this.clear();
    const origins = [root];
    this.addNode(from.toMove[root]!);
    for (let node = ROOT; node < this.size; node++) {
      const origin = origins[node]!;
      this.visits[node] = from.visits[origin]!;
      this.estimate[node] = from.estimate[origin]!;
      this.#copySeats(node, from, origin);
      const start = from.firstEdge[origin]!;
      if (start === NONE) continue;
      const count = from.edgeCount[origin]!;
      this.addEdges(node, from.key.subarray(start, start + count), count);
      const first = this.firstEdge[node]!;
      this.tried[node] = from.tried[origin]!;
      for (let i = 0; i < count; i++) {
        this.prior[first + i] = from.prior[start + i]!;
        const child = from.child[start + i]!;
        if (child === NONE) continue;
        this.child[first + i] = this.addNode(from.toMove[child]!);
        origins.push(child);
      }
    }
  }

  #copySeats(node: number, from: PolicyTree, origin: number): void {
    for (let seat = 0; seat < this.players; seat++) {
      const [to, at] = [node * this.players + seat, origin * this.players + seat];
      this.values[to] = from.values[at]!;
      this.rewards[to] = from.rewards[at]!;
    }
  }

  #swap(one: number, other: number): void {
    if (one === other) return;
    const { key, prior, child } = this;
    const [k, p, c] = [key[one]!, prior[one]!, child[one]!];
    key[one] = key[other]!;
    prior[one] = prior[other]!;
    child[one] = child[other]!;
    key[other] = k;
    prior[other] = p;
    child[other] = c;
  }

  protected override growNodes(length: number): void {
    super.growNodes(length);
    this.tried = widened(this.tried, new Int32Array(length));
    this.estimate = widened(this.estimate, new Float64Array(length));
    this.values = widened(this.values, new Float64Array(length * this.players));
    this.rewards = widened(this.rewards, new Float64Array(length * this.players));
  }

  protected override growEdges(length: number): void {
    super.growEdges(length);
    this.prior = widened(this.prior, new Float32Array(length));
  }
}
