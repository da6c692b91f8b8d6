import { NONE } from "../tree/nodes.ts";
import type { PolicyTree } from "./policy-tree.ts";

/** How strongly values weigh against priors in the improved policy. */
export interface ImprovementOptions {
  /** c_visit: the values' weight before any visits. */
  readonly cVisit: number;
  /** c_scale: the values' weight for each visit of the most visited action. */
  readonly cScale: number;
  /** Values are divided by this number; "completed": by the difference between the greatest and the least completed value. */
  readonly range: number | "completed";
}

/** A smaller difference between completed values counts as this. */
const LEAST_RANGE = 1e-8;

/** A prior of 0 counts as this, the least normal 32-bit number, so that its logarithm is finite. */
const LEAST_PRIOR = 2 ** -126;

/** The logit of a prior, up to a constant of the position. */
export const logit = (prior: number): number => Math.log(Math.max(prior, LEAST_PRIOR));

/**
 * The improved policy, from the priors and the values that the search found (Danihelka et al. 2022, equation 11):
 *
 *     pi'(a) = softmax over a of [ logits(a) + sigma(completedQ(a)) ],
 *     sigma(q) = (c_visit + max over b of N(b)) c_scale q / range                      (equation 8)
 *
 * completedQ is the mover's mean for an action that was tried. For the other actions it is (equation 10 with appendix
 * D)
 *
 *     v_mix = [ V + (sum of N / sum over tried b of P(b)) sum over tried b of P(b) Q(b) ] / (1 + sum of N),
 *
 * where V is the net's value of the position. The range is that of the returns, or that of the node's completed values, to which the
 * authors' program mctx rescales them. All untried actions share this value, so they need no loop.
 */
export class ImprovedPolicy {
  readonly #visit: number;
  readonly #scale: number;
  /** Whether values are divided by the range of each node's completed values. */
  readonly #byNode: boolean;
  /** Of the node last measured: the factor of values in sigma, v_mix, and the greatest sigma. */
  #factor = 0;
  #mixed = 0;
  #peak = 0;
  /** exp(sigma - peak) of the tried edges. */
  #weights = new Float64Array(64);

  constructor({ cVisit, cScale, range }: ImprovementOptions) {
    this.#visit = cVisit;
    this.#scale = cScale / (range === "completed" ? 1 : range);
    this.#byNode = range === "completed";
  }

  /** Computes the terms of an expanded decision node that the other methods use. */
  measure({ tree, prior, rewards, estimate: estimates }: PolicyTree, node: number): void {
    const { visits, child } = tree;
    const mover = tree.toMove[node]!;
    const first = tree.firstEdge[node]!;
    const tried = first + tree.tried[node]!;
    let most = 0;
    let total = 0;
    let mass = 0;
    let sum = 0;
    let best = -Infinity;
    let worst = Infinity;
    for (let edge = first; edge < tried; edge++) {
      const at = child[edge]!;
      const count = visits[at]!;
      // In flight for the first time.
      if (count === 0) continue;
      const share = Math.max(prior.data[edge]!, LEAST_PRIOR);
      const value = rewards.actionValue(at, mover);
      if (count > most) most = count;
      if (value > best) best = value;
      if (value < worst) worst = value;
      total += count;
      mass += share;
      sum += share * value;
    }
    const estimate = estimates.data[node]!;
    this.#factor = (this.#visit + most) * this.#scale;
    this.#mixed = total === 0 ? estimate : (estimate + (total * sum) / mass) / (1 + total);
    if (this.#byNode && total > 0) {
      const untried = tried < first + tree.edgeCount[node]!;
      const highest = untried ? Math.max(best, this.#mixed) : best;
      const lowest = untried ? Math.min(worst, this.#mixed) : worst;
      this.#factor /= Math.max(highest - lowest, LEAST_RANGE);
    }
    this.#peak = this.#factor * Math.max(best, this.#mixed);
  }

  /**
   * sigma(completedQ) for the action that leads to `child` from the node last measured. NONE represents an untried
   * action, as does a child that is in flight for the first time.
   */
  bonus({ rewards, tree }: PolicyTree, child: number, mover: number): number {
    const untried = child === NONE || tree.visits[child] === 0;
    return this.#factor * (untried ? this.#mixed : rewards.actionValue(child, mover));
  }

  /** pi' of an edge of the node last measured, up to a positive factor that is equal for all edges of the node. */
  weight(policy: PolicyTree, edge: number, mover: number): number {
    const bonus = this.bonus(policy, policy.tree.child[edge]!, mover);
    return Math.max(policy.prior.data[edge]!, LEAST_PRIOR) * Math.exp(bonus - this.#peak);
  }

  /**
   * The edge with the greatest pi'(a) - N(a) / (1 + sum of N), so that visits approach pi' (equation 14, for nodes
   * other than the root), closed ones (`ProvenMoves`) left out. Here N includes simulations in flight; the values do not. Of equal
   * edges it takes the one that was tried first.
   */
  select(policy: PolicyTree, node: number): number {
    this.measure(policy, node);
    const { tree } = policy;
    const { child } = tree;
    const prior = policy.prior.data;
    const mover = tree.toMove[node]!;
    const first = tree.firstEdge[node]!;
    const count = tree.tried[node]!;
    const untried = count < tree.edgeCount[node]!;
    if (count === 0) return first;
    if (count > this.#weights.length) this.#weights = new Float64Array(2 * count);
    const weights = this.#weights;
    let sum = 0;
    let mass = 0;
    let total = 1;
    for (let i = 0; i < count; i++) {
      const edge = first + i;
      sum += weights[i] = this.weight(policy, edge, mover);
      mass += prior[edge]!;
      total += policy.started(child[edge]!);
    }
    const proven = policy.proven?.someIn(node) === true ? policy.proven : undefined;
    const rest = Math.exp(this.#factor * this.#mixed - this.#peak);
    if (untried) sum += Math.max(1 - mass, prior[first + count]!) * rest;
    let best = first;
    let greatest = -Infinity;
    for (let i = 0; i < count; i++) {
      if (proven?.closed(node, child[first + i]!) === true) continue;
      const score = weights[i]! / sum - policy.started(child[first + i]!) / total;
      if (score > greatest) {
        greatest = score;
        best = first + i;
      }
    }
    return untried && (prior[first + count]! * rest) / sum > greatest ? first + count : best;
  }
}
