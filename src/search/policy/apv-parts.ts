import { type Game, type MovePrior, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import type { GivenNets } from "../definition.ts";
import type { PlayoutPolicy } from "../playouts/playout-policy.ts";
import { MOST_EDGES, NONE, ROOT } from "../tree/nodes.ts";
import type { Backup, Leaf, LeafRequest, Selection } from "../tree/parts.ts";
import { setMean } from "../tree/sums.ts";
import type { TreeColumn } from "../tree/tree-column.ts";
import type { VirtualLosses } from "../tree/virtual-losses.ts";
import type { Walk } from "../tree/walk.ts";
import type { PolicyTree } from "./policy-tree.ts";
import { soften } from "./prior-temperature.ts";
import type { ProvenMoves } from "./proven-moves.ts";

/**
 * Selects, for the mover,
 *
 *     argmax over a of Q(s,a) + c_puct P(s,a) sqrt(sum over b of N(s,b)) / (1 + N(s,a))
 *
 * where N and Q include virtual losses, and Q is between -1 for the least return of the game and 1 for the greatest; 0 for an
 * untried action. Closed actions (`ProvenMoves`) are not selected. The values of nodes are sums of the returns of whole games. Of
 * equal actions the one that was tried first is taken, then the one with the greatest prior.
 *
 * Source: Silver et al. 2016, Methods, Search algorithm.
 */
export class ApvSelection<S> implements Selection<S> {
  readonly #policy: PolicyTree;
  readonly #losses: TreeColumn<Int32Array>;
  readonly #cPuct: number;
  readonly #least: number;
  readonly #middle: number;
  /** Half of the range of returns. */
  readonly #half: number;

  constructor(
    { returnBounds: [least, most] }: Pick<Game<S>, "returnBounds">,
    policy: PolicyTree,
    losses: VirtualLosses,
    cPuct: number,
  ) {
    this.#policy = policy;
    this.#losses = losses.column;
    this.#cPuct = cPuct;
    this.#least = least;
    this.#middle = (least + most) / 2;
    this.#half = (most - least) / 2;
  }

  select(_walk: Walk<S>, node: number): number {
    const { tree } = this.#policy;
    const { visits, child, values, players } = tree;
    const prior = this.#policy.prior.data;
    const losses = this.#losses.data;
    const mover = tree.toMove[node]!;
    const first = tree.firstEdge[node]!;
    const tried = first + tree.tried[node]!;
    let sum = 0;
    for (let edge = first; edge < tried; edge++) sum += visits[child[edge]!]! + losses[child[edge]!]!;
    const exploration = this.#cPuct * Math.sqrt(sum);
    // If no score is a number, the first edge.
    let best = first;
    let greatest = -Infinity;
    const proven = this.#policy.proven?.someIn(node) === true ? this.#policy.proven : undefined;
    for (let edge = first; edge < tried; edge++) {
      const at = child[edge]!;
      if (proven?.closed(node, at) === true) continue;
      const lost = losses[at]!;
      const count = visits[at]! + lost;
      // Without virtual losses a simulation under way leaves a child with no visit.
      const q =
        count === 0
          ? 0
          : ((values[at * players + mover]! + lost * this.#least) / count - this.#middle) / this.#half;
      const score = q + (exploration * prior[edge]!) / (1 + count);
      if (score > greatest) {
        greatest = score;
        best = edge;
      }
    }
    if (tried === first + tree.edgeCount[node]!) return best;
    return exploration * prior[tried]! > greatest ? tried : best;
  }
}

/** What the leaves of a search are evaluated with. */
export interface ApvEvaluation<S> {
  readonly nets: GivenNets;
  /** Weight of the return of a rollout in the value of a leaf. */
  readonly lambda: number;
  readonly rollouts: PlayoutPolicy<S>;
  /** The visit of a leaf that expands it. */
  readonly expansion: number;
  /** T: priors are in proportion to p^(1/T). */
  readonly priorTemperature: number;
  /** The greatest number of leaves in flight. */
  readonly batch: number;
}

/**
 * The value of a leaf, (1 - lambda) v + lambda z: v is a net's value of the position, which is asked for once, and z the
 * return of one rollout. The visit that makes up the threshold also asks for priors and expands the leaf; so does the visit
 * that opens the root, which is not valued. Requests hold only positions whose response is used.
 */
export class ApvLeaf<S> implements Leaf<S> {
  readonly maxRequest: number;
  readonly priors: boolean;
  readonly furtherRequests: readonly LeafRequest<S>[];
  readonly #game: Game<S>;
  readonly #policy: PolicyTree;
  readonly #evaluation: ApvEvaluation<S>;
  /** For positions of which values alone are wanted. */
  readonly #valueRequest: LeafRequest<S>;
  readonly #asksValues: boolean;
  /** The odds of moves by the policy of rollouts, if it is a net and no other one gives priors. */
  readonly #treePolicy: MovePrior<S> | undefined;
  /** Shape [nodes, players]: returns that follow from v for the whole game; NaN before v is known. */
  readonly #known: TreeColumn<Float64Array>;
  /** Shape [nodes]: one more than the row of the node in the request for priors, or for values alone; 0: not asked for. */
  readonly #priorRow: TreeColumn<Int32Array>;
  readonly #valueRow: TreeColumn<Int32Array>;
  /** By walk: whether its simulation expands the leaf, if no other one in flight does so first. */
  readonly #expanding: Uint8Array;
  readonly #state: S;
  readonly #returns: Float64Array;
  readonly #actions: Int32Array;
  readonly #weights: Float64Array;

  constructor(game: Game<S>, policy: PolicyTree, evaluation: ApvEvaluation<S>) {
    const { batch, lambda, nets } = evaluation;
    const { tree } = policy;
    this.#game = game;
    this.#policy = policy;
    this.#evaluation = evaluation;
    this.#asksValues = lambda < 1 && nets.values !== undefined;
    this.priors = nets.priors;
    this.#treePolicy = nets.priors ? undefined : game.search?.movePriors?.["policy"];
    this.maxRequest = this.priors || this.#asksValues ? 1 : 0;
    this.#valueRequest = {
      states: [],
      count: 0,
      values: new Float64Array(batch * game.players),
      ...(nets.values === "valueNet" ? { net: "valueNet" as const } : {}),
    };
    this.furtherRequests = [this.#valueRequest];
    this.#known = tree.nodeColumn(Float64Array, game.players, NaN);
    this.#priorRow = tree.nodeColumn(Int32Array);
    this.#valueRow = tree.nodeColumn(Int32Array);
    this.#expanding = new Uint8Array(batch);
    this.#state = game.initial();
    this.#returns = new Float64Array(game.players);
    this.#actions = new Int32Array(game.maxLegal);
    this.#weights = new Float64Array(game.maxLegal);
  }

  open(walk: Walk<S>, leaf: number, request: LeafRequest<S>, random: Random): void {
    const { tree, state, returns } = walk;
    const game = this.#game;
    if (tree.toMove[leaf] === OVER) return game.returns(state, returns);
    const proofs = this.#policy.proven?.proofs;
    if (proofs?.has(leaf) === true) return returns.set(proofs.exact(leaf));
    const opens = leaf === ROOT;
    const values = this.#asksValues && !opens && Number.isNaN(this.#known.data[leaf * tree.players]!);
    const expands =
      (opens || tree.visits[leaf]! + 1 >= this.#evaluation.expansion) &&
      tree.edges + this.#actions.length <= MOST_EDGES;
    this.#expanding[walk.index] = Number(expands);
    const asksPriors = this.priors && expands;
    if (asksPriors) ask(request, state, this.#priorRow, leaf);
    // One evaluation gives both.
    const together = asksPriors && this.#evaluation.nets.values === "net";
    if (values && !together) ask(this.#valueRequest, state, this.#valueRow, leaf);
    if (opens || this.#evaluation.lambda === 0) return;
    game.copy(state, this.#state);
    this.#evaluation.rollouts.finish(this.#state, random);
    game.returns(this.#state, returns);
  }

  close(walk: Walk<S>, leaf: number, request: LeafRequest<S>): number {
    const { tree, state, returns } = walk;
    if (tree.toMove[leaf] === OVER || this.#policy.proven?.proofs.has(leaf) === true) return 0;
    const opens = leaf === ROOT;
    const priorRow = this.#priorRow.data[leaf]! - 1;
    const valueRow = this.#valueRow.data[leaf]! - 1;
    this.#priorRow.data[leaf] = this.#valueRow.data[leaf] = 0;
    if (this.#asksValues && !opens && Number.isNaN(this.#known.data[leaf * tree.players]!)) {
      const from = valueRow >= 0 ? this.#valueRequest : request;
      this.#keep(leaf, state, from.values, valueRow >= 0 ? valueRow : priorRow);
    }
    if (this.#expanding[walk.index] === 1 && tree.firstEdge[leaf] === NONE)
      this.#expand(leaf, state, request.priors, priorRow * this.#actions.length);
    if (opens) returns.fill(0);
    else if (this.#asksValues) this.#mix(leaf, returns);
    return 0;
  }

  /** Keeps the net's values of a leaf as returns of the whole game. */
  #keep(leaf: number, state: S, values: Float64Array, row: number): void {
    const { players } = this.#game;
    const { data } = this.#known;
    this.#game.returns(state, this.#returns);
    for (let seat = 0; seat < players; seat++)
      data[leaf * players + seat] = this.#returns[seat]! + values[row * players + seat]!;
  }

  /** Adds the edges of a leaf with its softened priors: those of a net, else of the policy of rollouts, else uniform ones. */
  #expand(leaf: number, state: S, priors: Float32Array | undefined, at: number): void {
    const actions = this.#actions;
    const count = this.#game.legal(state, actions);
    this.#policy.tree.addEdges(leaf, actions, count);
    const weights = this.#weights;
    if (priors !== undefined) for (let i = 0; i < count; i++) weights[i] = priors[at + i]!;
    else if (this.#treePolicy === undefined) weights.fill(1, 0, count);
    else this.#treePolicy(state, actions, count, weights);
    soften(weights, count, this.#evaluation.priorTemperature);
    this.#policy.setPriors(leaf, weights, 0);
  }

  /** Mixes the known value of a leaf with the returns of its rollout. */
  #mix(leaf: number, returns: Float64Array): void {
    const { lambda } = this.#evaluation;
    const { players } = this.#game;
    const { data } = this.#known;
    for (let seat = 0; seat < players; seat++) {
      const value = data[leaf * players + seat]!;
      returns[seat] = lambda === 0 ? value : (1 - lambda) * value + lambda * returns[seat]!;
    }
  }
}

/** Appends a state to a request, unless a simulation in flight has asked for the same node. */
function ask<S>(request: LeafRequest<S>, state: S, rows: TreeColumn<Int32Array>, leaf: number): void {
  if (rows.data[leaf] !== 0) return;
  request.states[request.count++] = state;
  rows.data[leaf] = request.count;
}

/**
 * Adds the value of the leaf to the sums of the path, with proofs: the mean of a proven node is its exact value, and this is also what
 * the nodes above get.
 */
export class ApvBackup<S> implements Backup<S> {
  readonly #proven: ProvenMoves;

  constructor(proven: ProvenMoves) {
    this.#proven = proven;
  }

  update({ tree, nodes, length, returns }: Walk<S>): void {
    const proven = this.#proven;
    const { proofs } = proven;
    const { players, values } = tree;
    const leaf = nodes[length - 1]!;
    if (tree.toMove[leaf] === OVER) proofs.set(leaf, returns);
    for (let depth = length - 1; depth >= 0; depth--) {
      const node = nodes[depth]!;
      const below = depth < length - 1 && proofs.has(nodes[depth + 1]!);
      if (proofs.has(node) || (below && proven.prove(node, nodes[depth + 1]!))) {
        returns.set(proofs.exact(node));
        setMean(tree, node, returns);
      } else for (let seat = 0; seat < players; seat++) values[node * players + seat]! += returns[seat]!;
    }
  }
}
