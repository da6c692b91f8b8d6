import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { EvaluationRequest } from "../../games/evaluation.ts";
import type { Random } from "../../random.ts";
import { boltzmannWeights, drawIndex } from "./boltzmann.ts";
import type { Sample } from "../search.ts";
import type { BoltzmannPolicy } from "./boltzmann-policy.ts";
import type { Backup, Leaf, Selection } from "../tree/tree-search.ts";
import type { StateTree } from "../tree/state-tree.ts";
import { NONE, ROOT } from "../tree/nodes.ts";

/** Writes what the mover at a decision node earns by each child; returns the number of children. */
function childActionValues<S>(tree: StateTree<S>, node: number, out: Float64Array): number {
  const first = tree.firstChild[node]!;
  const count = tree.childCount[node]!;
  const { players, values, rewards } = tree;
  let at = first * players + tree.toMove[node]!;
  for (let i = 0; i < count; i++, at += players) out[i] = rewards[at]! + values[at]!;
  return count;
}

/** Selects a child by the Boltzmann distribution over what the mover earns by each (section 3.2 of the source). */
export class BoltzmannSelection<S> implements Selection<S> {
  readonly #policy: BoltzmannPolicy;
  readonly #worths: Float64Array;
  readonly #weights: Float64Array;

  constructor(game: Game<S>, policy: BoltzmannPolicy) {
    this.#policy = policy;
    this.#worths = new Float64Array(game.maxLegal);
    this.#weights = new Float64Array(game.maxLegal);
  }

  begin(simulation: number, random: Random): void {
    this.#policy.begin(simulation, random);
  }

