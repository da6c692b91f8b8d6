import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import type { PlayoutPolicy } from "../playouts/playout-policy.ts";
import { MOST_EDGES, NONE, ROOT } from "../tree/nodes.ts";
import type { Backup, Leaf, LeafRequest, Moves } from "../tree/parts.ts";
import type { Proofs } from "../tree/proofs.ts";
import { addReturns, setMean } from "../tree/sums.ts";
import type { Walk } from "../tree/walk.ts";
import type { ActionHistory } from "./action-history.ts";
import type { Amaf } from "./amaf.ts";
import type { ChildPriors } from "./child-priors.ts";
import { type Opponents, utilityOf } from "./opponents.ts";
import { payoffBounds, type PayoffName, type PayoffRule, payoffRules } from "./payoff.ts";
import type { PlayoutTree } from "./playout-tree.ts";

/**
 * Moves on one working state. This costs less than a state in every node, because most moves of a simulation belong to
 * its playout. A simulation ends at a node that has not been visited often enough, and at a proven one. A chance node is
 * expanded at once, and its outcomes are drawn by the game.
 */
export class PlayoutMoves<S> implements Moves<S> {
  readonly #game: Game<S>;
  readonly #proofs: Proofs | undefined;
  readonly #opponents: Opponents<S>;
  readonly #expansion: number;
  readonly #priors: ChildPriors<S> | undefined;
  readonly #keys: Int32Array;
  readonly action?: (key: number) => number;

  /** `expansion`: visits of a leaf before the visit that expands it. The root needs one. */
  constructor(
    game: Game<S>,
    { proofs }: PlayoutTree,
    opponents: Opponents<S>,
    expansion: number,
    priors?: ChildPriors<S>,
  ) {
    this.#game = game;
    this.#priors = priors;
    this.#proofs = proofs;
    this.#opponents = opponents;
    this.#expansion = expansion;
    this.#keys = new Int32Array(Math.max(opponents.mostMoves, game.maxLegal));
    if (opponents.follows) this.action = (key) => key % game.actions;
  }

  start(walk: Walk<S>, root: S): number {
    this.#game.copy(root, walk.state);
    return ROOT;
  }

