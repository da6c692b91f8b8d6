import { NONE, ROOT } from "../tree/nodes.ts";
import type { PolicyTree } from "./policy-tree.ts";
import type { PuctSelection } from "./puct-selection.ts";

/**
 * Forced playouts and policy target pruning (Wu 2019, section 3.2): every root action that has been tried at all gets
 * at least n_forced(a) = sqrt(k P(s,a) sum of N(s,b)) simulations, noise in P included, so that what noise proposes is
 * looked at long enough to be judged; and the policy learned is then freed of them.
 */
export class ForcedPlayouts {
  readonly #factor: number;
  readonly #selection: PuctSelection;

  /** `factor` is k, 2 in the source. */
  constructor(factor: number, selection: PuctSelection) {
    this.#factor = factor;
    this.#selection = selection;
  }

  /** The first edge of the root that has been tried but not as often as is forced, or NONE. */
  due(tree: PolicyTree): number {
    const first = tree.firstEdge[ROOT]!;
    const tried = first + tree.tried[ROOT]!;
    const all = childVisits(tree);
    for (let edge = first; edge < tried; edge++) {
      const count = tree.visits[tree.child[edge]!]!;
      if (count * count < this.#factor * tree.prior[edge]! * all) return edge;
    }
    return NONE;
  }

  /**
   * The visits of a tried edge of the root less those that selection by itself would not have made: up to n_forced are
   * taken away, as long as Q + U stays below that of the most visited edge, `best`, which keeps all of its own. What is
   * left of a single visit counts as none.
   */
  pruned(tree: PolicyTree, edge: number, best: number): number {
    const count = tree.visits[tree.child[edge]!]!;
    if (edge === best) return count;
    const most = this.#selection.score(tree, best, tree.visits[tree.child[best]!]!);
    const forced = Math.sqrt(this.#factor * tree.prior[edge]! * childVisits(tree));
    let left = count;
    while (left > 0 && count - left + 1 <= forced && this.#selection.score(tree, edge, left - 1) < most)
      left--;
    return left <= 1 ? 0 : left;
  }
}

/** The simulations through all edges of the root. */
function childVisits(tree: PolicyTree): number {
  const first = tree.firstEdge[ROOT]!;
  const tried = first + tree.tried[ROOT]!;
  let sum = 0;
  for (let edge = first; edge < tried; edge++) sum += tree.visits[tree.child[edge]!]!;
  return sum;
}
