import { NONE, ROOT } from "../tree/nodes.ts";
import type { PolicyTree } from "./policy-tree.ts";
import type { PuctSelection } from "./puct-selection.ts";

/**
 * Forced playouts and policy target pruning (Wu 2019, section 3.2). Every root action that has been tried gets at least
 * n_forced(a) = sqrt(k P(s,a) sum of N(s,b)) simulations, where P includes the noise: an action that noise proposes is
 * searched long enough to be judged. The policy target then leaves forced visits out.
 */
export class ForcedPlayouts {
  readonly #factor: number;
  readonly #selection: PuctSelection;

  /** `factor` is k, 2 in the source. */
  constructor(factor: number, selection: PuctSelection) {
    this.#factor = factor;
    this.#selection = selection;
  }

  /** The first open edge of the root that has been tried, but less often than n_forced; or NONE. */
  due(policy: PolicyTree): number {
    const { tree, prior, proven } = policy;
    const first = tree.firstEdge[ROOT]!;
    const tried = first + tree.tried[ROOT]!;
    const all = childVisits(policy);
    for (let edge = first; edge < tried; edge++) {
      const child = tree.child[edge]!;
      if (proven?.closed(ROOT, child) === true) continue;
      const count = policy.started(child);
      if (count * count < this.#factor * prior.data[edge]! * all) return edge;
    }
    return NONE;
  }

  /**
   * The visits of a tried edge of the root, without those that only forcing explains. Up to n_forced visits are taken
   * away, as long as Q + U of the edge stays below that of the most visited edge, `best`. The edge `best` keeps all its
   * visits. A single visit that is left counts as none.
   */
  pruned(policy: PolicyTree, edge: number, best: number): number {
    const { tree, prior } = policy;
    const count = tree.visits[tree.child[edge]!]!;
    if (edge === best) return count;
    const most = this.#selection.score(policy, best, tree.visits[tree.child[best]!]!);
    const forced = Math.sqrt(this.#factor * prior.data[edge]! * childVisits(policy));
    let left = count;
    while (left > 0 && count - left + 1 <= forced && this.#selection.score(policy, edge, left - 1) < most)
      left--;
    return left <= 1 ? 0 : left;
  }
}

/** The number of simulations through all edges of the root, with those in flight. */
function childVisits(policy: PolicyTree): number {
  const first = policy.tree.firstEdge[ROOT]!;
  const tried = first + policy.tree.tried[ROOT]!;
  let sum = 0;
  for (let edge = first; edge < tried; edge++) sum += policy.started(policy.tree.child[edge]!);
  return sum;
}
