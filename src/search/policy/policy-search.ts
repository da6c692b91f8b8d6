import type { EvaluationRequest } from "../../games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { SearchPlan } from "./playout-cap.ts";
import { drawOutcome, NONE, ROOT, widened } from "../tree/nodes.ts";
import { LeafPlayouts, type LeafPlayoutsConfig } from "../playouts/leaf-playouts.ts";
import { PolicyTree } from "./policy-tree.ts";
import type { Decision, Search, Searching } from "../search.ts";

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
  /** Beside each action: the number of simulations that took it, in this search and in those whose tree was kept. */
  readonly visits: Float64Array;
  /** Beside each action: Q of the mover; 0 for an action that no simulation took. */
  readonly actionValues: Float64Array;
}

/** Part of a policy-guided search: it selects edges, chooses the move to play, and sets the policy target. */
export interface SelectionRule {
  /** Called when the root has its edges, before the first simulation. Noise is added here. */
  begin(tree: PolicyTree, root: RootView, random: Random): void;
  /** Returns the edge of the root that the next simulation takes. */
  selectAtRoot(tree: PolicyTree): number;
  /**
   * Returns the edge that a simulation takes at any other expanded decision node. The node's visits do not include this
   * simulation.
   */
  select(tree: PolicyTree, node: number): number;
  /** Returns the index of the action to play. Called once, after the last simulation. */
  choose(tree: PolicyTree, root: SearchedRoot, random: Random): number;
  /**
   * Returns the policy target: a weight beside each action, in a buffer of the rule, or undefined where the visits are
   * the target. Called after `choose`.
   */
  policy(tree: PolicyTree, root: SearchedRoot): Float64Array | undefined;
}

/** The parts that a policy-guided search is composed of. */
export interface PolicySearchParts {
  /** Returns the plan of the next decision. The evaluation of the root is not one of its simulations. */
  readonly plan: (random: Random) => SearchPlan;
  readonly rule: SelectionRule;
  /** Whether the tree below the moves played is kept for the next decision. */
  readonly reuse: boolean;
  /** Playouts in addition to the net's values, or null. */
  readonly playouts: LeafPlayoutsConfig;
}

/**
 * Tree search guided by a net's values and priors, for any number of players.
 *
 * A simulation goes down by the selection rule, and by probability at chance nodes, until it reaches a new position.
 * The net values the position for every seat and gives its actions priors, which are renormalised over the legal
 * actions. Each node on the path keeps the mean of every seat's return from the node on (max-n). The end of the game
 * has the value 0. Every request holds one position: batches are made across games.
 */
export class PolicySearch<S> implements Search<S> {
  readonly maxRequest = 1;
  readonly #game: Game<S>;
  readonly #parts: PolicySearchParts;
  readonly #request: EvaluationRequest<S>;
  readonly #leaf: S;
  readonly #actions: Int32Array;
  readonly #probabilities: Float64Array;
  readonly #before: Float64Array;
  readonly #returns: Float64Array;
  readonly #buffer: DecisionBuffer<S>;
  readonly #playouts: LeafPlayouts<S> | undefined;
  #path = new Int32Array(64);
  #length = 0;
  #tree: PolicyTree;
  #spare: PolicyTree;
  /** The node of the game's current position in the kept tree, or NONE. */
  #kept = NONE;

  constructor(game: Game<S>, parts: PolicySearchParts) {
    this.#game = game;
    this.#parts = parts;
    this.#leaf = game.initial();
    this.#request = {
      states: [this.#leaf],
      count: 1,
      values: new Float64Array(game.players),
      priors: new Float32Array(game.maxLegal),
    };
    this.#actions = new Int32Array(game.maxLegal);
    this.#probabilities = new Float64Array(game.maxLegal);
    this.#before = new Float64Array(game.players);
    this.#returns = new Float64Array(game.players);
    this.#buffer = new DecisionBuffer(game);
    this.#playouts = parts.playouts === null ? undefined : new LeafPlayouts(game, parts.playouts);
    this.#tree = new PolicyTree(game.players);
    this.#spare = new PolicyTree(game.players);
  }

  begin(): void {
    this.#kept = NONE;
  }

