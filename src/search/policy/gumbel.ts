import { type Static, Type } from "../../schema.ts";
import type { Random } from "../../random.ts";
import { scheduleComplaint, scheduled, scheduleSchema } from "../../schedule.ts";
import type { SearchDefinition } from "../definition.ts";
import { ImprovedPolicy, logit } from "./improved-policy.ts";
import { indexOf } from "./index-of.ts";
import { mostVisited, type MoveTemperature, moveTemperature, temperatureAt } from "../choice/move-choice.ts";
import { unsuitedPassLast } from "../choice/pass-last.ts";
import { unsuitedResignation } from "../choice/resignation.ts";
import { searchPlans } from "./playout-cap.ts";
import { policySearchAlone, policySearchOptions } from "./policy-options.ts";
import { type SelectionRule, policySearch, type RootView, type SearchedRoot } from "./policy-search.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import type { PolicyTree } from "./policy-tree.ts";
import { sequentialHalving } from "./sequential-halving.ts";

/** What schedules of options count by. */
const VERSION = "version of the agent's net";

/** The target in positions with many more legal moves than are considered, unless the file names one. */
const IN_WIDE = "tried";
/**
 * Such a position has so many times as many. With 3 to 6% of the moves tried, the completed target was the prior itself (Blokus
 * Duo, a total variation of .007 to .022); with 13 to 27%, it was not (.15 to .42).
 */
const WIDE = 8;

