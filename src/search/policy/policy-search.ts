import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { PassLast } from "../choice/pass-last.ts";
import { Resignation, type ResignOption } from "../choice/resignation.ts";
import type { LeafPlayoutsConfig } from "../playouts/leaf-playouts.ts";
import type { Decision, PolicyChange, Search } from "../search.ts";
import { KeptTree } from "../tree/kept-tree.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import type { Choice } from "../tree/parts.ts";
import { TreeSearch } from "../tree/tree-search.ts";
import { Walk } from "../tree/walk.ts";
import { indexOf } from "./index-of.ts";
import type { SearchPlan } from "./playout-cap.ts";
import { policyChange } from "./policy-change.ts";
import { MeanBackup, NetLeaf, PolicyMoves } from "./policy-parts.ts";
import { PolicyTree } from "./policy-tree.ts";
import { softenRoot } from "./prior-temperature.ts";
import { ProvingBackup } from "./proving-backup.ts";
import { WinInOne } from "./win-in-one.ts";

/** The root of a search before its first simulation. */
export interface RootView {
  /** The legal actions in increasing order. */
  readonly actions: Int32Array;
  /** The number of decisions made in the game before this one. */
  readonly decisions: number;
  readonly plan: SearchPlan;
}

/** The root of a search after its last simulation. */
export interface SearchedRoot extends RootView {
  /**
   * Beside each action: the number of simulations that took it, in this search and in those whose tree was kept; 0 for an
   * action that proofs forbid.
   */
  readonly visits: Float64Array;
  /** Beside each action: Q of the mover; 0 for an action that no simulation took. */
  readonly actionValues: Float64Array;
}

/** Part of a policy-guided search: it selects edges, chooses the move to play, and sets the policy target. */
export interface SelectionRule {
  /** True if the rule plans for a given number of simulations; absent if any number will do. */
  readonly planned?: true;
  /** Called when the root has its edges, before the first simulation. Noise is added here. */
  begin(tree: PolicyTree, root: RootView, random: Random): void;
  /** As `Selection.awaitsAll`. */
  awaitsAll?(tree: PolicyTree): boolean;
  /** Returns the edge of the root that the next simulation takes. */
  selectAtRoot(tree: PolicyTree): number;
  /**
   * Returns the edge that a simulation takes at any other expanded decision node. The node's visits do not include this
   * simulation, nor those in flight (`PolicyTree.started`).
   */
  select(tree: PolicyTree, node: number): number;
  /** Returns the index of the action to play. Called once, after the last simulation. */
  choose(tree: PolicyTree, root: SearchedRoot, random: Random): number;
  /**
   * Returns the policy target: a weight beside each action, in a buffer of the rule, or undefined if the visits are
   * the target. Called after `choose`.
   */
  policy(tree: PolicyTree, root: SearchedRoot): Float64Array | undefined;
  /**
   * Returns what the policy target would be if the search had learned nothing: a weight beside each action, in a buffer of the
   * rule, or undefined if these are the priors. Called after `policy`. Absent: they always are.
   */
  unimproved?(): Float64Array | undefined;
}

/** What policy-guided searches differ in. */
export interface PolicySearchParts {
  /** Returns the plan of the next decision. The evaluation of the root is not one of its simulations. */
  readonly plan: (random: Random) => SearchPlan;
  readonly rule: SelectionRule;
  /** Wall time of a decision; 0: no limit. A rule that plans makes the number of simulations that the time is expected to hold. */
  readonly milliseconds: number;
  /** The greatest number of leaves in flight; null: 1. */
  readonly leaves: number | null;
  /** Whether the tree below the moves played is kept for the next decision. */
  readonly reuse: boolean;
  /** Playouts in addition to the net's values, or null. */
  readonly playouts: LeafPlayoutsConfig;
  /** Whether the player passes last. */
  readonly passLast: boolean;
  /** When the player gives a game up, or null. */
  readonly resign: ResignOption;
  /** Whether the search proves nodes. */
  readonly solver: boolean;
  /** T of the priors; 1 leaves them as they are. */
  readonly priorTemperature: number;
  /** T of the priors at the root; null: `priorTemperature`. */
  readonly rootPriorTemperature: number | null;
}

/**
 * Makes a tree search that is guided by a net's values and priors, for any number of players. With one leaf in flight every
 * request holds one position: batches are made across games.
 */
