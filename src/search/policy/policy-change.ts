import type { PolicyChange } from "../search.ts";
import { sumOf } from "../../stats/sum-of.ts";
import { ROOT } from "../tree/nodes.ts";
import { logit } from "./improved-policy.ts";
import { indexOf } from "./index-of.ts";
import type { PolicyTree } from "./policy-tree.ts";

/**
 * Compares weights beside the legal actions, those of the policy target, with `others`, by default the priors of the root.
 * Visits of 0 beside an action mean that it was not tried. The distance is over all actions, or over the tried ones if that is less:
 * a target over a sample is far from the priors only because it leaves the others out, and one that has their priors for the actions that
 * were not tried is near them whatever it says of the tried ones.
 */
export function policyChange(
  { prior, tree }: PolicyTree,
  { actions, visits }: { readonly actions: Int32Array; readonly visits: Float64Array },
  weights: Float64Array,
  others?: Float64Array,
): PolicyChange {
  const otherSum = others === undefined ? 1 : sumOf(others);
  const scale = Math.log(sumOf(weights) / otherSum);
  const first = tree.firstEdge[ROOT]!;
  let total = 0;
  let divergence = 0;
  let priorEntropy = 0;
  /** The sums over the actions that were tried. */
  let [tried, before] = [0, 0];
  for (let edge = first; edge < first + actions.length; edge++) {
    const index = indexOf(actions, tree.key[edge]!);
    const weight = weights[index]!;
    const own = prior.data[edge]!;
    const log = logit(own);
    priorEntropy -= own * log;
    if (visits[index]! > 0) {
      tried += weight;
      before += others?.[index] ?? own;
    }
    if (weight === 0) continue;
    total += weight;
    const other = others === undefined ? log : logit(others[index]!);
    divergence += weight * (Math.log(weight) - other - scale);
  }
  let [overTried, overAll] = [0, 0];
  for (let edge = first; edge < first + actions.length; edge++) {
    const index = indexOf(actions, tree.key[edge]!);
    const weight = weights[index]!;
    const other = others?.[index] ?? prior.data[edge]!;
    overAll += Math.abs(weight / total - other / otherSum) / 2;
    if (visits[index]! > 0) overTried += Math.abs(weight / tried - other / before) / 2;
  }
  const compared = tried > 0 && before > 0 ? Math.min(overAll, overTried) : overAll;
  const distance = total === 0 ? 0 : compared;
  // Rounding can leave a little less than nothing.
  const surprise = total === 0 ? 0 : Math.max(0, divergence / total);
  return { surprise, distance, priorEntropy: Math.max(0, priorEntropy) };
}
