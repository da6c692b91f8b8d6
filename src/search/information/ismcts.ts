import { CHANCE, type Game, type Grouping, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { InformationSelection } from "./information-selection.ts";
import { InformationTree } from "./information-tree.ts";
import { NONE, ROOT, widened } from "../tree/nodes.ts";
import { PlayoutPolicy } from "../playouts/playout-policy.ts";
import type { Decision, Search, Searching } from "../search.ts";
import { TimeBudget } from "../time-budget.ts";

/**
 * Who observes the moves in a tree. `all-seen`: one tree, in which everyone sees every move. `partial`: one tree of the
 * root player, to whom some moves of the others look alike. `each`: a tree for every player.
 */
export type Observers = "all-seen" | "partial" | "each";

/** The parts and settings of a search over information sets. */
export interface InformationSearchParts<S> {
  readonly observers: Observers;
  readonly simulations: number;
  /** Wall time of a decision, in place of simulations; 0 means that simulations count. */
  readonly milliseconds: number;
  /** C of UCB1. */
  readonly exploration: number;
  /** Visits of a leaf before the visit that expands it. The root is expanded at once. */
  readonly expansion: number;
  readonly epsilon: number;
  /** Adds a layer of groups between a decision and its actions, wherever the grouping applies. */
  readonly grouping?: Grouping<S>;
}

/**
 * Information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012). Every simulation draws a
 * determinization: a position that agrees with what the player to move has seen. All simulations share trees whose
 * nodes are information sets.
 *
 * Values are returns from the root on; in a match of several deals, within the current deal. With a grouping, a node
 * has a child for each group, and the group nodes have the actions. A group layer is expanded together with its node,
 * so that one group, or one action in each group, changes nothing. The search plays the most visited action of the most
 * visited group. A single legal action is played at once, without values. In a game without hidden information this is
 * UCT.
 */
export class InformationSearch<S> implements Search<S> {
  readonly maxRequest = 0;
  readonly #game: Game<S>;
  readonly #parts: InformationSearchParts<S>;
  readonly #budget: TimeBudget;
  readonly #buffer: DecisionBuffer<S>;
  readonly #selection: InformationSelection;
  readonly #policy: PlayoutPolicy<S>;
  readonly #trees: readonly InformationTree[];
  readonly #state: S;
  readonly #legal: Int32Array;
  readonly #before: Float64Array;
  readonly #returns: Float64Array;
  /** By tree: the nodes on the path of the current simulation, and their number. */
  readonly #paths: Int32Array[];
  readonly #lengths: Int32Array;
  #root = 0;

  constructor(game: Game<S>, parts: InformationSearchParts<S>) {
    this.#game = game;
    this.#parts = parts;
    this.#budget = new TimeBudget(parts.milliseconds);
    this.#buffer = new DecisionBuffer(game);
    this.#selection = new InformationSelection(
      parts.exploration,
      game.actions + (parts.grouping?.groups ?? 0),
    );
    this.#policy = new PlayoutPolicy(game, parts.epsilon);
    const trees = parts.observers === "each" ? game.players : 1;
    this.#trees = Array.from({ length: trees }, () => new InformationTree(game.players));
    this.#state = game.initial();
    this.#legal = new Int32Array(game.maxLegal);
    this.#before = new Float64Array(game.players);
    this.#returns = new Float64Array(game.players);
    this.#paths = this.#trees.map(() => new Int32Array(64));
    this.#lengths = new Int32Array(trees);
  }

  // oxlint-disable-next-line require-yield -- it makes no requests
  *search(state: S, random: Random, _decisions: number): Searching<S> {
    const { simulations } = this.#parts;
    const budget = this.#budget;
    this.#root = this.#game.toMove(state);
    for (const tree of this.#trees) tree.reset();
    this.#game.returns(state, this.#before);
    budget.start();
    if (this.#game.legal(state, this.#legal) > 1)
      // Under a time limit at least one action is tried, so that there is an action to play.
      for (let done = 0; budget.limited ? done === 0 || !budget.spent() : done < simulations; done++)
        this.#simulate(state, random);
    return this.#decide(state);
  }

  #simulate(root: S, random: Random): void {
    const game = this.#game;
    const state = this.#state;
    const { information } = game;
    const deal = game.search?.deal;
    if (information === undefined) game.copy(root, state);
    else information.determinize(root, this.#root, random, state);
    const currentDeal = deal?.(state);
    const within = () => deal === undefined || deal(state) === currentDeal;
    for (let t = 0; t < this.#trees.length; t++) this.#paths[t]![0] = ROOT;
    this.#lengths.fill(1);
    while (within() && this.#descend(random));
    if (within() && game.toMove(state) !== OVER) this.#policy.finish(state, random);
    game.returns(state, this.#returns);
    for (let seat = 0; seat < game.players; seat++) this.#returns[seat]! -= this.#before[seat]!;
    for (const [t, tree] of this.#trees.entries())
      tree.backUp(this.#paths[t]!, this.#lengths[t]!, this.#returns);
  }

  /** Takes one step of the game inside the trees. At a leaf it takes none and returns false. */
  #descend(random: Random): boolean {
    const game = this.#game;
    const state = this.#state;
    const mover = game.toMove(state);
    if (mover === OVER) return false;
    const chooser = this.#trees.length === 1 || mover < 0 ? 0 : mover;
    const tree = this.#trees[chooser]!;
    const node = this.#paths[chooser]![this.#lengths[chooser]! - 1]!;
    if (node !== ROOT && tree.visits[node]! < this.#parts.expansion) return false;
    if (mover === CHANCE) {
      const outcome = game.chance!.sample(state, random);
      for (let t = 0; t < this.#trees.length; t++) this.#step(t, outcome);
      game.play(state, outcome);
      return true;
    }
    const action = this.#select(tree, chooser, node, mover, random);
    for (let t = 0; t < this.#trees.length; t++) if (t !== chooser) this.#step(t, this.#seen(action, t));
    game.play(state, action);
    return true;
  }

  /** Goes to the child of a tree's current node with this key. Adds the child if it is missing. */
  #step(t: number, key: number): void {
    const tree = this.#trees[t]!;
    const node = this.#paths[t]![this.#lengths[t]! - 1]!;
    const child = tree.childOf(node, key);
    this.#enter(t, child === NONE ? tree.addChild(node, key) : child);
  }

  #enter(t: number, node: number): void {
    let path = this.#paths[t]!;
    const length = this.#lengths[t]!++;
    if (length === path.length) {
      path = widened(path, new Int32Array(2 * length));
      this.#paths[t] = path;
    }
    path[length] = node;
  }

  /**
   * Chooses the mover's action in the tree of `chooser`. Enters the node of its group, if there is one, and its own.
   */
  #select(tree: InformationTree, chooser: number, node: number, mover: number, random: Random): number {
    const game = this.#game;
    const { grouping } = this.#parts;
    const legal = this.#legal;
    const selection = this.#selection;
    const count = game.legal(this.#state, legal);
    const observer = this.#trees.length === 1 ? this.#root : mover;
    const grouped = grouping?.applies(this.#state) === true;
    let from = node;
    let group = -1;
    if (grouped) {
      selection.begin();
      for (let i = 0; i < count; i++) selection.add(game.actions + grouping.group(legal[i]!));
      from = selection.select(tree, node, mover, random);
      group = tree.key[from]! - game.actions;
      this.#enter(chooser, from);
    }
    const inGroup = (action: number) => !grouped || grouping.group(action) === group;
    selection.begin();
    for (let i = 0; i < count; i++) if (inGroup(legal[i]!)) selection.add(this.#seen(legal[i]!, observer));
    const child = selection.select(tree, from, mover, random);
    this.#enter(chooser, child);
    return this.#behind(tree.key[child]!, observer, count, inGroup, random);
  }

  /** Returns an action that looks like `key` to the observer. Among several it draws one. */
  #behind(
    key: number,
    observer: number,
    count: number,
    inGroup: (action: number) => boolean,
    random: Random,
  ): number {
    if (this.#parts.observers !== "partial" || this.#game.information?.observed === undefined) return key;
    const legal = this.#legal;
    const alike = (action: number) => inGroup(action) && this.#seen(action, observer) === key;
    let number = 0;
    for (let i = 0; i < count; i++) if (alike(legal[i]!)) number++;
    let which = number === 1 ? 0 : random.below(number);
    for (let i = 0; ; i++) if (alike(legal[i]!) && which-- === 0) return legal[i]!;
  }

  /** The key under which an observer sees an action. */
  #seen(action: number, observer: number): number {
    if (this.#parts.observers === "all-seen") return action;
    return this.#game.information?.observed?.(this.#state, action, observer) ?? action;
  }

  #decide(state: S): Decision<S> {
    const rows = this.#buffer.open(state);
    const { actions, visits, actionValues } = rows;
    const { grouping } = this.#parts;
    const mover = this.#root;
    const tree = this.#trees[this.#trees.length === 1 ? 0 : mover]!;
    const grouped = actions.length > 1 && grouping?.applies(state) === true;
    let best = 0;
    let bestGroup = NONE;
    let chosen = NONE;
    for (let i = 0; i < actions.length; i++) {
      const parent = grouped ? tree.childOf(ROOT, this.#game.actions + grouping.group(actions[i]!)) : ROOT;
      const child = parent === NONE ? NONE : tree.childOf(parent, actions[i]!);
      if (child === NONE) continue;
      visits[i] = tree.visits[child]!;
      actionValues[i] = tree.mean(child, mover);
      const order =
        more(tree, parent, bestGroup, mover) || (parent === bestGroup ? more(tree, child, chosen, mover) : 0);
      if (order <= 0) continue;
      best = i;
      bestGroup = parent;
      chosen = child;
    }
    const values = Array.from({ length: this.#game.players }, (_, seat) =>
      chosen === NONE ? 0 : tree.mean(chosen, seat),
    );
    return this.#buffer.close(rows, best, values);
  }
}

/**
 * Compares two nodes by visits, then by the mean of a seat: above 0 where `node` is greater, 0 where they are equal.
 */
function more(tree: InformationTree, node: number, than: number, seat: number): number {
  if (than === NONE) return 1;
  return tree.visits[node]! - tree.visits[than]! || tree.mean(node, seat) - tree.mean(than, seat);
}
