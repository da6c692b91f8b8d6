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
 * N and n are the visits of the node and the child before the present simulation, w what the mover got in those n; the
 * first of equals. Equation (3.4) of BlokusZero, whose bracket leaves open what the root covers: the last term stands
 * outside it, as in its own source.
 *
 * A child not yet visited has an infinite second term and comes before all visited ones; among several the last term
 * decides, which is then W s_a / n_a, and among equals the lot. A move never made anywhere counts as s_a / n_a = 0.
 */
export class PlayoutSelection {
  readonly #exploration: number;
  readonly #weight: number;
  readonly #history: ActionHistory;
  readonly #candidates: Int32Array;

  /** `moves` is the most moves that a node can have. */
  constructor(exploration: number, weight: number, history: ActionHistory, moves: number) {
    this.#exploration = exploration;
    this.#weight = weight;
    this.#history = history;
    this.#candidates = new Int32Array(moves);
  }

  /** An edge of an expanded decision node. Draws where there is an unvisited one. */
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

  /** Takes note that a child of a node with scores has now `visits` visits, in which the mover got `sum`. */
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
