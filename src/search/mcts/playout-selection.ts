import type { Random } from "../../random.ts";
import { NONE } from "../tree/nodes.ts";
import type { Selection } from "../tree/parts.ts";
import type { Walk } from "../tree/walk.ts";
import type { ActionHistory } from "./action-history.ts";
import { type PlayoutTree, SCORE } from "./playout-tree.ts";

/**
 * Selects by UCB1 (Auer, Cesa-Bianchi and Fischer 2002), with Progressive History (Nijssen and Winands 2011) if
 * `weight` W is above 0: argmax of
 *
 *     w / n + C sqrt(ln N / n) + (s_a / n_a) W / (n - w + 1)
 *
 * N and n are the visits of the node and of the child before the current simulation, and w is the sum of the mover's
 * payoffs in those n. Of equal children the first one is selected. This is equation (3.4) of BlokusZero. Its bracket
 * leaves open whether the square root covers the last term; here it does not, as in the source of that equation.
 *
 * An unvisited child has an infinite second term and comes before all visited ones. Among several, the last term
 * decides, which is then W s_a / n_a; among equals a draw decides. A move that was never made counts as s_a / n_a = 0.
 */
export class PlayoutSelection<S> implements Selection<S> {
  readonly #playouts: PlayoutTree;
  readonly #exploration: number;
  readonly #history: ActionHistory | undefined;
  readonly #candidates: Int32Array;

  /** `moves` is the greatest number of moves that a node can have. Without a history there is no last term. */
  constructor(playouts: PlayoutTree, exploration: number, history: ActionHistory | undefined, moves: number) {
    this.#playouts = playouts;
    this.#exploration = exploration;
    this.#history = history;
    this.#candidates = new Int32Array(moves);
  }

  /** Makes a draw only if a child is unvisited. */
  select({ tree, root }: Walk<S>, node: number, random: Random): number {
    const count = tree.edgeCount[node]!;
    if (tree.tried[node]! < count) return this.#unvisited(node, random);
    const first = tree.firstEdge[node]!;
    const exploration = this.#exploration * Math.sqrt(Math.log(tree.visits[node]!));
    const { key } = tree;
    const pairs = this.#history?.pairs;
    let at = this.#playouts.scoresOf(node, root);
    const { score } = this.#playouts;
    let best = first;
    let greatest = -Infinity;
    for (let i = 0; i < count; i++, at += SCORE) {
      let value = score[at]! + exploration * score[at + 1]!;
      if (pairs !== undefined) {
        const pair = 2 * key[first + i]!;
        const times = pairs[pair + 1]!;
        if (times > 0) value += (pairs[pair]! / times) * score[at + 2]!;
      }
      if (value > greatest) {
        greatest = value;
        best = first + i;
      }
    }
    return best;
  }

  #unvisited(node: number, random: Random): number {
    const { child, key, firstEdge, edgeCount } = this.#playouts.tree;
    const first = firstEdge[node]!;
    const end = first + edgeCount[node]!;
    const pairs = this.#history?.pairs;
    const candidates = this.#candidates;
    let count = 0;
    let greatest = -Infinity;
    for (let edge = first; edge < end; edge++) {
      if (child[edge] !== NONE) continue;
      if (pairs !== undefined) {
        const pair = 2 * key[edge]!;
        const times = pairs[pair + 1]!;
        const mean = times > 0 ? pairs[pair]! / times : 0;
        if (mean < greatest) continue;
        if (mean > greatest) {
          greatest = mean;
          count = 0;
        }
      }
      candidates[count++] = edge;
    }
    return candidates[random.below(count)]!;
  }
}
