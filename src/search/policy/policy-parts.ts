import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { LeafPlayouts, type LeafPlayoutsConfig } from "../playouts/leaf-playouts.ts";
import { drawOutcome, NONE, ROOT } from "../tree/nodes.ts";
import type { Backup, Leaf, LeafRequest, Moves } from "../tree/parts.ts";
import type { SearchTree } from "../tree/search-tree.ts";
import type { Walk } from "../tree/walk.ts";
import type { PolicyTree } from "./policy-tree.ts";
import { soften } from "./prior-temperature.ts";

/**
 * Moves on one working state. A simulation ends at a position that is new to the tree, where it has the legal actions as
 * edges from then on, and at a proven one. It goes through chance nodes by probability.
 */
export class PolicyMoves<S> implements Moves<S> {
  readonly #game: Game<S>;
  readonly #policy: PolicyTree;
  readonly #outcomes: Int32Array;
  readonly #probabilities: Float64Array;
  readonly #before: Float64Array;

  constructor(game: Game<S>, policy: PolicyTree) {
    this.#game = game;
    this.#policy = policy;
    this.#outcomes = new Int32Array(game.maxLegal);
    this.#probabilities = new Float64Array(game.maxLegal);
    this.#before = new Float64Array(game.players);
  }

  start(walk: Walk<S>, root: S): number {
    this.#game.copy(root, walk.state);
    return ROOT;
  }

  open({ tree, state }: Walk<S>, node: number): number {
    if (this.#policy.proven?.proofs.has(node) === true) return OVER;
    const toMove = tree.toMove[node]!;
    if (tree.firstEdge[node] !== NONE || toMove === OVER) return toMove;
    if (toMove !== CHANCE) return OVER;
    const count = this.#game.chance!.outcomes(state, this.#outcomes, this.#probabilities);
    tree.addEdges(node, this.#outcomes, count);
    this.#policy.setPriors(node, this.#probabilities, 0);
    return CHANCE;
  }

  inFlight({ tree }: Walk<S>, node: number): boolean {
    // A leaf has its edges from the moment when its evaluation is asked for, and a visit when it is backed up.
    return tree.visits[node] === 0 && tree.toMove[node]! >= 0 && tree.firstEdge[node] !== NONE;
  }

  action(key: number): number {
    return key;
  }

  prior(edge: number): number {
    return this.#policy.prior.data[edge]!;
  }

  outcome({ tree }: Walk<S>, node: number, random: Random): number {
    return drawOutcome(this.#policy.prior.data, tree.firstEdge[node]!, tree.edgeCount[node]!, random);
  }

  follow({ tree, state, returns }: Walk<S>, node: number, edge: number): number {
    const game = this.#game;
    const action = tree.key[edge]!;
    const child = tree.child[edge]!;
    if (child !== NONE) {
      game.play(state, action);
      return child;
    }
    game.returns(state, this.#before);
    game.play(state, action);
    game.returns(state, returns);
    const added = this.#policy.follow(node, edge, game.toMove(state));
    this.#policy.rewards.set(added, this.#before, returns);
    return added;
  }
}

/**
 * The net's values of the leaf for every seat, mixed with those of a playout if there are any, and its priors, which
 * are renormalised over the legal actions. The end of the game has the value 0; the backup knows that of a proven leaf.
 */
export class NetLeaf<S> implements Leaf<S> {
  readonly maxRequest = 1;
  readonly priors = true;
  readonly #game: Game<S>;
  readonly #policy: PolicyTree;
  readonly #playouts: LeafPlayouts<S> | undefined;
  readonly #actions: Int32Array;
  readonly #temperature: number;
  readonly #weights: Float64Array;

  /** `temperature` T: priors are in proportion to p^(1/T). */
  constructor(game: Game<S>, policy: PolicyTree, playouts: LeafPlayoutsConfig, temperature: number) {
    this.#game = game;
    this.#policy = policy;
    this.#playouts = playouts === null ? undefined : new LeafPlayouts(game, playouts);
    this.#actions = new Int32Array(game.maxLegal);
    this.#temperature = temperature;
    this.#weights = new Float64Array(game.maxLegal);
  }

  open({ tree, state, returns }: Walk<S>, leaf: number, request: LeafRequest<S>): void {
    if (this.#known(tree, leaf)) {
      returns.fill(0);
      return;
    }
    tree.addEdges(leaf, this.#actions, this.#game.legal(state, this.#actions));
    request.states[request.count++] = state;
  }

  close(
    { tree, state, returns }: Walk<S>,
    leaf: number,
    { values, priors }: LeafRequest<S>,
    row: number,
    random: Random,
  ): number {
    if (this.#known(tree, leaf)) return row;
    const toMove = tree.toMove[leaf]!;
    const { players } = tree;
    for (let seat = 0; seat < players; seat++) returns[seat] = values[row * players + seat]!;
    this.#playouts?.mix(state, returns, random);
    this.#policy.estimate.data[leaf] = returns[toMove]!;
    const at = row * this.#actions.length;
    if (this.#temperature === 1) this.#policy.setPriors(leaf, priors!, at);
    else {
      const count = tree.edgeCount[leaf]!;
      this.#weights.set(priors!.subarray(at, at + count));
      soften(this.#weights, count, this.#temperature);
      this.#policy.setPriors(leaf, this.#weights, 0);
    }
    return row + 1;
  }

  /** Whether the value of a leaf is known without the net. */
  #known(tree: SearchTree, leaf: number): boolean {
    return tree.toMove[leaf] === OVER || this.#policy.proven?.proofs.has(leaf) === true;
  }
}

/** Each node keeps the mean of every seat's return from the node on (max-n): what follows the leaf, and the rewards. */
export class MeanBackup<S> implements Backup<S> {
  readonly #policy: PolicyTree;

  constructor(policy: PolicyTree) {
    this.#policy = policy;
  }

  update({ tree, nodes, length, returns }: Walk<S>): void {
    const { players, values, visits } = tree;
    const { data } = this.#policy.rewards.column;
    for (let depth = length - 1; depth >= 0; depth--) {
      const node = nodes[depth]!;
      const share = 1 / visits[node]!;
      const at = node * players;
      for (let seat = 0; seat < players; seat++) {
        values[at + seat]! += (returns[seat]! - values[at + seat]!) * share;
        returns[seat]! += data[at + seat]!;
      }
    }
  }
}
