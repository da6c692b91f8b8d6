import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { NONE } from "../tree/nodes.ts";
import type { NodeStates } from "../tree/node-states.ts";
import type { Backup, Leaf, LeafRequest, Selection } from "../tree/parts.ts";
import type { Walk } from "../tree/walk.ts";
import { BoltzmannChildren } from "./boltzmann-children.ts";

/** Draws an edge from the Boltzmann distribution over the mover's action values (section 3.2 of the source). */
export class BoltzmannSelection<S> implements Selection<S> {
  readonly #children: BoltzmannChildren<S>;
  readonly #states: readonly NodeStates<S>[];

  /** `states`: by walk its tree. */
  constructor(children: BoltzmannChildren<S>, states: readonly NodeStates<S>[]) {
    this.#children = children;
    this.#states = states;
  }

  begin({ index }: Walk<S>, simulation: number, random: Random): void {
    this.#children.begin(index, simulation, random);
  }

  select({ tree, index }: Walk<S>, node: number, random: Random): number {
    // The visits of the source include the current simulation.
    return this.#children.draw(this.#states[index]!, node, tree.visits[node]! + 1, random);
  }
}

/**
 * Expands a leaf by entering all its children, and requests their evaluation instead of the leaf's: the leaf gets the
 * backup of their values. In a game where chance moves after a decision, the children are the afterstates.
 */
export class EvaluateChildren<S> implements Leaf<S> {
  readonly maxRequest: number;
  readonly priors = false;
  readonly #game: Game<S>;
  readonly #states: readonly NodeStates<S>[];
  readonly #actions: Int32Array;

  /** `states`: by walk its tree. */
  constructor(game: Game<S>, states: readonly NodeStates<S>[]) {
    this.#game = game;
    this.#states = states;
    this.#actions = new Int32Array(game.maxLegal);
    this.maxRequest = Math.min(game.actions, game.maxLegal);
  }

  open({ tree, index }: Walk<S>, leaf: number, request: LeafRequest<S>): void {
    if (tree.toMove[leaf] === OVER) return;
    const states = this.#states[index]!;
    const count = this.#game.legal(states.state(leaf), this.#actions);
    const first = states.enterAll(leaf, this.#actions, count);
    const { toMove } = tree;
    for (let child = first; child < first + count; child++)
      if (toMove[child] !== OVER) request.states[request.count++] = states.state(child);
  }

  close({ tree }: Walk<S>, leaf: number, { values }: LeafRequest<S>, row: number): number {
    const edges = tree.edgeCount[leaf]!;
    if (edges === 0) return row;
    const { players, toMove, values: kept } = tree;
    const first = tree.child[tree.firstEdge[leaf]!]!;
    let next = row;
    for (let child = first; child < first + edges; child++) {
      if (toMove[child] === OVER) continue;
      for (let seat = 0; seat < players; seat++)
        kept[child * players + seat] = values[next * players + seat]!;
      next++;
    }
    return next;
  }
}

/**
 * Backs up values from the leaf to the root. A decision node gets the mean of its children, weighted by the Boltzmann
 * distribution (section 3.3). A chance node gets the mean of the outcomes visited so far, weighted by their
 * probabilities (section 5). The end of the game keeps the value 0.
 */
export class BoltzmannBackup<S> implements Backup<S> {
  readonly #children: BoltzmannChildren<S>;
  readonly #states: readonly NodeStates<S>[];

  /** `states`: by walk its tree. */
  constructor(children: BoltzmannChildren<S>, states: readonly NodeStates<S>[]) {
    this.#children = children;
    this.#states = states;
  }

  update({ tree, nodes, length, index }: Walk<S>, simulation: number, random: Random): void {
    const states = this.#states[index]!;
    const { toMove } = tree;
    this.#children.begin(index, simulation, random);
    for (let depth = length - 1; depth >= 0; depth--) {
      const node = nodes[depth]!;
      const mover = toMove[node]!;
      if (mover === CHANCE) backUpOutcomes(states, node);
      else if (mover !== OVER) this.#backUpDecision(states, node);
    }
  }

  #backUpDecision(states: NodeStates<S>, node: number): void {
    const { tree } = states;
    const { players, values } = tree;
    const { data } = states.rewards.column;
    const sum = this.#children.weigh(states, node, tree.visits[node]!);
    const { weights } = this.#children;
    const first = tree.child[tree.firstEdge[node]!]!;
    const count = tree.edgeCount[node]!;
    for (let seat = 0; seat < players; seat++) {
      let total = 0;
      for (let i = 0, at = first * players + seat; i < count; i++, at += players)
        if (weights[i]! > 0) total += weights[i]! * (data[at]! + values[at]!);
      values[node * players + seat] = total / sum;
    }
  }
}

/** Sets a chance node's values to the mean over the outcomes visited so far, weighted by their probabilities. */
function backUpOutcomes<S>({ tree, rewards, probability }: NodeStates<S>, node: number): void {
  const { players, values, child } = tree;
  const { data } = rewards.column;
  const { data: shares } = probability;
  const first = tree.firstEdge[node]!;
  for (let seat = 0; seat < players; seat++) {
    let total = 0;
    let sum = 0;
    for (let edge = first, left = tree.tried[node]!; left > 0; edge++) {
      const outcome = child[edge]!;
      if (outcome === NONE) continue;
      left--;
      const share = shares[edge]!;
      const at = outcome * players + seat;
      sum += share;
      total += share * (data[at]! + values[at]!);
    }
    values[node * players + seat] = total / sum;
  }
}
