import { CHANCE, type Game, type Grouping, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { NONE } from "../tree/nodes.ts";
import type { Moves, Selection } from "../tree/parts.ts";
import type { SearchTree } from "../tree/search-tree.ts";
import type { Walk } from "../tree/walk.ts";
import { InformationSelection, type SelectionConfig } from "./information-selection.ts";

/**
 * The observers of the moves in a tree. `all-seen`: one tree, in which everyone sees every move. `partial`: one tree of the
 * root player, which cannot distinguish some moves of the others. `each`: a tree for every player.
 */
export type Observers = "all-seen" | "partial" | "each";

/**
 * Which children a visit adds to a node. `one`: one child, in which the simulation ends (Cowling, Powley and Whitehouse
 * 2012). `every`: a child for each move that is possible in the determinization, with a simulation of its own (Tsubokura
 * and Nishino, section 2.1, step 2).
 */
export type NewChildren = "one" | "every";

/** The settings of moves between information sets. */
export interface InformationMovesConfig<S> extends SelectionConfig {
  readonly observers: Observers;
  /** Visits of a leaf before the visit that expands it. The root is expanded at once. */
  readonly expansion: number;
  readonly children: NewChildren;
  /** Adds a layer of groups between a decision and its actions, wherever the grouping applies. */
  readonly grouping?: Grouping<S>;
}

/**
 * Moves between information sets, and the selection among them, which both depend on the determinization.
 *
 * A node represents all positions that one observer cannot distinguish after what it has seen since the root. The key of
 * an edge is what the observer saw: an action, a class of actions that look alike, a group of actions (the number of
 * actions plus the group), or an outcome of chance. Edges are added one by one.
 *
 * The trees of several observers lie in one `SearchTree`: observer t has the root t. Every ply takes each observer to
 * another node. The walk continues at the node of the seat that moves next; the nodes of the others are on its path too,
 * so that the backup counts them.
 *
 * With `children: every` the next simulations start at a node that still lacks children, with the determinization and the
 * path of the simulation that came to it, until the node has a child for every possible move. A group node is then a node
 * like others, which is expanded after its own visits; at a root it is expanded at once. If `firstPlay` is finite, this holds
 * for the moves that are possible in the simulation that expands the node; later ones come as `firstPlay` says.
 */
export class InformationMoves<S> implements Moves<S>, Selection<S> {
  /** Number of trees. */
  readonly roots: number;
  readonly #game: Game<S>;
  readonly #tree: SearchTree;
  readonly #config: InformationMovesConfig<S>;
  readonly #choices: InformationSelection;
  readonly #legal: Int32Array;
  /** Number of legal actions of the position. */
  #count = 0;
  /** By observer: its node. */
  readonly #at: Int32Array;
  /** The group that the mover has chosen but not yet an action of it, or NONE. */
  #group = NONE;
  /** Whether the node of this group is expanded together with the node before it. */
  #groupOpen = true;
  #deal: number | undefined;
  readonly #every: boolean;
  /** A node that lacks children, or NONE; then the place of the walk at that node. The walk still has the path. */
  #lacking = NONE;
  #lackingLength = 0;
  #lackingGroup = NONE;
  readonly #lackingState: S;
  readonly #lackingAt: Int32Array;
  /** Whether the simulation has started at a node that lacks children, and has not left it. */
  #expanding = false;

  constructor(game: Game<S>, tree: SearchTree, config: InformationMovesConfig<S>) {
    this.#game = game;
    this.#tree = tree;
    this.#config = config;
    this.roots = config.observers === "each" ? game.players : 1;
    const keys = game.actions + (config.grouping?.groups ?? 0);
    this.#choices = new InformationSelection(tree, config, keys);
    this.#legal = new Int32Array(game.maxLegal);
    this.#at = new Int32Array(this.roots);
    this.#every = config.children === "every";
    this.#lackingState = game.initial();
    this.#lackingAt = new Int32Array(this.roots);
  }

  /** Starts with the roots alone. */
  plant(): void {
    this.#tree.clear();
    this.#lacking = NONE;
    this.#expanding = false;
    for (let t = 0; t < this.roots; t++) this.#tree.addNode(NONE);
  }

  /** The tree in which a seat chooses, and in which chance moves. */
  treeOf(mover: number): number {
    return this.roots === 1 || mover < 0 ? 0 : mover;
  }

  /** Whether a simulation has reached its end: that of the game, or of the current deal in a match of several. */
  over(state: S): boolean {
    return this.#game.toMove(state) === OVER || this.#game.search?.deal?.(state) !== this.#deal;
  }

  start(walk: Walk<S>, root: S, random: Random): number {
    if (this.#lacking !== NONE) return this.#startAtLacking(walk);
    const { information, search } = this.#game;
    if (information === undefined) this.#game.copy(root, walk.state);
    else information.determinize(root, walk.root, random, walk.state);
    this.#deal = search?.deal?.(walk.state);
    this.#group = NONE;
    for (let t = 0; t < this.roots; t++) this.#at[t] = t;
    return this.#advance(walk, walk.root);
  }

  open({ state }: Walk<S>, node: number): number {
    const mover = this.#game.toMove(state);
    if (this.#group !== NONE && this.#groupOpen) return mover;
    if (this.over(state)) return OVER;
    return node >= this.roots && this.#tree.visits[node]! < this.#config.expansion ? OVER : mover;
  }

  outcome({ state }: Walk<S>, node: number, random: Random): number {
    return this.#edge(node, this.#game.chance!.sample(state, random));
  }

  select(walk: Walk<S>, node: number, random: Random): number {
    const edge = this.#select(walk, node, random);
    this.#expanding = false;
    if (this.#every && this.#choices.missing > 0) this.#keepLacking(walk, node);
    return edge;
  }

  #select({ state, root }: Walk<S>, node: number, random: Random): number {
    const game = this.#game;
    const { grouping } = this.#config;
    const legal = this.#legal;
    const choices = this.#choices;
    const mover = game.toMove(state);
    choices.begin();
    if (this.#group === NONE) {
      this.#count = game.legal(state, legal);
      if (grouping?.applies(state) === true) {
        for (let i = 0; i < this.#count; i++) choices.add(game.actions + grouping.group(legal[i]!));
        return choices.select(node, mover, root, this.#expanding, random);
      }
    }
    const observer = this.roots === 1 ? root : mover;
    for (let i = 0; i < this.#count; i++)
      if (this.#inGroup(legal[i]!)) choices.add(this.#seen(state, legal[i]!, observer));
    return choices.select(node, mover, root, this.#expanding, random);
  }

  follow(walk: Walk<S>, node: number, edge: number, random: Random): number {
    const game = this.#game;
    const { state } = walk;
    const key = this.#tree.key[edge]!;
    const mover = game.toMove(state);
    const chooser = this.treeOf(mover);
    const child = this.#behind(node, edge);
    this.#at[chooser] = child;
    if (mover !== CHANCE && key >= game.actions) {
      this.#group = key - game.actions;
      this.#groupOpen = !this.#every || node < this.roots;
      return child;
    }
    const action = mover === CHANCE ? key : this.#actionOf(walk, key, random);
    for (let t = 0; t < this.roots; t++)
      if (t !== chooser) {
        const from = this.#at[t]!;
        const seen = mover === CHANCE ? action : this.#seen(state, action, t);
        this.#at[t] = this.#behind(from, this.#edge(from, seen));
      }
    this.#group = NONE;
    game.play(state, action);
    return this.#advance(walk, game.toMove(state));
  }

  /** Plays an action of the chosen group, each equally likely, if a simulation ends at a group node. */
  leaveGroup(state: S, random: Random): void {
    if (this.#group === NONE) return;
    const legal = this.#legal;
    let number = 0;
    for (let i = 0; i < this.#count; i++) if (this.#inGroup(legal[i]!)) legal[number++] = legal[i]!;
    this.#group = NONE;
    this.#game.play(state, legal[number === 1 ? 0 : random.below(number)]!);
  }

  #keepLacking({ length, state }: Walk<S>, node: number): void {
    this.#lacking = node;
    this.#lackingLength = length;
    this.#lackingGroup = this.#group;
    this.#game.copy(state, this.#lackingState);
    this.#lackingAt.set(this.#at);
  }

  /** Brings the walk back to the node that lacks children. */
  #startAtLacking(walk: Walk<S>): number {
    const node = this.#lacking;
    this.#lacking = NONE;
    this.#expanding = true;
    // The caller puts the node on the path.
    walk.length = this.#lackingLength - 1;
    this.#game.copy(this.#lackingState, walk.state);
    this.#at.set(this.#lackingAt);
    this.#group = this.#lackingGroup;
    this.#groupOpen = true;
    if (this.#group !== NONE) this.#count = this.#game.legal(walk.state, this.#legal);
    return node;
  }

  /** Returns the node of the next mover, and puts those of the other observers on the path. */
  #advance(walk: Walk<S>, mover: number): number {
    const chooser = this.treeOf(mover);
    for (let t = 0; t < this.roots; t++) if (t !== chooser) walk.push(this.#at[t]!);
    return this.#at[chooser]!;
  }

  /** The edge with this key, added if it is missing. */
  #edge(node: number, key: number): number {
    const edge = this.#tree.edgeOf(node, key);
    return edge === NONE ? this.#tree.addEdge(node, key) : edge;
  }

  /** The node behind an edge, added if it is missing. */
  #behind(node: number, edge: number): number {
    const child = this.#tree.child[edge]!;
    return child === NONE ? this.#tree.addChild(node, edge, NONE) : child;
  }

  #inGroup(action: number): boolean {
    return this.#group === NONE || this.#config.grouping!.group(action) === this.#group;
  }

  /** An action that looks like `key` to the root player. Among several it draws one. */
  #actionOf({ state, root }: Walk<S>, key: number, random: Random): number {
    if (this.#config.observers !== "partial" || this.#game.information?.observed === undefined) return key;
    const legal = this.#legal;
    const alike = (action: number) => this.#inGroup(action) && this.#seen(state, action, root) === key;
    let number = 0;
    for (let i = 0; i < this.#count; i++) if (alike(legal[i]!)) number++;
    let which = number === 1 ? 0 : random.below(number);
    for (let i = 0; ; i++) if (alike(legal[i]!) && which-- === 0) return legal[i]!;
  }

  /** The key under which an observer sees an action. */
  #seen(state: S, action: number, observer: number): number {
    if (this.#config.observers === "all-seen") return action;
    return this.#game.information?.observed?.(state, action, observer) ?? action;
  }
}
