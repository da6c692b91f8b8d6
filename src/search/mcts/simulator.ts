import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { ActionHistory } from "./action-history.ts";
import type { Opponents } from "./opponents.ts";
import { payoffBounds, type PayoffName, type PayoffRule, payoffRules } from "./payoff.ts";
import { PlayoutPolicy } from "../playouts/playout-policy.ts";
import { PlayoutSelection } from "./playout-selection.ts";
import { NONE, ROOT, widened } from "../tree/nodes.ts";
import { PlayoutTree } from "./playout-tree.ts";
import { prove, setProven } from "./proofs.ts";

/** The parts and settings of simulations. */
export interface SimulationParts<S> {
  readonly opponents: Opponents<S>;
  /** C of UCB1. */
  readonly exploration: number;
  /** W of Progressive History; 0 turns it off. */
  readonly progressiveHistory: number;
  readonly epsilon: number;
  readonly payoff: PayoffName;
  /** Visits of a leaf before the visit that expands it. The root needs one. */
  readonly expansion: number;
  readonly solver: boolean;
}

/**
 * Runs the simulations of a Monte Carlo tree search: select, expand, play out, back up.
 *
 * A simulation plays from the root on one working state. This costs less than a state in every node, because most moves
 * of a simulation belong to its playout.
 */
export class Simulator<S> {
  readonly history: ActionHistory;
  tree: PlayoutTree;
  /** The seat to move at the root. */
  root = NONE;
  readonly #game: Game<S>;
  readonly #parts: SimulationParts<S>;
  readonly #pay: PayoffRule;
  /** The greatest utility of the root player, and of an opponent. */
  readonly #mostOfRoot: number;
  readonly #mostOfOthers: number;
  readonly #selection: PlayoutSelection;
  readonly #policy: PlayoutPolicy<S>;
  readonly #start: S;
  readonly #state: S;
  readonly #keys: Int32Array;
  readonly #returns: Float64Array;
  readonly #payoffs: Float64Array;
  /** By seat: its utility in the current simulation. */
  readonly #utilities: Float64Array;
  readonly #own = (payoffs: Float64Array, at: number, seat: number) => this.#utility(payoffs, at, seat, 1);
  #nodes = new Int32Array(64);
  #edges = new Int32Array(64);
  #length = 0;

  constructor(game: Game<S>, parts: SimulationParts<S>) {
    const moves = Math.max(parts.opponents.mostMoves, game.maxLegal);
    this.#game = game;
    this.#parts = parts;
    this.#pay = payoffRules[parts.payoff];
    const [least, most] = payoffBounds(parts.payoff, game);
    this.#mostOfRoot = most;
    this.#mostOfOthers = parts.opponents.hostile ? 1 - least : most;
    this.history = new ActionHistory(parts.progressiveHistory > 0 ? game.players * game.actions : 0);
    this.#selection = new PlayoutSelection(parts.exploration, parts.progressiveHistory, this.history, moves);
    this.#policy = new PlayoutPolicy(game, parts.epsilon);
    this.#start = game.initial();
    this.#state = game.initial();
    this.#keys = new Int32Array(moves);
    this.#returns = new Float64Array(game.players);
    this.#payoffs = new Float64Array(game.players);
    this.#utilities = new Float64Array(game.players);
    this.tree = new PlayoutTree(game.players, parts.solver);
  }

  /** Sets the position that simulations start from, the tree's root. */
  startFrom(state: S): void {
    this.#game.copy(state, this.#start);
    this.root = this.#game.toMove(state);
  }

  /** Runs one simulation. */
  simulate(random: Random): void {
    this.#game.copy(this.#start, this.#state);
    const leaf = this.#descend(random);
    const { tree } = this;
    const { solver } = this.#parts;
    const known = solver && tree.proven[leaf] === 1;
    this.#policy.length = 0;
    if (known) this.#payoffs.set(tree.exact.subarray(leaf * tree.players, (leaf + 1) * tree.players));
    else {
      if (tree.toMove[leaf] !== OVER) this.#policy.play(this.#state, random);
      this.#game.returns(this.#state, this.#returns);
      this.#pay(this.#returns, this.#payoffs);
    }
    this.#backUp();
  }

