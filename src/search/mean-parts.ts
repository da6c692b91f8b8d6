import type { Game } from "../games/game.ts";
import type { EvaluationRequest } from "../games/evaluation.ts";
import type { Backup, Leaf } from "./tree-search.ts";
import type { Tree } from "./tree.ts";

/**
 * Backs up running means: a node's value is the mean, over the simulations through it, of what each seat earned
 * from it on. Every node keeps one value per seat (max-n). The leaf's own value must be in place.
 */
export class MeanBackup<S> implements Backup<S> {
  readonly #earned: Float64Array;

  constructor(game: Game<S>) {
    this.#earned = new Float64Array(game.players);
  }

  backup(tree: Tree<S>, path: Int32Array, length: number): void {
    const { players, values, rewards } = tree;
    const earned = this.#earned;
    const leaf = path[length - 1]!;
    for (let seat = 0; seat < players; seat++) earned[seat] = values[leaf * players + seat]!;
    for (let depth = length - 2; depth >= 0; depth--) {
      const from = path[depth + 1]! * players;
      const node = path[depth]!;
      for (let seat = 0; seat < players; seat++) {
        earned[seat]! += rewards[from + seat]!;
        const at = node * players + seat;
        values[at]! += (earned[seat]! - values[at]!) / tree.visits[node]!;
      }
    }
  }
}

/** Has the leaf itself evaluated: its value per seat, and a prior for each of its actions, renormalised. */
export class PolicyLeaf<S> implements Leaf<S> {
  readonly maxRequest = 1;
  readonly priors = true;
  readonly #game: Game<S>;
  readonly #actions: Int32Array;

  constructor(game: Game<S>) {
    this.#game = game;
    this.#actions = new Int32Array(game.maxLegal);
  }

  expand(tree: Tree<S>, leaf: number, request: EvaluationRequest<S> & { readonly states: S[] }): void {
    const state = tree.state(leaf);
    tree.addChildren(leaf, this.#actions, this.#game.legal(state, this.#actions));
    request.states[request.count++] = state;
  }

  evaluated(tree: Tree<S>, leaf: number, request: EvaluationRequest<S>, row: number): number {
    const { players } = tree;
    for (let seat = 0; seat < players; seat++)
      tree.values[leaf * players + seat] = request.values[row * players + seat]!;
    const priors = request.priors!;
    const at = row * this.#game.maxLegal;
    const first = tree.firstChild[leaf]!;
    const count = tree.childCount[leaf]!;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += priors[at + i]!;
    for (let i = 0; i < count; i++) tree.probability[first + i] = sum > 0 ? priors[at + i]! / sum : 1 / count;
    return row + 1;
  }
}
