import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { EvaluationRequest } from "../../games/evaluation.ts";
import type { Random } from "../../random.ts";
import { boltzmannWeights } from "./boltzmann.ts";
import { drawIndex } from "../choice/draw-index.ts";
import type { Sample } from "../search.ts";
import type { BoltzmannPolicy } from "./boltzmann-policy.ts";
import type { Backup, Leaf, Selection } from "../tree/tree-search.ts";
import type { StateTree } from "../tree/state-tree.ts";
import { NONE, ROOT } from "../tree/nodes.ts";

/**
 * The Boltzmann distribution over the children of a decision node, by their action values for the mover.
 *
 * Selection and backup each have one, with a temperature of its own.
 */
class BoltzmannOverChildren<S> {
  /** Beside each child: its weight, divided by the greatest weight. Overwritten by each `weigh`. */
  protected readonly weights: Float64Array;
  readonly #policy: BoltzmannPolicy;
  readonly #actionValues: Float64Array;

  constructor(game: Game<S>, policy: BoltzmannPolicy) {
    this.#policy = policy;
    this.#actionValues = new Float64Array(game.maxLegal);
    this.weights = new Float64Array(game.maxLegal);
  }

  begin(simulation: number, random: Random): void {
    this.#policy.begin(simulation, random);
  }

  /** Writes the weights of the children of an expanded decision node, and returns their sum. */
  protected weigh(tree: StateTree<S>, node: number): number {
    const count = tree.childCount[node]!;
    const { players, values, rewards } = tree;
    let at = tree.firstChild[node]! * players + tree.toMove[node]!;
    for (let i = 0; i < count; i++, at += players) this.#actionValues[i] = rewards[at]! + values[at]!;
    const temperature = this.#policy.at(tree.visits[node]!);
    return boltzmannWeights(this.#actionValues, count, this.#policy.map, temperature, this.weights);
  }
}

/** Draws a child from the Boltzmann distribution over the mover's action values (section 3.2 of the source). */
export class BoltzmannSelection<S> extends BoltzmannOverChildren<S> implements Selection<S> {
  select(tree: StateTree<S>, node: number, random: Random): number {
    const sum = this.weigh(tree, node);
    return tree.firstChild[node]! + drawIndex(this.weights, tree.childCount[node]!, sum, random);
  }
}

/**
 * Expands a leaf by entering all its children, and requests their evaluation instead of the leaf's: the leaf gets the
 * backup of their values. In a game where chance moves after a decision, the children are the afterstates.
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
 * Backs up values from the leaf to the root. A decision node gets the mean of its children, weighted by the Boltzmann
 * distribution (section 3.3). A chance node gets the mean of the outcomes visited so far, weighted by their
 * probabilities (section 5). The end of the game keeps the value 0.
 */
export class BoltzmannBackup<S> extends BoltzmannOverChildren<S> implements Backup<S> {
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
    const { weights } = this;
    const sum = this.weigh(tree, node);
    const first = tree.firstChild[node]!;
    const count = tree.childCount[node]!;
    for (let seat = 0; seat < players; seat++) {
      let total = 0;
      for (let i = 0; i < count; i++)
        if (weights[i]! > 0) total += weights[i]! * tree.actionValue(first + i, seat);
      values[node * players + seat] = total / sum;
    }
  }
}

/** Sets a chance node's values to the mean over the outcomes visited so far, weighted by their probabilities. */
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
 * Samples training examples (section 3.4): walks `paths` paths down from the root. A path follows the Boltzmann
 * distribution at decision nodes, and probability among the visited outcomes at chance nodes. It takes every position
 * that was evaluated and whose children have been searched since, with its value in the tree.
 *
 * A path ends at the first node without children, because that value is still the net's own. Paths are drawn
 * independently: a position on two paths is taken twice.
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
