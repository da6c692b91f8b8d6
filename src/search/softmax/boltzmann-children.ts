import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { drawIndex } from "../choice/draw-index.ts";
import type { NodeStates } from "../tree/node-states.ts";
import { boltzmannWeights } from "./boltzmann.ts";
import type { BoltzmannPolicy } from "./boltzmann-policy.ts";

/**
 * The Boltzmann distribution over the children of a decision node, by their action values for the mover.
 *
 * Selection, backup and sampling each have one, with a temperature of its own.
 */
export class BoltzmannChildren<S> {
  /** Beside each child: its weight, divided by the greatest weight. Overwritten by each `weigh`. */
  readonly weights: Float64Array;
  readonly #policy: BoltzmannPolicy;
  readonly #actionValues: Float64Array;

  constructor(game: Game<S>, policy: BoltzmannPolicy) {
    this.#policy = policy;
    this.#actionValues = new Float64Array(game.maxLegal);
    this.weights = new Float64Array(game.maxLegal);
  }

  /** Starts a simulation of a tree, numbered from 1, or a sampled path. Trees are numbered from 0. */
  begin(tree: number, simulation: number, random: Random): void {
    this.#policy.begin(tree, simulation, random);
  }

  /**
   * Writes the weights of the children of an expanded decision node, and returns their sum. The temperature may depend
   * on `visits`, the visits of the node.
   */
  weigh({ tree, rewards }: NodeStates<S>, node: number, visits: number): number {
    const count = tree.edgeCount[node]!;
    const { players, values } = tree;
    const actionValues = this.#actionValues;
    const policy = this.#policy;
    const { data } = rewards.column;
    // The children of a decision node were entered together, so they lie side by side.
    let at = tree.child[tree.firstEdge[node]!]! * players + tree.toMove[node]!;
    for (let i = 0; i < count; i++, at += players) actionValues[i] = data[at]! + values[at]!;
    return boltzmannWeights(actionValues, count, policy.map, policy.at(visits), this.weights);
  }

  /** Draws an edge of an expanded decision node. */
  draw(states: NodeStates<S>, node: number, visits: number, random: Random): number {
    const sum = this.weigh(states, node, visits);
    return states.tree.firstEdge[node]! + drawIndex(this.weights, states.tree.edgeCount[node]!, sum, random);
  }
}
