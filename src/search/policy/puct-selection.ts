import { ROOT } from "../tree/nodes.ts";
import type { PolicyTree } from "./policy-tree.ts";

/** First-play urgency: what untried actions count as. */
export interface FirstPlay {
  /** Their value, if there is no reduction. */
  readonly value: number;
  /** c_FPU: by how much their value lies below that of their position; null for none. */
  readonly reduction: number | null;
}

/** How strongly actions are explored: the C of PUCT, and the value of untried actions. */
export interface PuctOptions {
  /** c_base: when exploration begins to grow. */
  readonly cBase: number;
  /** c_init: exploration at first, in units of the returns. */
  readonly cInit: number;
  readonly firstPlay: FirstPlay;
}

/**
 * PUCT for the mover p (AlphaZero, Silver et al. 2018; value vectors as in BlokusZero, section 4.2). It selects
 *
 *     argmax over a of Q^p(s,a) + C(s) P(s,a) sqrt(N(s)) / (1 + N(s,a)),
 *     C(s) = log((1 + N(s) + c_base) / c_base) + c_init
 *
 * N(s) counts the visits before the current simulation, including the one that expanded s, so that the priors decide
 * even the first selection. Of equal actions the one that was tried first is taken.
 *
 * Closed actions (`ProvenMoves`) are not selected. Q of an untried action is a constant, 0 in AlphaZero. With a first-play
 * reduction c_FPU (Wu 2019, section 2) it is the mover's mean return from s on, less c_FPU sqrt(sum of P over the tried
 * actions). Untried actions differ by their priors alone, so that only the next of them is compared.
 *
 * N includes simulations in flight (Liu et al. 2020); Q does not. Q of an action whose only simulations are in flight is
 * that of an untried one, with c_FPU = 0.
 */
export class PuctSelection {
  readonly #base: number;
  readonly #init: number;
  readonly #firstPlay: FirstPlay;
  /** The factor of a prior by number of visits: computing it costs as much as comparing several edges. */
  readonly #explorations: Float64Array;

  constructor({ cBase, cInit, firstPlay }: PuctOptions) {
    this.#base = cBase;
    this.#init = cInit;
    this.#firstPlay = firstPlay;
    this.#explorations = Float64Array.from({ length: 1024 }, (_, visits) => this.#exploration(visits));
  }

  /** C(s) sqrt(N(s)): the factor of a prior before the division by 1 + N(s,a). */
  exploration(policy: PolicyTree, node: number): number {
    const before = policy.started(node);
    return before < this.#explorations.length ? this.#explorations[before]! : this.#exploration(before);
  }

  #exploration(before: number): number {
    return (Math.log((1 + before + this.#base) / this.#base) + this.#init) * Math.sqrt(before);
  }

  /** The edge selected at an expanded decision node. */
  select(policy: PolicyTree, node: number, firstPlay: FirstPlay = this.#firstPlay): number {
    const { tree } = policy;
    const { visits, child, values, players } = tree;
    const prior = policy.prior.data;
    const rewards = policy.rewards.column.data;
    const losses = policy.losses?.column.data;
    const exploration = this.exploration(policy, node);
    const mover = tree.toMove[node]!;
    const untried = firstPlay.reduction === null ? firstPlay.value : values[node * players + mover]!;
    const first = tree.firstEdge[node]!;
    const tried = first + tree.tried[node]!;
    // If no score is a number, the first edge.
    let best = first;
    let greatest = -Infinity;
    let mass = 0;
    const proven = policy.proven?.someIn(node) === true ? policy.proven : undefined;
    for (let edge = first; edge < tried; edge++) {
      const at = child[edge]!;
      const share = prior[edge]!;
      mass += share;
      if (proven?.closed(node, at) === true) continue;
      const seat = at * players + mover;
      const done = visits[at]!;
      const lost = losses === undefined ? 0 : losses[at]!;
      const value = done === 0 ? untried : rewards[seat]! + values[seat]!;
      const score = value + (exploration * share) / (1 + done + lost);
      if (score > greatest) {
        greatest = score;
        best = edge;
      }
    }
    if (tried === first + tree.edgeCount[node]!) return best;
    const value = firstPlay.reduction === null ? untried : untried - firstPlay.reduction * Math.sqrt(mass);
    return value + exploration * prior[tried]! > greatest ? tried : best;
  }

  /** Q + U of a tried edge of the root, with `count` in place of its visits. */
  score(policy: PolicyTree, edge: number, count: number): number {
    const { tree, rewards, prior } = policy;
    const mover = tree.toMove[ROOT]!;
    const exploration = this.exploration(policy, ROOT);
    return rewards.actionValue(tree.child[edge]!, mover) + (exploration * prior.data[edge]!) / (1 + count);
  }
}
