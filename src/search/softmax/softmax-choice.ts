import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer, firstBest } from "../choice/decision-buffer.ts";
import type { Decision, Sample } from "../search.ts";
import { ROOT } from "../tree/nodes.ts";
import type { NodeStates } from "../tree/node-states.ts";
import type { Choice } from "../tree/parts.ts";
import type { Sampler } from "./softmax-samples.ts";

/**
 * The choice of a search in several trees: the first move with the greatest mean value over the trees. Visits are
 * summed over the trees.
 *
 * The trees are equal until their root is opened, so this is done once, and the first tree is copied.
 */
export class SoftmaxChoice<S> implements Choice<S> {
  readonly #game: Game<S>;
  readonly #states: readonly NodeStates<S>[];
  readonly #simulations: number;
  readonly #sampler: Sampler<S>;
  readonly #buffer: DecisionBuffer<S>;

  /** `simulations` of each tree include the one that opens the root. */
  constructor(game: Game<S>, states: readonly NodeStates<S>[], simulations: number, sampler: Sampler<S>) {
    this.#game = game;
    this.#states = states;
    this.#simulations = simulations;
    this.#sampler = sampler;
    this.#buffer = new DecisionBuffer(game);
  }

  start(state: S): number {
    this.#states[0]!.reset(state);
    return this.#simulations - 1;
  }

  opened(): void {
    const [first, ...others] = this.#states;
    for (const states of others) states.copy(first!);
  }

  decide(state: S, random: Random): Decision<S> {
    const all = this.#states;
    const rows = this.#buffer.open(state);
    const { visits, actionValues } = rows;
    const mover = this.#game.toMove(state);
    // All moves of the root were entered together, and first.
    const children = ROOT + 1;
    for (const { tree, rewards } of all)
      for (let i = 0; i < visits.length; i++) {
        visits[i]! += tree.visits[children + i]!;
        actionValues[i]! += rewards.actionValue(children + i, mover);
      }
    if (all.length > 1) for (let i = 0; i < visits.length; i++) actionValues[i]! /= all.length;
    const index = firstBest(actionValues);
    const values: number[] = [];
    for (let seat = 0; seat < this.#game.players; seat++) {
      let sum = 0;
      for (const { rewards } of all) sum += rewards.actionValue(children + index, seat);
      values.push(sum / all.length);
    }
    const samples: Sample<S>[] = [];
    for (const [tree, states] of all.entries()) this.#sampler.sample(states, tree, random, samples);
    return this.#buffer.close(rows, index, values, samples);
  }
}
