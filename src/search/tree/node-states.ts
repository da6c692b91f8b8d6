import type { Game } from "../../games/game.ts";
import type { TreeColumn } from "./tree-column.ts";
import { NONE, ROOT } from "./nodes.ts";
import { Rewards } from "./rewards.ts";
import { SearchTree } from "./search-tree.ts";

/**
 * Part of a tree: the position of every node, and the rewards of the move that leads to it. For games with small states
 * and searches that evaluate all children of a leaf. The states are used again by the next search.
 */
export class NodeStates<S> {
  readonly tree: SearchTree;
  readonly rewards: Rewards;
  /** Shape [edges]: the probability of the outcome, at chance nodes. */
  readonly probability: TreeColumn<Float64Array>;
  readonly #game: Game<S>;
  /** Shape [nodes]: by node its state. Nodes are never dropped one by one, so the number of a node is that of its state. */
  readonly #states: S[] = [];
  readonly #before: Float64Array;
  readonly #after: Float64Array;

  constructor(game: Game<S>) {
    this.#game = game;
    this.tree = new SearchTree(game.players);
    this.rewards = new Rewards(this.tree);
    this.probability = this.tree.edgeColumn(Float64Array);
    this.#before = new Float64Array(game.players);
    this.#after = new Float64Array(game.players);
  }

  /** Starts again with only a root, at a copy of `state`. */
  reset(state: S): void {
    this.tree.clear();
    this.tree.addNode(this.#game.toMove(state));
    this.#game.copy(state, this.#at(ROOT));
  }

  /** Adds the node behind an edge that leads to none: its state, its mover and its rewards. Returns it. */
  enter(node: number, edge: number): number {
    this.#game.returns(this.#states[node]!, this.#before);
    return this.#enter(node, edge);
  }

  /**
   * Expands a node by entering all its children, which then lie side by side. Returns the first child, NONE without
   * moves.
   */
  enterAll(node: number, keys: Int32Array, count: number): number {
    const { size } = this.tree;
    const first = this.tree.addEdges(node, keys, count);
    this.#game.returns(this.#states[node]!, this.#before);
    for (let edge = first; edge < first + count; edge++) this.#enter(node, edge);
    return count === 0 ? NONE : size;
  }

  /** The state of a node. It belongs to the tree. */
  state(node: number): S {
    return this.#states[node]!;
  }

  /** Becomes equal to another tree of the same game, without sharing its states. */
  copy(from: NodeStates<S>): void {
    this.tree.copy(from.tree);
    for (let node = 0; node < from.tree.size; node++) this.#game.copy(from.state(node), this.#at(node));
  }

  /** `enter`, when the returns of the node's position are known. */
  #enter(node: number, edge: number): number {
    const { tree } = this;
    const game = this.#game;
    const states = this.#states;
    if (tree.size === states.length) states.push(game.initial());
    const state = states[tree.size]!;
    game.copy(states[node]!, state);
    game.play(state, tree.key[edge]!);
    const child = tree.addChild(node, edge, game.toMove(state));
    game.returns(state, this.#after);
    this.rewards.set(child, this.#before, this.#after);
    return child;
  }

  #at(node: number): S {
    while (node >= this.#states.length) this.#states.push(this.#game.initial());
    return this.#states[node]!;
  }
}
