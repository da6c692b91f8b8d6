import type { Random } from "../../random.ts";
import type { ActionHistory } from "./action-history.ts";
import { NONE } from "../tree/nodes.ts";
import { type PlayoutTree, SCORE } from "./playout-tree.ts";

/**
 * Selects by UCB1 (Auer, Cesa-Bianchi and Fischer 2002), with Progressive History (Nijssen and Winands 2011) where
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
export class PlayoutSelection {
  readonly #exploration: number;
  readonly #weight: number;
  readonly #history: ActionHistory;
  readonly #candidates: Int32Array;

  /** `moves` is the greatest number of moves that a node can have. */
  constructor(exploration: number, weight: number, history: ActionHistory, moves: number) {
    this.#exploration = exploration;
    this.#weight = weight;
    this.#history = history;
    this.#candidates = new Int32Array(moves);
  }

  /** Selects an edge of an expanded decision node. Makes a draw only where a child is unvisited. */
  select(tree: PlayoutTree, node: number, random: Random): number {
    if (tree.unvisited[node]! > 0) return this.#unvisited(tree, node, random);
    const first = tree.firstEdge[node]!;
    const count = tree.edgeCount[node]!;
    const exploration = this.#exploration * Math.sqrt(Math.log(tree.visits[node]!));
    const { score, key } = tree;
    const { pairs } = this.#history;
    const weighted = this.#weight > 0;
    let best = first;
    let greatest = -Infinity;
    for (let i = 0, at = tree.firstScore[node]!; i < count; i++, at += SCORE) {
      let value = score[at]! + exploration * score[at + 1]!;
      if (weighted) {
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

  /** Updates the numbers of an edge: its child now has `visits` visits, in which the mover's payoffs sum to `sum`. */
  update(tree: PlayoutTree, node: number, edge: number, visits: number, sum: number): void {
    const at = tree.firstScore[node]! + SCORE * (edge - tree.firstEdge[node]!);
    tree.score[at] = sum / visits;
    tree.score[at + 1] = 1 / Math.sqrt(visits);
    tree.score[at + 2] = this.#weight / (visits - sum + 1);
  }

  #unvisited(tree: PlayoutTree, node: number, random: Random): number {
    const first = tree.firstEdge[node]!;
    const end = first + tree.edgeCount[node]!;
    const { child, key } = tree;
    const { pairs } = this.#history;
    const candidates = this.#candidates;
    const weighted = this.#weight > 0;
    let count = 0;
    let greatest = 0;
    for (let edge = first; edge < end; edge++) {
      if (child[edge] !== NONE) continue;
      if (weighted) {
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
