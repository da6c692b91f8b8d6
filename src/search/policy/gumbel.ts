import { Type } from "../../schema.ts";
import type { Random } from "../../random.ts";
import type { SearchDefinition } from "../definition.ts";
import { ImprovedPolicy, logit } from "./improved-policy.ts";
import { type MoveTemperature, moveTemperature, temperatureAt } from "../choice/move-choice.ts";
import { unsuitedPassLast } from "../choice/pass-last.ts";
import { unsuitedResignation } from "../choice/resignation.ts";
import { searchPlans } from "./playout-cap.ts";
import { policySearchOptions } from "./policy-options.ts";
import {
  indexOf,
  type SelectionRule,
  policySearch,
  type RootView,
  type SearchedRoot,
} from "./policy-search.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import type { PolicyTree } from "./policy-tree.ts";
import { sequentialHalving } from "./sequential-halving.ts";

const options = Type.Object(
  {
    ...policySearchOptions(64),
    considered: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: 16,
        description: "m: the greatest number of actions that are sampled and tried at the root.",
      }),
    ),
    cVisit: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e12,
        default: 50,
        description: "c_visit: the weight of values against priors before any visit.",
      }),
    ),
    cScale: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e12,
        default: 1,
        description: "c_scale: the weight of values against priors, per visit of the most visited action.",
      }),
    ),
    range: Type.Optional(
      Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1e12 }), Type.Null()], {
        default: null,
        description:
          "The difference between the greatest and the least return. Values are divided by it. null: taken from the rules of the game.",
      }),
    ),
    temperature: Type.Optional({
      ...moveTemperature,
      default: [{ value: 1 }],
      description:
        "The factor of the Gumbel draws, by phases of the game. 1 samples moves from the improved policy, 0 takes the best move. Empty: always 0, for matches.",
    }),
  },
  { additionalProperties: false },
);

/**
 * Gumbel-Top-k at the root and Sequential Halving among the sampled actions. It plays the move with the greatest
 * g(a) + logits(a) + sigma(completedQ(a)) among the most visited ones. The policy target is the improved policy.
 */
class GumbelRule implements SelectionRule {
  readonly planned = true;
  readonly #considered: number;
  readonly #temperature: MoveTemperature;
  readonly #improved: ImprovedPolicy;
  /** Plans by the numbers of actions considered and of simulations; see `sequentialHalving`. */
  readonly #plans = new Map<string, Int32Array>();
  #plan: Int32Array = new Int32Array(0);
  #simulation = 0;
  /** Of each action considered: the action, g + logit, and its simulations in this search. */
  #actions: Int32Array = new Int32Array(0);
  #scores = new Float64Array(0);
  #counts = new Int32Array(0);
  /** Of each action considered: the node that it leads to, or NONE while that is unknown. */
  #nodes: Int32Array = new Int32Array(0);
  #weights = new Float64Array(0);

  constructor(considered: number, temperature: MoveTemperature, improved: ImprovedPolicy) {
    this.#considered = considered;
    this.#temperature = temperature;
    this.#improved = improved;
  }