  observe(_state: S, action: number): void {
    if (this.#kept === NONE) return;
    const tree = this.#tree;
    const edge = tree.firstEdge[this.#kept] === NONE ? NONE : tree.edgeOf(this.#kept, action);
    this.#kept = edge === NONE ? NONE : tree.child[edge]!;
  }

  *search(state: S, random: Random, decisions: number): Searching<S> {
    const { rule } = this.#parts;
    const plan = this.#parts.plan(random);
    this.#plant(state);
    const tree = this.#tree;
    if (tree.firstEdge[ROOT] === NONE) {
      this.#game.copy(state, this.#leaf);
      this.#path[0] = ROOT;
      this.#length = 1;
      this.#expand(ROOT);
      yield this.#request;
      this.#evaluated(ROOT, random);
      this.#backUp();
    }
    const rows = this.#buffer.open(state);
    const root: SearchedRoot = { ...rows, decisions, plan };
    rule.begin(tree, root, random);
    for (let simulation = 0; simulation < plan.simulations; simulation++) {
      const leaf = this.#descend(state, random);
      if (tree.toMove[leaf] === OVER) this.#returns.fill(0);
      else {
        this.#expand(leaf);
        yield this.#request;
        this.#evaluated(leaf, random);
      }
      this.#backUp();
    }
    return this.#decide(rows, root, random);
  }

  /** Starts the tree of a decision: with the kept part of the last tree, or with only a root. */
  #plant(state: S): void {
    const kept = this.#kept;
    const tree = this.#tree;
    if (kept !== NONE && kept !== ROOT && tree.firstEdge[kept] !== NONE) {
      this.#spare.assign(tree, kept);
      this.#tree = this.#spare;
      this.#spare = tree;
    } else {
      tree.clear();
      tree.addNode(this.#game.toMove(state));
    }
    this.#kept = this.#parts.reuse ? ROOT : NONE;
  }

  /** Plays from the root to a position that is new to the tree, or to the end of the game. Stores the path. */
  #descend(state: S, random: Random): number {
    const game = this.#game;
    const tree = this.#tree;
    const { rule } = this.#parts;
    const position = this.#leaf;
    game.copy(state, position);
    let node = ROOT;
    let length = 0;
    for (;;) {
      if (length === this.#path.length) this.#path = widened(this.#path, new Int32Array(2 * length));
      this.#path[length++] = node;
      const toMove = tree.toMove[node]!;
      if (toMove === CHANCE) {
        if (tree.firstEdge[node] === NONE) this.#expandChance(node);
      } else if (tree.firstEdge[node] === NONE) break;
      const edge =
        toMove === CHANCE
          ? drawOutcome(tree.prior, tree.firstEdge[node]!, tree.edgeCount[node]!, random)
          : node === ROOT
            ? rule.selectAtRoot(tree)
            : rule.select(tree, node);
      const action = tree.key[edge]!;
      const child = tree.child[edge]!;
      if (child !== NONE) {
        game.play(position, action);
        node = child;
        continue;
      }
      game.returns(position, this.#before);
      game.play(position, action);
      game.returns(position, this.#returns);
      node = tree.follow(node, edge, game.toMove(position));
      const at = node * tree.players;
      for (let seat = 0; seat < tree.players; seat++)
        tree.rewards[at + seat] = this.#returns[seat]! - this.#before[seat]!;
    }
    this.#length = length;
    return node;
  }

  #expandChance(node: number): void {
    const count = this.#game.chance!.outcomes(this.#leaf, this.#actions, this.#probabilities);
    this.#tree.addEdges(node, this.#actions, count);
    this.#tree.setPriors(node, this.#probabilities, 0);
  }

  #expand(leaf: number): void {
    this.#tree.addEdges(leaf, this.#actions, this.#game.legal(this.#leaf, this.#actions));
  }

  /** Takes the net's values and priors for a leaf. */
  #evaluated(leaf: number, random: Random): void {
    const tree = this.#tree;
    const { values, priors } = this.#request;
    this.#playouts?.mix(this.#leaf, values, random);
    for (let seat = 0; seat < tree.players; seat++) this.#returns[seat] = values[seat]!;
    tree.estimate[leaf] = values[tree.toMove[leaf]!]!;
    tree.setPriors(leaf, priors!, 0);
  }

  /**
   * Counts the simulation at every node of the path, and adds each seat's return from the node on; `#returns` starts at
   * the leaf.
   */
  #backUp(): void {
    const { players, values, rewards, visits } = this.#tree;
    const returns = this.#returns;
    for (let depth = this.#length - 1; depth >= 0; depth--) {
      const node = this.#path[depth]!;
      const share = 1 / ++visits[node]!;
      const at = node * players;
      for (let seat = 0; seat < players; seat++) {
        values[at + seat]! += (returns[seat]! - values[at + seat]!) * share;
        returns[seat]! += rewards[at + seat]!;
      }
    }
  }

  #decide(rows: ReturnType<DecisionBuffer<S>["open"]>, root: SearchedRoot, random: Random): Decision<S> {
    const tree = this.#tree;
    const { rule } = this.#parts;
    const { actions, visits, actionValues } = rows;
    const mover = tree.toMove[ROOT]!;
    const first = tree.firstEdge[ROOT]!;
    for (let edge = first; edge < first + tree.tried[ROOT]!; edge++) {
      const index = indexOf(actions, tree.key[edge]!);
      const child = tree.child[edge]!;
      visits[index] = tree.visits[child]!;
      actionValues[index] = tree.actionValue(child, mover);
    }
    const index = rule.choose(tree, root, random);
    const child = tree.child[tree.edgeOf(ROOT, actions[index]!)]!;
    const values = Array.from(this.#returns, (_, seat) => tree.actionValue(child, seat));
    const decision = this.#buffer.close(rows, index, values);
    const policy = rule.policy(tree, root);
    return {
      ...decision,
      ...(policy === undefined ? {} : { policy }),
      ...(root.plan.full ? {} : { learn: false }),
    };
  }
}

/** The index of an action in an increasing list that contains it. */
export function indexOf(actions: Int32Array, action: number): number {
  let low = 0;
  let high = actions.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (actions[middle]! < action) low = middle + 1;
    else high = middle;
  }
  return low;
}