  select(tree: StateTree<S>, node: number, random: Random): number {
    const count = childActionValues(tree, node, this.#worths);
    const temperature = this.#policy.at(tree.visits[node]!);
    const sum = boltzmannWeights(this.#worths, count, this.#policy.map, temperature, this.#weights);
    return tree.firstChild[node]! + drawIndex(this.#weights, count, sum, random);
  }
}

/**
 * Expands a leaf by entering all its children, and has the children evaluated, not the leaf itself: its value is
 * the backup of theirs. In a game where chance moves after the decision these are the afterstates.
 */
export class EvaluateChildren<S> implements Leaf<S> {
  readonly maxRequest: number;
  readonly #game: Game<S>;
  readonly #actions: Int32Array;

  constructor(game: Game<S>) {
    this.#game = game;
    this.#actions = new Int32Array(game.maxLegal);
    this.maxRequest = Math.min(game.actions, game.maxLegal);
  }

  expand(tree: StateTree<S>, leaf: number, request: EvaluationRequest<S> & { readonly states: S[] }): void {
    const count = this.#game.legal(tree.state(leaf), this.#actions);
    const first = tree.addChildren(leaf, this.#actions, count);
    for (let child = first; child < first + count; child++) {
      tree.enter(leaf, child);
      if (tree.toMove[child] !== OVER) request.states[request.count++] = tree.state(child);
    }
  }

  evaluated(tree: StateTree<S>, leaf: number, request: EvaluationRequest<S>, row: number): number {
    const { players } = tree;
    const first = tree.firstChild[leaf]!;
    const end = first + tree.childCount[leaf]!;
    for (let child = first; child < end; child++) {
      if (tree.toMove[child] === OVER) continue;
      for (let seat = 0; seat < players; seat++)
        tree.values[child * players + seat] = request.values[row * players + seat]!;
      row++;
    }
    return row;
  }
}

/**
 * Backs up, at decision nodes, the mean of the children weighted by the Boltzmann distribution (section 3.3), and at
 * chance nodes the mean of the outcomes visited so far, weighted by their probabilities (section 5). The end of the
 * game keeps the value 0.
 */
export class BoltzmannBackup<S> implements Backup<S> {
  readonly #policy: BoltzmannPolicy;
  readonly #worths: Float64Array;
  readonly #weights: Float64Array;

  constructor(game: Game<S>, policy: BoltzmannPolicy) {
    this.#policy = policy;
    this.#worths = new Float64Array(game.maxLegal);
    this.#weights = new Float64Array(game.maxLegal);
  }

  begin(simulation: number, random: Random): void {
    this.#policy.begin(simulation, random);
  }

  backup(tree: StateTree<S>, path: Int32Array, length: number): void {
    for (let depth = length - 1; depth >= 0; depth--) {
      const node = path[depth]!;
      const toMove = tree.toMove[node]!;
      if (toMove === CHANCE) backUpOutcomes(tree, node);
      else if (toMove !== OVER) this.#backUpDecision(tree, node);
    }
  }

  #backUpDecision(tree: StateTree<S>, node: number): void {
    const { players, values } = tree;
    const weights = this.#weights;
    const count = childActionValues(tree, node, this.#worths);
    const temperature = this.#policy.at(tree.visits[node]!);
    const sum = boltzmannWeights(this.#worths, count, this.#policy.map, temperature, weights);
    const first = tree.firstChild[node]!;
    for (let seat = 0; seat < players; seat++) {
      let total = 0;
      for (let i = 0; i < count; i++)
        if (weights[i]! > 0) total += weights[i]! * tree.actionValue(first + i, seat);
      values[node * players + seat] = total / sum;
    }
  }
}

/** Sets a chance node's values to the mean over the outcomes visited, weighted by their probabilities. */
function backUpOutcomes<S>(tree: StateTree<S>, node: number): void {
  const { players, values, rewards, visits, probability } = tree;
  const first = tree.firstChild[node]!;
  const end = first + tree.childCount[node]!;
  for (let seat = 0; seat < players; seat++) {
    let total = 0;
    let sum = 0;
    for (let child = first; child < end; child++) {
      if (visits[child] === 0) continue;
      const share = probability[child]!;
      const at = child * players + seat;
      sum += share;
      total += share * (rewards[at]! + values[at]!);
    }
    values[node * players + seat] = total / sum;
  }
}

/**
 * Samples positions to learn from (section 3.4): walks `paths` paths from the root down, at decision nodes by the
 * Boltzmann distribution, at chance nodes by probability among the outcomes visited, and takes every position on
 * them that was once evaluated and has been searched below since, with its value in the tree.
 *
 * A path ends at the first node that was not searched below: its value is still the net's own. Each path is a draw
 * of its own, so a position on two paths is taken twice.
 */
export class BoltzmannSampler<S> {
  readonly #paths: number;
  readonly #policy: BoltzmannPolicy;
  readonly #selection: BoltzmannSelection<S>;
  readonly #simulations: number;
  readonly #weights: Float64Array;

  constructor(game: Game<S>, policy: BoltzmannPolicy, paths: number, simulations: number) {
    this.#paths = paths;
    this.#policy = policy;
    this.#selection = new BoltzmannSelection(game, policy);
    this.#simulations = simulations;
    this.#weights = new Float64Array(game.maxLegal);
  }

  sample(tree: StateTree<S>, random: Random, into: Sample<S>[]): void {
    for (let path = 0; path < this.#paths; path++) {
      this.#policy.begin(this.#simulations, random);
      let node = ROOT;
      while (tree.firstChild[node] !== NONE) {
        if (tree.toMove[node] === CHANCE) node = this.#outcome(tree, node, random);
        else {
          node = this.#selection.select(tree, node, random);
          if (tree.firstChild[node] !== NONE)
            into.push({ state: tree.state(node), values: values(tree, node) });
        }
      }
    }
  }

  #outcome(tree: StateTree<S>, node: number, random: Random): number {
    const first = tree.firstChild[node]!;
    const count = tree.childCount[node]!;
    let sum = 0;
    for (let i = 0; i < count; i++)
      sum += this.#weights[i] = tree.visits[first + i]! > 0 ? tree.probability[first + i]! : 0;
    return first + drawIndex(this.#weights, count, sum, random);
  }
}

function values<S>(tree: StateTree<S>, node: number): number[] {
  const at = node * tree.players;
  return Array.from(tree.values.subarray(at, at + tree.players));
}