const options = Type.Object(
  {
    ...policySearchOptions(64),
    considered: Type.Optional({
      ...scheduleSchema("m: the greatest number of actions that are sampled and tried at the root", VERSION, {
        minimum: 1,
        maximum: 1_000_000,
        multipleOf: 1,
      }),
      default: 16,
    }),
    cVisit: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e12,
        default: 50,
        description: "c_visit: the weight of values against priors before any visit.",
      }),
    ),
    cScale: Type.Optional({
      ...scheduleSchema(
        "c_scale: the weight of values against priors, per visit of the most visited action",
        VERSION,
        { minimum: 0, maximum: 1e12 },
      ),
      default: 1,
    }),
    range: Type.Optional(
      Type.Union(
        [Type.Number({ exclusiveMinimum: 0, maximum: 1e12 }), Type.Literal("completed"), Type.Null()],
        {
          default: null,
          description:
            'The difference between the greatest and the least return. Values are divided by it. null: taken from the rules of the game. "completed": of each position, the difference between the greatest and the least completed value of its moves.',
        },
      ),
    ),
    target: Type.Optional(
      Type.Union(
        [Type.Literal("completed"), Type.Literal("tried"), Type.Literal("tried-unweighted"), Type.Null()],
        {
          default: null,
          description: `The policy target. "completed": the improved policy over all legal moves. "tried": over the moves that were sampled, each with its weight divided by the probability that it was drawn. "tried-unweighted": the same without these weights. null: "${IN_WIDE}" in positions with at least ${WIDE} times as many legal moves as are sampled, "completed" in others.`,
        },
      ),
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

/** What the policy target is over; null: decided for each position. */
type Target = Exclude<Static<typeof options>["target"], undefined>;

/**
 * Gumbel-Top-k at the root and Sequential Halving among the sampled actions. It plays the move with the greatest
 * g(a) + logits(a) + sigma(completedQ(a)) among the most visited ones. The policy target is the improved policy.
 */
class GumbelRule implements SelectionRule {
  readonly planned = true;
  readonly #considered: number;
  readonly #temperature: MoveTemperature;
  readonly #improved: ImprovedPolicy;
  readonly #given: Target;
  /** That of the position. */
  #target: NonNullable<Target> = "completed";
  /** Plans by the numbers of actions considered and of simulations; see `sequentialHalving`. */
  readonly #plans = new Map<string, Int32Array>();
  #plan: Int32Array = new Int32Array(0);
  #simulation = 0;
  /** Of each action considered: the action, g + logit, and its simulations in this search. */
  #actions: Int32Array = new Int32Array(0);
  #scores = new Float64Array(0);
  #counts = new Int32Array(0);
  /** log of the probability that it was drawn. */
  #drawn = new Float64Array(0);
  /** Of each action considered: the node that it leads to, or NONE while that is unknown. */
  #nodes: Int32Array = new Int32Array(0);
  #weights = new Float64Array(0);
  /** Beside each action: the weight of a target over tried actions before values count. */
  #unimproved = new Float64Array(0);

  constructor(considered: number, temperature: MoveTemperature, improved: ImprovedPolicy, target: Target) {
    this.#considered = considered;
    this.#temperature = temperature;
    this.#improved = improved;
    this.#given = target;
  }

  begin({ tree, prior }: PolicyTree, { actions, decisions, plan }: RootView, random: Random): void {
    const all = actions.length;
    const scores = new Float64Array(all);
    const scale = plan.full ? temperatureAt(this.#temperature, decisions) : 0;
    // The draws follow the order of actions. The order of edges depends on earlier searches.
    if (scale > 0) for (let i = 0; i < all; i++) scores[i] = scale * drawGumbel(random);
    const first = tree.firstEdge[ROOT]!;
    const logits = new Float64Array(all);
    for (let edge = first; edge < first + all; edge++) {
      const index = indexOf(actions, tree.key[edge]!);
      logits[index] = logit(prior.data[edge]!);
      scores[index]! += logits[index];
    }
    const most = Math.min(all, this.#considered, plan.simulations);
    this.#target = this.#given ?? (all >= WIDE * most ? IN_WIDE : "completed");
    const order = byGreatest(scores);
    const best = order.subarray(0, most);
    const next = scale > 0 && most < all ? scores[order[most]!]! : undefined;
    this.#drawn = Float64Array.from(best, (index) =>
      next === undefined ? 0 : logDrawn((logits[index]! - next) / scale),
    );
    this.#actions = Int32Array.from(best, (index) => actions[index]!);
    this.#scores = Float64Array.from(best, (index) => scores[index]!);
    this.#counts = new Int32Array(most);
    this.#nodes = this.#actions.map((action) => tree.child[tree.edgeOf(ROOT, action)]!);
    this.#plan = this.#planFor(most, plan.simulations);
    this.#simulation = 0;
  }

  /** Whether a round of the plan begins that leaves actions out: to take the best ones it needs the values of all. */
  awaitsAll(policy: PolicyTree): boolean {
    const next = this.#simulation;
    const count = this.#plan[next]!;
    if (count === this.#plan[next - 1]) return false;
    let end = next;
    while (end < this.#plan.length && this.#plan[end] === count) end++;
    return this.#counts.filter((each, i) => each === count && !this.#closed(policy, i)).length > end - next;
  }

  selectAtRoot(policy: PolicyTree): number {
    const index = this.#next(policy, this.#plan[this.#simulation++]!);
    if (index === NONE) return this.#improved.select(policy, ROOT);
    this.#counts[index]!++;
    return policy.tree.edgeOf(ROOT, this.#actions[index]!);
  }

  select(policy: PolicyTree, node: number): number {
    return this.#improved.select(policy, node);
  }

  choose(policy: PolicyTree, { actions, visits, actionValues }: SearchedRoot): number {
    const settled = policy.proven?.proofs.has(ROOT) === true;
    const index = settled ? NONE : this.#next(policy, Infinity);
    // Proofs may have settled the root, or closed all the actions that were considered.
    return index === NONE ? mostVisited(visits, actionValues) : indexOf(actions, this.#actions[index]!);
  }

  policy(policy: PolicyTree, { actions }: SearchedRoot): Float64Array {
    if (this.#weights.length !== actions.length) this.#weights = new Float64Array(actions.length);
    this.#improved.measure(policy, ROOT);
    if (this.#target === "completed") this.#completed(policy, actions);
    else this.#tried(policy, actions);
    return this.#weights;
  }

  /** Sets the weights to the improved policy. */
  #completed(policy: PolicyTree, actions: Int32Array): void {
    const { tree } = policy;
    const mover = tree.toMove[ROOT]!;
    const first = tree.firstEdge[ROOT]!;
    for (let edge = first; edge < first + actions.length; edge++)
      this.#weights[indexOf(actions, tree.key[edge]!)] = this.#improved.weight(policy, edge, mover);
  }

  /** Sets the weights to the improved policy over the actions considered, each divided by the probability that it was drawn. */
  #tried(policy: PolicyTree, actions: Int32Array): void {
    const { prior, tree } = policy;
    const mover = tree.toMove[ROOT]!;
    const before = new Float64Array(this.#actions.length);
    const logs = Float64Array.from(this.#actions, (action, i) => {
      const edge = tree.edgeOf(ROOT, action);
      const own = logit(prior.data[edge]!);
      const drawn = this.#target === "tried" ? this.#drawn[i]! : 0;
      before[i] = own - drawn;
      return own + this.#improved.bonus(policy, tree.child[edge]!, mover) - drawn;
    });
    if (this.#unimproved.length !== actions.length) this.#unimproved = new Float64Array(actions.length);
    this.#writeTried(actions, logs, this.#weights);
    this.#writeTried(actions, before, this.#unimproved);
  }

  /** Writes exp(log) of the actions considered beside all actions, up to a factor; 0 beside the others. */
  #writeTried(actions: Int32Array, logs: Float64Array, out: Float64Array): void {
    const peak = logs.reduce((most, each) => Math.max(most, each), -Infinity);
    out.fill(0);
    for (const [i, log] of logs.entries()) out[indexOf(actions, this.#actions[i]!)] = Math.exp(log - peak);
  }

  unimproved(): Float64Array | undefined {
    return this.#target === "completed" ? undefined : this.#unimproved;
  }

  /**
   * The best of the actions considered that this search has visited `planned` times. If proofs have closed them, of those
   * whose visits come next: the fewest above, or else the most below. NONE if all actions considered are closed.
   */
  #next(policy: PolicyTree, planned: number): number {
    let [above, below] = [Infinity, -1];
    for (let i = 0; i < this.#actions.length; i++) {
      if (this.#closed(policy, i)) continue;
      const count = this.#counts[i]!;
      if (count >= planned) above = Math.min(above, count);
      else below = Math.max(below, count);
    }
    if (above === Infinity && below < 0) return NONE;
    return this.#best(policy, above < Infinity ? above : below);
  }

  #closed(policy: PolicyTree, index: number): boolean {
    return policy.proven?.someIn(ROOT) === true && policy.proven.closed(ROOT, this.#node(policy, index));
  }

  /** The node that an action considered leads to, or NONE while it is untried. */
  #node({ tree }: PolicyTree, index: number): number {
    if (this.#nodes[index] === NONE && this.#counts[index]! > 0)
      this.#nodes[index] = tree.child[tree.edgeOf(ROOT, this.#actions[index]!)]!;
    return this.#nodes[index]!;
  }

  /** The best by g + logit + sigma(completedQ) of the open actions considered that this search has visited `count` times. */
  #best(policy: PolicyTree, count: number): number {
    this.#improved.measure(policy, ROOT);
    const mover = policy.tree.toMove[ROOT]!;
    let best = NONE;
    let highest = -Infinity;
    for (let i = 0; i < this.#actions.length; i++) {
      if (this.#counts[i] !== count || this.#closed(policy, i)) continue;
      const score = this.#scores[i]! + this.#improved.bonus(policy, this.#node(policy, i), mover);
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

/** The indices of numbers, that of the greatest first. Of equal numbers the first one comes first. */
function byGreatest(numbers: Float64Array): Int32Array {
  const order = Int32Array.from(numbers, (_, index) => index);
  return order.sort((a, b) => numbers[b]! - numbers[a]! || a - b);
}

/**
 * log(1 - exp(-exp(x))): the probability that the logit of an action plus a Gumbel draw exceeds that of the first action that was
 * not taken, where x is the difference of the two before the draw (Kool, van Hoof and Welling 2019, section 4.1). For small
 * x, exp(x) is as good, and its logarithm does not underflow.
 */
export function logDrawn(x: number): number {
  return x < -40 ? x : Math.log(-Math.expm1(-Math.exp(x)));
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
  alone: policySearchAlone,
  scheduled: ["cScale", "considered"],
  // What runs learned from before there was a choice.
  earlier: { target: "completed" },
  unsuited: (game, { cScale, considered, range, passLast, resign, solver }) => {
    for (const [name, schedule] of Object.entries({ cScale, considered })) {
      const complaint = scheduleComplaint(schedule);
      if (complaint !== undefined) return `${name}: ${complaint}`;
    }
    return range === null && !Number.isFinite(boundedRange(game.returnBounds))
      ? `the rules of ${game.name} set no bounds to its returns: give their range`
      : (unsuitedPassLast(game, passLast, solver) ?? unsuitedResignation(game, resign));
  },
  create: (
    game,
    {
      simulations,
      milliseconds,
      leaves,
      playoutCap,
      priorTemperature,
      rootPriorTemperature,
      playouts,
      passLast,
      resign,
      reuse,
      solver,
      considered,
      cVisit,
      cScale,
      range,
      target,
      temperature,
    },
    _nets,
    _threadSeconds,
    version = Infinity,
  ) =>
    policySearch(game, {
      plan: searchPlans(simulations, playoutCap),
      milliseconds,
      rule: new GumbelRule(
        scheduled(considered, version),
        temperature,
        new ImprovedPolicy({
          cVisit,
          cScale: scheduled(cScale, version),
          range: range ?? boundedRange(game.returnBounds),
        }),
        target,
      ),
      leaves,
      reuse,
      playouts,
      passLast,
      resign,
      solver,
      priorTemperature,
      rootPriorTemperature,
    }),
};

const boundedRange = ([least, most]: readonly [number, number]): number => most - least;
