import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { EvaluationRequest } from "../../games/evaluation.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { MoveChoice } from "../choice/move-choice.ts";
import type { Decision, Sample, Search, Searching } from "../search.ts";
import { StateTree } from "./state-tree.ts";
import { drawOutcome, NONE, ROOT, widened } from "./nodes.ts";

/** Part of a tree search: selects the child of a decision node that a simulation goes to. */
export interface Selection<S> {
  /** Called before each simulation of each tree. Simulations are numbered from 1. */
  begin?(simulation: number, random: Random): void;
  /** Returns a child of an expanded decision node. The visits of the node include the current simulation. */
  select(tree: StateTree<S>, node: number, random: Random): number;
}

/** Part of a tree search: expands a leaf, and values the leaf or each of its children. */
export interface Leaf<S> {
  /** The greatest number of states that it requests for one leaf. */
  readonly maxRequest: number;
  /** Adds the children of a decision node, and appends the states to be evaluated to the request. */
  expand(tree: StateTree<S>, leaf: number, request: EvaluationRequest<S>, random: Random): void;
  /** Reads its values from row `row` of the response on, and returns the row after its last one. */
  evaluated(tree: StateTree<S>, leaf: number, request: EvaluationRequest<S>, row: number): number;
}

/** Part of a tree search: updates the values on the path of a simulation. */
export interface Backup<S> {
  /** Called before the backup in each tree in each simulation. Simulations are numbered from 1. */
  begin?(simulation: number, random: Random): void;
  /** Updates `values` of path[0..length-1], from the root to the leaf. */
  backup(tree: StateTree<S>, path: Int32Array, length: number): void;
}

/** How a tree treats chance nodes. */
export type Randomness =
  /** A chance node has one child: the outcome drawn at its first visit. */
  | "fixed"
  /** Every simulation draws an outcome at every chance node on its path. */
  | "chance";

/** The parts that a tree search is composed of. */
export interface TreeSearchParts<S> {
  readonly trees: number;
  /** Simulations in each tree, including the one that expands the root. */
  readonly simulations: number;
  readonly randomness: Randomness;
  readonly selection: Selection<S>;
  readonly leaf: Leaf<S>;
  readonly backup: Backup<S>;
  /** Sees the visits summed over the trees, and the mover's action values averaged over them. */
  readonly choice: MoveChoice;
  /** Samples training examples after the last simulation. */
  readonly samples?: (tree: StateTree<S>, random: Random, into: Sample<S>[]) => void;
}

/**
 * Monte Carlo tree search for any game. Select, expand, evaluate, back up and choose are parts that are passed in.
 *
 * Simulation i runs in all trees before simulation i + 1 runs in any, so that the trees share one request. The first
 * simulation expands the root, which is equal in all trees: it runs once, and the tree is copied. A chance node is
 * never a leaf: a simulation goes through it. The end of the game has the value 0.
 */
export class TreeSearch<S> implements Search<S> {
  readonly maxRequest: number;
  readonly #game: Game<S>;
  readonly #parts: TreeSearchParts<S>;
  readonly #trees: StateTree<S>[];
  readonly #paths: Int32Array[];
  readonly #lengths: Int32Array;
  readonly #request: EvaluationRequest<S> & { readonly states: S[] };
  readonly #outcomes: Int32Array;
  readonly #probabilities: Float64Array;
  readonly #buffer: DecisionBuffer<S>;