export function policySearch<S>(game: Game<S>, parts: PolicySearchParts): Search<S> {
  const { rule } = parts;
  const leaves = parts.leaves ?? 1;
  const policy = new PolicyTree(game.players, {
    ...(leaves > 1 ? { lost: 1 } : {}),
    ...(parts.solver ? { bounds: game.returnBounds } : {}),
  });
  const choice = new PolicyChoice(game, policy, parts);
  return new TreeSearch(game, {
    walks: Array.from({ length: leaves }, (_, index) => new Walk(game, policy.tree, index)),
    losses: policy.losses,
    moves: new PolicyMoves(game, policy),
    selection: {
      awaitsAll: () => rule.awaitsAll?.(policy) === true,
      select: (_walk, node) => (node === ROOT ? choice.selectAtRoot() : rule.select(policy, node)),
    },
    leaf: new NetLeaf(game, policy, parts.playouts, parts.priorTemperature),
    backup:
      policy.proven === undefined ? new MeanBackup(policy) : new ProvingBackup(game, policy, policy.proven),
    choice,
    opening: true,
    milliseconds: parts.milliseconds,
    resignation: Resignation.of(parts.resign),
    openEnded: rule.planned !== true,
  });
}

/** A choice by a selection rule. */
class PolicyChoice<S> implements Choice<S> {
  readonly #game: Game<S>;
  readonly #policy: PolicyTree;
  readonly #parts: PolicySearchParts;
  readonly #kept: KeptTree;
  readonly #passLast: PassLast<S> | undefined;
  readonly #buffer: DecisionBuffer<S>;
  readonly #winInOne: WinInOne<S> | undefined;
  #plan: SearchPlan = { simulations: 0, full: true };
  #root: SearchedRoot | undefined;
  /** The weights of the policy target of the last decision. */
  #target: Float64Array = new Float64Array(0);

  constructor(game: Game<S>, policy: PolicyTree, parts: PolicySearchParts) {
    this.#game = game;
    this.#policy = policy;
    this.#parts = parts;
    this.#kept = new KeptTree(policy.tree, parts.reuse);
    this.#passLast = PassLast.of(game, parts.passLast);
    this.#buffer = new DecisionBuffer(game);
    this.#winInOne = parts.solver ? new WinInOne(game, policy.tree) : undefined;
  }

  begin(): void {
    this.#kept.forget();
  }

  observe(_state: S, action: number): void {
    this.#kept.follow(action);
  }

  start(state: S, random: Random, _decisions: number, inTime?: number): number {
    const plan = this.#parts.plan(random);
    // A quick search stays one.
    this.#plan = inTime !== undefined && plan.full ? { ...plan, simulations: inTime } : plan;
    this.#kept.plant(this.#game.toMove(state));
    return this.#plan.simulations;
  }

  opened(state: S, random: Random, decisions: number): void {
    this.#root = { ...this.#buffer.open(state), decisions, plan: this.#plan };
    const { priorTemperature, rootPriorTemperature } = this.#parts;
    // The root has the priors of the tree.
    if (rootPriorTemperature !== null) softenRoot(this.#policy, rootPriorTemperature / priorTemperature);
    this.#parts.rule.begin(this.#policy, this.#root, random);
    this.#winInOne?.look(state);
  }

  /** The edge that the next simulation takes at the root. */
  selectAtRoot(): number {
    const win = this.#winInOne?.edge() ?? NONE;
    return win === NONE ? this.#parts.rule.selectAtRoot(this.#policy) : win;
  }

  settled(): boolean {
    return this.#policy.proven?.proofs.has(ROOT) === true;
  }

  decide(state: S, random: Random): Decision<S> {
    const { tree, rewards } = this.#policy;
    const { rule } = this.#parts;
    const root = this.#root!;
    const { actions, visits, actionValues } = root;
    const mover = tree.toMove[ROOT]!;
    const first = tree.firstEdge[ROOT]!;
    for (let edge = first; edge < first + tree.tried[ROOT]!; edge++) {
      const index = indexOf(actions, tree.key[edge]!);
      const child = tree.child[edge]!;
      visits[index] = tree.visits[child]!;
      actionValues[index] = rewards.actionValue(child, mover);
    }
    const proven = this.#policy.proven;
    const open = proven === undefined ? visits : visits.slice();
    const leftOut = proven?.keepGood(actions, open) === true;
    const chosen = rule.choose(this.#policy, { ...root, visits: open }, random);
    const index = this.#passLast?.choose(state, chosen, root) ?? chosen;
    const child = tree.child[tree.edgeOf(ROOT, actions[index]!)]!;
    const values = Array.from({ length: tree.players }, (_, seat) => rewards.actionValue(child, seat));
    const decision = this.#buffer.close(root, index, values);
    const weights = rule.policy(this.#policy, root);
    if (weights !== undefined) proven?.keepGood(actions, weights);
    const policy = weights ?? (leftOut ? open : undefined);
    this.#target = policy ?? visits;
    return {
      ...decision,
      ...(policy === undefined ? {} : { policy }),
      ...(root.plan.full ? {} : { learn: false }),
    };
  }

  policyChange(): PolicyChange {
    // What is proven needs no move that the rule has considered.
    const unimproved = this.settled() ? undefined : this.#parts.rule.unimproved?.();
    return policyChange(this.#policy, this.#root!, this.#target, unimproved);
  }
}
