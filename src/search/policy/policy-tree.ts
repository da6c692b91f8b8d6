import { CHANCE } from "../../games/game.ts";
import type { TreeColumn } from "../tree/tree-column.ts";
import { Rewards } from "../tree/rewards.ts";
import { SearchTree } from "../tree/search-tree.ts";
import { VirtualLosses } from "../tree/virtual-losses.ts";
import { ProvenMoves } from "./proven-moves.ts";

/**
 * What a policy-guided search keeps in its tree: priors of edges, rewards and the net's values. An edge is a legal
 * action of an expanded node, or an outcome of chance, and costs 12 bytes. Its key is that action or outcome. The values
 * of a node are each seat's mean return from the node on, over the simulations through it.
 *
 * With hundreds of actions and as many simulations, almost all edges are never tried, and they must cost selection
 * nothing. So the edges of a decision node lie in this order: first the *tried* edges, which lead to a node, in the
 * order in which they were first taken; then the untried edge with the greatest prior (of equals the one with the least
 * action); then the other edges in any order. A rule that compares untried actions by their priors alone looks at the
 * tried edges and one more. The edges of a chance node keep their order.
 */
export class PolicyTree {
  readonly tree: SearchTree;
  readonly rewards: Rewards;
  /** Shape [edges]: the prior, or the probability of the outcome. The sum over a node is 1. */
  readonly prior: TreeColumn<Float32Array>;
  /** Shape [nodes]: at decision nodes the net's value for the mover. */
  readonly estimate: TreeColumn<Float64Array>;
  /** Visits of simulations in flight; absent if there is one at a time. */
  readonly losses: VirtualLosses | undefined;
  /** Absent from a search without a solver. */
  readonly proven: ProvenMoves | undefined;

  /**
   * `lost` is the number of virtual losses of a simulation in flight; absent: simulations are one after another. `bounds` of the
   * returns of a seat: nodes are proven by them. Without bounds nothing is proven.
   */
  constructor(
    players: number,
    { bounds, lost }: { readonly lost?: number; readonly bounds?: readonly [number, number] } = {},
  ) {
    this.tree = new SearchTree(players);
    this.proven = bounds === undefined ? undefined : new ProvenMoves(this.tree, bounds);
    this.rewards = new Rewards(this.tree);
    this.prior = this.tree.edgeColumn(Float32Array);
    this.estimate = this.tree.nodeColumn(Float64Array);
    if (lost !== undefined) this.losses = new VirtualLosses(this.tree, lost);
  }

  /** The visits of a node, with those of simulations in flight. */
  started(node: number): number {
    const visits = this.tree.visits[node]!;
    return this.losses === undefined ? visits : visits + this.losses.column.data[node]!;
  }

  /**
   * Sets the priors of a node's edges to the numbers from `at` on, divided by their sum; to equal shares if the sum
   * is 0. The edges must still lie in the order of `addEdges`.
   */
  setPriors(node: number, priors: Float32Array | Float64Array, at: number): void {
    const { tree } = this;
    const first = tree.firstEdge[node]!;
    const count = tree.edgeCount[node]!;
    const { data } = this.prior;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += priors[at + i]!;
    if (sum > 0) {
      const share = 1 / sum;
      for (let i = 0; i < count; i++) data[first + i] = priors[at + i]! * share;
    } else data.fill(1 / count, first, first + count);
    if (tree.toMove[node] !== CHANCE) this.placeNext(node);
  }

  /** Moves the untried edge with the greatest prior next to the tried ones. To be called when priors have changed. */
  placeNext(node: number): void {
    const { key, firstEdge, tried, edgeCount } = this.tree;
    const { data } = this.prior;
    const next = firstEdge[node]! + tried[node]!;
    const end = firstEdge[node]! + edgeCount[node]!;
    if (next === end) return;
    let best = next;
    let greatest = data[next]!;
    for (let edge = next + 1; edge < end; edge++) {
      const each = data[edge]!;
      if (each > greatest || (each === greatest && key[edge]! < key[best]!)) {
        greatest = each;
        best = edge;
      }
    }
    this.tree.swapEdges(next, best);
  }

  /** Adds a node behind an untried edge and returns it. The edges of a decision node change places. */
  follow(node: number, edge: number, toMove: number): number {
    const { tree } = this;
    const next = tree.firstEdge[node]! + tree.tried[node]!;
    const child = tree.addChild(node, edge, toMove);
    if (tree.toMove[node] === CHANCE) return child;
    if (edge === next) this.placeNext(node);
    else {
      // The edge that was next is still the next one, a place farther on.
      tree.swapEdges(edge, next);
      tree.swapEdges(edge, next + 1);
    }
    return child;
  }
}