  /** Plays the working state from the root to a leaf. Stores the path and returns the leaf. */
  #descend(random: Random): number {
    const { tree } = this;
    const state = this.#state;
    const { opponents, expansion, solver } = this.#parts;
    let length = 0;
    let node = ROOT;
    for (;;) {
      if (length === this.#nodes.length) {
        this.#nodes = widened(this.#nodes, new Int32Array(2 * length));
        this.#edges = widened(this.#edges, new Int32Array(2 * length));
      }
      this.#nodes[length] = node;
      const toMove = tree.toMove[node]!;
      if (toMove === OVER || (solver && tree.proven[node] === 1)) break;
      if (tree.firstEdge[node] === NONE) {
        const soon = toMove !== CHANCE && tree.visits[node]! < (node === ROOT ? 1 : expansion);
        if (soon || !tree.roomFor(this.#keys.length)) break;
        const count =
          toMove === CHANCE
            ? this.#game.legal(state, this.#keys)
            : opponents.moves(state, toMove, this.root, this.#keys);
        tree.addEdges(node, this.#keys, count);
      }
      let edge: number;
      if (toMove === CHANCE) {
        const outcome = this.#game.chance!.sample(state, random);
        edge = tree.edgeOf(node, outcome);
        this.#game.play(state, outcome);
      } else {
        edge = this.#selection.select(tree, node, random);
        opponents.play(state, tree.key[edge]!, this.root);
      }
      this.#edges[length++] = edge;
      if (tree.child[edge] === NONE) {
        const child = tree.addNode(this.#game.toMove(state));
        tree.child[edge] = child;
        tree.unvisited[node]!--;
      }
      node = tree.child[edge]!;
    }
    this.#length = length;
    return node;
  }

  /**
   * Counts the simulation at every node of the path, in the numbers that selection compares, and in the statistics of
   * moves.
   */
  #backUp(): void {
    const { tree } = this;
    const { players } = tree;
    const { solver, progressiveHistory } = this.#parts;
    const payoffs = this.#payoffs;
    const path = this.#nodes;
    for (let depth = this.#length; depth >= 0; depth--) {
      const node = path[depth]!;
      tree.visits[node]!++;
      const at = node * players;
      for (let seat = 0; seat < players; seat++) tree.sums[at + seat]! += payoffs[seat]!;
      if (solver) this.#tryToProve(depth);
      if (depth < this.#length) this.#score(node, this.#edges[depth]!);
    }
    if (progressiveHistory === 0) return;
    for (let seat = 0; seat < players; seat++) this.#utilities[seat] = this.#utility(payoffs, 0, seat, 1);
    for (let depth = 0; depth < this.#length; depth++) {
      if (tree.toMove[path[depth]!]! < 0) continue;
      const key = tree.key[this.#edges[depth]!]!;
      this.history.add(key, this.#utilities[Math.floor(key / this.#game.actions)]!);
    }
    const { keys, seats, length } = this.#policy;
    for (let i = 0; i < length; i++) this.history.add(keys[i]!, this.#utilities[seats[i]!]!);
  }

  /** Updates the numbers that selection compares at a decision node, after a new visit of one of its children. */
  #score(node: number, edge: number): void {
    const { tree } = this;
    if (tree.unvisited[node]! > 0 || tree.toMove[node]! < 0) return;
    if (tree.firstScore[node] !== NONE) return this.#scoreEdge(node, edge);
    tree.addScores(node);
    const first = tree.firstEdge[node]!;
    for (let i = 0; i < tree.edgeCount[node]!; i++) this.#scoreEdge(node, first + i);
  }

  #scoreEdge(node: number, edge: number): void {
    const { tree } = this;
    const child = tree.child[edge]!;
    const visits = tree.visits[child]!;
    // A proven child is selected no more: further visits would change nothing.
    const sum =
      this.#parts.solver && tree.proven[child] === 1
        ? -Infinity
        : this.#utility(tree.sums, child * tree.players, tree.toMove[node]!, visits);
    this.#selection.update(tree, node, edge, visits, sum);
  }

  /** The utility of a seat from the sums of payoffs of `times` simulations, which stand from `at` on, one per seat. */
  #utility(payoffs: Float64Array, at: number, seat: number, times: number): number {
    return this.#parts.opponents.hostile && seat !== this.root
      ? times - payoffs[at + this.root]!
      : payoffs[at + seat]!;
  }

  /** Proves the path's node at this depth if it is the end of the game or if its children allow it. */
  #tryToProve(depth: number): void {
    const { tree } = this;
    const node = this.#nodes[depth]!;
    if (tree.proven[node] === 1) return;
    const mover = tree.toMove[node]!;
    if (mover === OVER) setProven(tree, node, this.#payoffs);
    else if (mover >= 0 && depth < this.#length && tree.proven[this.#nodes[depth + 1]!] === 1)
      prove(tree, node, this.#own, mover === this.root ? this.#mostOfRoot : this.#mostOfOthers);
  }
}