  constructor(game: Game<S>, parts: TreeSearchParts<S>) {
    this.#game = game;
    this.#parts = parts;
    this.maxRequest = parts.trees * parts.leaf.maxRequest;
    this.#trees = Array.from({ length: parts.trees }, () => new StateTree(game));
    this.#paths = Array.from({ length: parts.trees }, () => new Int32Array(64));
    this.#lengths = new Int32Array(parts.trees);
    this.#request = {
      states: [],
      count: 0,
      values: new Float64Array(this.maxRequest * game.players),
    };
    this.#outcomes = new Int32Array(game.maxLegal);
    this.#probabilities = new Float64Array(game.maxLegal);
    this.#buffer = new DecisionBuffer(game);
  }

  *search(state: S, random: Random, decisions: number): Searching<S> {
    const { selection, leaf, backup, simulations } = this.#parts;
    const trees = this.#trees;
    const request = this.#request;
    const first = trees[0]!;
    first.reset(state);
    for (let simulation = 1; simulation <= simulations; simulation++) {
      const active = simulation === 1 ? 1 : trees.length;
      request.count = 0;
      for (let t = 0; t < active; t++) {
        const tree = trees[t]!;
        selection.begin?.(simulation, random);
        const node = this.#descend(t, random);
        if (tree.toMove[node] !== OVER) leaf.expand(tree, node, request, random);
      }
      if (request.count > 0) yield request;
      let row = 0;
      for (let t = 0; t < active; t++) {
        const tree = trees[t]!;
        const path = this.#paths[t]!;
        const length = this.#lengths[t]!;
        const node = path[length - 1]!;
        if (tree.toMove[node] !== OVER) row = leaf.evaluated(tree, node, request, row);
        backup.begin?.(simulation, random);
        backup.backup(tree, path, length);
      }
      if (simulation === 1) for (let t = 1; t < trees.length; t++) trees[t]!.assign(first);
    }
    return this.#decide(state, random, decisions);
  }

  /** Walks tree `t` from the root to a leaf, counts visits, and stores the path. Returns the leaf. */
  #descend(t: number, random: Random): number {
    const tree = this.#trees[t]!;
    const { selection } = this.#parts;
    let path = this.#paths[t]!;
    let length = 0;
    let node = ROOT;
    for (;;) {
      if (length === path.length) {
        path = widened(path, new Int32Array(2 * length));
        this.#paths[t] = path;
      }
      path[length++] = node;
      tree.visits[node]!++;
      const toMove = tree.toMove[node]!;
      if (toMove === OVER) break;
      let child: number;
      if (toMove === CHANCE) child = this.#drawOutcome(tree, node, random);
      else if (tree.firstChild[node] === NONE) break;
      else child = selection.select(tree, node, random);
      if (tree.slot[child] === NONE) tree.enter(node, child);
      node = child;
    }
    this.#lengths[t] = length;
    return node;
  }

  /** Returns the child of a chance node that this simulation goes to. */
  #drawOutcome(tree: StateTree<S>, node: number, random: Random): number {
    const chance = this.#game.chance!;
    const first = tree.firstChild[node]!;
    if (this.#parts.randomness === "fixed") {
      if (first !== NONE) return first;
      this.#outcomes[0] = chance.sample(tree.state(node), random);
      const only = tree.addChildren(node, this.#outcomes, 1);
      tree.probability[only] = 1;
      return only;
    }
    if (first === NONE) {
      const count = chance.outcomes(tree.state(node), this.#outcomes, this.#probabilities);
      const added = tree.addChildren(node, this.#outcomes, count);
      for (let i = 0; i < count; i++) tree.probability[added + i] = this.#probabilities[i]!;
    }
    return drawOutcome(tree.probability, tree.firstChild[node]!, tree.childCount[node]!, random);
  }

  #decide(state: S, random: Random, decisions: number): Decision<S> {
    const trees = this.#trees;
    const rows = this.#buffer.open(state);
    const { visits, actionValues } = rows;
    const mover = this.#game.toMove(state);
    const children = trees[0]!.firstChild[ROOT]!;
    for (const tree of trees)
      for (let i = 0; i < visits.length; i++) {
        visits[i]! += tree.visits[children + i]!;
        actionValues[i]! += tree.actionValue(children + i, mover);
      }
    if (trees.length > 1) for (let i = 0; i < visits.length; i++) actionValues[i]! /= trees.length;
    const index = this.#parts.choice(visits, actionValues, random, decisions);
    const values: number[] = [];
    for (let seat = 0; seat < this.#game.players; seat++) {
      let sum = 0;
      for (const tree of trees) sum += tree.actionValue(children + index, seat);
      values.push(sum / trees.length);
    }
    const samples: Sample<S>[] = [];
    if (this.#parts.samples !== undefined)
      for (const tree of trees) this.#parts.samples(tree, random, samples);
    return this.#buffer.close(rows, index, values, samples);
  }
}