  begin({ tree, prior }: PolicyTree, { actions, decisions, plan }: RootView, random: Random): void {
    const all = actions.length;
    const scores = new Float64Array(all);
    const scale = plan.full ? temperatureAt(this.#temperature, decisions) : 0;
    // The draws follow the order of actions. The order of edges depends on earlier searches.
    if (scale > 0) for (let i = 0; i < all; i++) scores[i] = scale * drawGumbel(random);
    const first = tree.firstEdge[ROOT]!;
    for (let edge = first; edge < first + all; edge++)
      scores[indexOf(actions, tree.key[edge]!)]! += logit(prior.data[edge]!);
    const most = Math.min(all, this.#considered, plan.simulations);
    const best = greatest(scores, most);
    this.#actions = best.map((index) => actions[index]!);
    this.#scores = Float64Array.from(best, (index) => scores[index]!);
    this.#counts = new Int32Array(most);
    this.#nodes = this.#actions.map((action) => tree.child[tree.edgeOf(ROOT, action)]!);
    this.#plan = this.#planFor(most, plan.simulations);
    this.#simulation = 0;
  }

  selectAtRoot(policy: PolicyTree): number {
    const index = this.#best(policy, this.#plan[this.#simulation++]!);
    this.#counts[index]!++;
    return policy.tree.edgeOf(ROOT, this.#actions[index]!);
  }

  select(policy: PolicyTree, node: number): number {
    return this.#improved.select(policy, node);
  }

  choose(policy: PolicyTree, { actions }: SearchedRoot): number {
    let most = 0;
    for (const count of this.#counts) if (count > most) most = count;
    return indexOf(actions, this.#actions[this.#best(policy, most)]!);
  }

  policy(policy: PolicyTree, { actions }: SearchedRoot): Float64Array {
    const { tree } = policy;
    const all = actions.length;
    if (this.#weights.length !== all) this.#weights = new Float64Array(all);
    const mover = tree.toMove[ROOT]!;
    const first = tree.firstEdge[ROOT]!;
    this.#improved.measure(policy, ROOT);
    for (let edge = first; edge < first + all; edge++)
      this.#weights[indexOf(actions, tree.key[edge]!)] = this.#improved.weight(policy, edge, mover);
    return this.#weights;
  }

  /** The best by g + logit + sigma(completedQ) of the actions considered that this search has visited `count` times. */
  #best(policy: PolicyTree, count: number): number {
    const { tree } = policy;
    this.#improved.measure(policy, ROOT);
    const mover = tree.toMove[ROOT]!;
    let best = NONE;
    let highest = -Infinity;
    for (let i = 0; i < this.#actions.length; i++) {
      if (this.#counts[i] !== count) continue;
      let node = this.#nodes[i]!;
      if (node === NONE && count > 0)
        node = this.#nodes[i] = tree.child[tree.edgeOf(ROOT, this.#actions[i]!)]!;
      const score = this.#scores[i]! + this.#improved.bonus(policy, node, mover);
      if (score > highest) {
        highest = score;
        best = i;
      } else if (best === NONE) best = i;
    }
    return best;
  }

  #planFor(considered: number, simulations: number): Int32Array {
    const key = `${considered} ${simulations}`;
    let plan = this.#plans.get(key);
    if (plan === undefined) this.#plans.set(key, (plan = sequentialHalving(considered, simulations)));
    return plan;
  }
}

/** A draw from the standard Gumbel distribution. */
function drawGumbel(random: Random): number {
  // 1 - U lies in (0, 1], and 1 would give an infinite draw.
  let uniform = 1 - random.float();
  while (uniform === 1) uniform = 1 - random.float();
  return -Math.log(-Math.log(uniform));
}

/** The indices of the `count` greatest numbers, the greatest first. Of equal numbers the first one wins. */
function greatest(numbers: Float64Array, count: number): Int32Array {
  const order = Int32Array.from(numbers, (_, index) => index);
  order.sort((a, b) => numbers[b]! - numbers[a]! || a - b);
  return order.slice(0, count);
}

/**
 * Gumbel AlphaZero (I. Danihelka, A. Guez, J. Schrittwieser and D. Silver, *Policy improvement by planning with
 * Gumbel*, 2022) for any number of players: values are those of the mover, divided by the range of the returns.
 *
 * It improves its policy with few simulations. At the root it tries a sample of the actions, drawn without replacement,
 * halves the sample step by step by the values found, and plays the best action that is left. At other nodes the visits
 * follow the improved policy, without draws. The policy target is the improved policy of the root over all legal
 * actions.
 */
export const gumbel: SearchDefinition<typeof options> = {
  name: "gumbel",
  description: "Gumbel AlphaZero: improves its policy with few simulations, for any number of players.",
  options,
  needs: { value: true, policy: true },
  best: "visits",
  unsuited: (game, { range, passLast, resign }) =>
    range === null && !Number.isFinite(boundedRange(game.returnBounds))
      ? `the rules of ${game.name} set no bounds to its returns: give their range`
      : (unsuitedPassLast(game, passLast) ?? unsuitedResignation(game, resign)),
  create: (
    game,
    {
      simulations,
      playoutCap,
      playouts,
      passLast,
      resign,
      reuse,
      considered,
      cVisit,
      cScale,
      range,
      temperature,
    },
  ) =>
    policySearch(game, {
      plan: searchPlans(simulations, playoutCap),
      rule: new GumbelRule(
        considered,
        temperature,
        new ImprovedPolicy({ cVisit, cScale, range: range ?? boundedRange(game.returnBounds) }),
      ),
      reuse,
      playouts,
      passLast,
      resign,
    }),
};

const boundedRange = ([least, most]: readonly [number, number]): number => most - least;