  open({ tree, state, root }: Walk<S>, node: number): number {
    const toMove = tree.toMove[node]!;
    if (toMove === OVER || (this.#proofs !== undefined && this.#proofs.has(node))) return OVER;
    if (tree.firstEdge[node] !== NONE) return toMove;
    const soon = toMove !== CHANCE && tree.visits[node]! < (node === ROOT ? 1 : this.#expansion);
    if (soon || tree.edges + this.#keys.length > MOST_EDGES) return OVER;
    const count =
      toMove === CHANCE
        ? this.#game.legal(state, this.#keys)
        : this.#opponents.moves(state, toMove, root, this.#keys);
    tree.addEdges(node, this.#keys, count);
    if (toMove !== CHANCE) this.#priors?.expand(tree, node, state);
    return toMove;
  }

  outcome({ tree, state }: Walk<S>, node: number, random: Random): number {
    return tree.edgeOf(node, this.#game.chance!.sample(state, random));
  }

  follow({ tree, state, root }: Walk<S>, node: number, edge: number): number {
    const key = tree.key[edge]!;
    if (tree.toMove[node] === CHANCE) this.#game.play(state, key);
    else this.#opponents.play(state, key, root);
    const child = tree.child[edge]!;
    return child === NONE ? tree.addChild(node, edge, this.#game.toMove(state)) : child;
  }
}

/** The payoffs of one playout from the leaf; at a proven leaf its exact payoffs, without a playout. */
export class PlayoutLeaf<S> implements Leaf<S> {
  readonly maxRequest = 0;
  readonly priors = false;
  readonly #game: Game<S>;
  readonly #playouts: PlayoutTree;
  readonly #policy: PlayoutPolicy<S>;
  readonly #records: boolean;
  readonly #pay: PayoffRule;
  readonly #returns: Float64Array;

  /** `records`: whether the backup reads the decisions of playouts. */
  constructor(
    game: Game<S>,
    playouts: PlayoutTree,
    policy: PlayoutPolicy<S>,
    payoff: PayoffName,
    records: boolean,
  ) {
    this.#game = game;
    this.#playouts = playouts;
    this.#policy = policy;
    this.#records = records;
    this.#pay = payoffRules[payoff];
    this.#returns = new Float64Array(game.players);
  }

  open({ tree, state, returns }: Walk<S>, leaf: number, _request: LeafRequest<S>, random: Random): void {
    const { proofs } = this.#playouts;
    this.#policy.length = 0;
    if (proofs?.has(leaf) === true) {
      returns.set(proofs.exact(leaf));
      return;
    }
    if (tree.toMove[leaf] !== OVER) {
      if (this.#records) this.#policy.play(state, random);
      else this.#policy.finish(state, random);
    }
    this.#game.returns(state, this.#returns);
    this.#pay(this.#returns, returns);
  }

  close(_walk: Walk<S>, _leaf: number, _request: LeafRequest<S>, row: number): number {
    return row;
  }
}

/**
 * Adds the payoffs to the sums of every node on the path, proves nodes, and updates the numbers that selection compares
 * and the statistics of moves.
 */
export class PlayoutBackup<S> implements Backup<S> {
  readonly #game: Game<S>;
  readonly #playouts: PlayoutTree;
  readonly #proofs: Proofs | undefined;
  readonly #hostile: boolean;
  readonly #history: ActionHistory | undefined;
  readonly #amaf: Amaf | undefined;
  readonly #policy: PlayoutPolicy<S>;
  /** The greatest utility of the root player, and of an opponent. */
  readonly #mostOfRoot: number;
  readonly #mostOfOthers: number;
  /** By seat: its utility in the current simulation. */
  readonly #utilities: Float64Array;

  /** The moves of the playouts of `policy` count in the history and in AMAF statistics, if there are any. */
  constructor(
    game: Game<S>,
    playouts: PlayoutTree,
    { hostile }: Opponents<S>,
    payoff: PayoffName,
    history: ActionHistory | undefined,
    policy: PlayoutPolicy<S>,
    amaf?: Amaf,
  ) {
    const [least, most] = payoffBounds(payoff, game);
    this.#game = game;
    this.#playouts = playouts;
    this.#proofs = playouts.proofs;
    this.#hostile = hostile;
    this.#history = history;
    this.#amaf = amaf;
    this.#policy = policy;
    this.#mostOfRoot = most;
    this.#mostOfOthers = hostile ? 1 - least : most;
    this.#utilities = new Float64Array(game.players);
  }

  update(walk: Walk<S>): void {
    const { nodes, edges, root, length } = walk;
    addReturns(walk);
    for (let depth = length - 1; depth >= 0; depth--) {
      if (this.#proofs !== undefined) this.#tryToProve(this.#proofs, walk, depth);
      if (depth < length - 1) this.#playouts.rescore(nodes[depth]!, edges[depth]!, root);
    }
    if (this.#history === undefined && this.#amaf === undefined) return;
    const { players } = walk.tree;
    for (let seat = 0; seat < players; seat++)
      this.#utilities[seat] = utilityOf(this.#hostile, walk.returns, 0, seat, root, 1);
    if (this.#history !== undefined) this.#addTo(this.#history, walk);
    this.#amaf?.add(walk, this.#policy.keys, this.#policy.length, this.#utilities);
  }

  /** Adds the utilities of all moves of the simulation, those of its playout among them. */
  #addTo(history: ActionHistory, { tree, nodes, edges, length: steps }: Walk<S>): void {
    for (let depth = 0; depth < steps - 1; depth++) {
      if (tree.toMove[nodes[depth]!]! < 0) continue;
      const key = tree.key[edges[depth]!]!;
      history.add(key, this.#utilities[Math.floor(key / this.#game.actions)]!);
    }
    const { keys, seats, length } = this.#policy;
    for (let i = 0; i < length; i++) history.add(keys[i]!, this.#utilities[seats[i]!]!);
  }

  /** Proves the path's node at this depth if it is the end of the game or if its children allow it. */
  #tryToProve(proofs: Proofs, { tree, nodes, length, returns, root }: Walk<S>, depth: number): void {
    const node = nodes[depth]!;
    if (proofs.has(node)) return;
    const mover = tree.toMove[node]!;
    if (mover === OVER) proofs.set(node, returns);
    else if (mover >= 0 && depth < length - 1 && proofs.has(nodes[depth + 1]!)) {
      const own = (payoffs: Float64Array, at: number, seat: number) =>
        utilityOf(this.#hostile, payoffs, at, seat, root, 1);
      const most = mover === root ? this.#mostOfRoot : this.#mostOfOthers;
      if (!proofs.prove(node, nodes[depth + 1]!, own, most)) return;
    } else return;
    setMean(tree, node, proofs.exact(node));
  }
}
