import { type Game, type Grouping } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { PlayoutPolicy } from "../playouts/playout-policy.ts";
import type { Decision, Search } from "../search.ts";
import { NONE } from "../tree/nodes.ts";
import type { Choice, Leaf, LeafRequest } from "../tree/parts.ts";
import { SearchTree } from "../tree/search-tree.ts";
import { addReturns, meanOf } from "../tree/sums.ts";
import { TreeSearch } from "../tree/tree-search.ts";
import { Walk } from "../tree/walk.ts";
import { InformationMoves, type InformationMovesConfig } from "./information-moves.ts";

/** What the move played has most of: visits, or the mean return. The other measure decides between equals. */
export type FinalChoice = "visits" | "mean";

/** What searches over information sets differ in. */
export interface InformationSearchParts<S> extends InformationMovesConfig<S> {
  readonly simulations: number;
  /** Time of a decision, in place of simulations; 0 means that simulations count. */
  readonly milliseconds: number;
  /** Reads the processor seconds of the thread, which `milliseconds` counts; absent: it counts wall time. */
  readonly threadSeconds?: (() => number) | undefined;
  readonly epsilon: number;
  /** Whether a position with a single legal action is searched too. */
  readonly searchForced: boolean;
  readonly final: FinalChoice;
  /** With a grouping: whether the choice is between the groups first, then between the actions of the best one. */
  readonly groupFirst: boolean;
}

/**
 * Information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012). Every simulation draws a
 * determinization: a position that agrees with what the player to move has seen. All simulations share trees whose
 * nodes are information sets.
 *
 * Values are returns from the root on; in a match of several deals, within the current deal. With a grouping, a node
 * has a child for each group, and the group nodes have the actions. With `children: one` a group layer is expanded
 * together with its node, so that one group, or one action in each group, changes nothing. The search plays the most
 * visited action of the most visited group, or what `final` and `groupFirst` say instead. Without `searchForced` a single legal action is played at once, without
 * values. In a game without hidden information this is UCT.
 */
export function informationSearch<S>(game: Game<S>, parts: InformationSearchParts<S>): Search<S> {
  const tree = new SearchTree(game.players);
  const moves = new InformationMoves(game, tree, parts);
  const returnsSoFar = new Float64Array(game.players);
  return new TreeSearch(game, {
    walks: [new Walk(game, tree)],
    moves,
    selection: moves,
    leaf: new DeterminizedPlayout(game, moves, new PlayoutPolicy(game, parts.epsilon), returnsSoFar),
    backup: { update: addReturns },
    choice: new InformationChoice(game, tree, moves, parts, returnsSoFar),
    opening: false,
    milliseconds: parts.milliseconds,
    threadSeconds: parts.threadSeconds,
    openEnded: true,
  });
}

/** The returns of a playout from the leaf to the end of the deal, counted from the root. */
class DeterminizedPlayout<S> implements Leaf<S> {
  readonly maxRequest = 0;
  readonly priors = false;
  readonly #game: Game<S>;
  readonly #moves: InformationMoves<S>;
  readonly #policy: PlayoutPolicy<S>;
  readonly #soFar: Float64Array;

  /** `soFar`: the returns at the root. */
  constructor(game: Game<S>, moves: InformationMoves<S>, policy: PlayoutPolicy<S>, soFar: Float64Array) {
    this.#game = game;
    this.#moves = moves;
    this.#policy = policy;
    this.#soFar = soFar;
  }

  open({ state, returns }: Walk<S>, _leaf: number, _request: LeafRequest<S>, random: Random): void {
    this.#moves.leaveGroup(state, random);
    if (!this.#moves.over(state)) this.#policy.finish(state, random);
    this.#game.returns(state, returns);
    for (let seat = 0; seat < returns.length; seat++) returns[seat]! -= this.#soFar[seat]!;
  }

  close(_walk: Walk<S>, _leaf: number, _request: LeafRequest<S>, row: number): number {
    return row;
  }
}

/** Plays the most visited action of the most visited group in the mover's tree. */
class InformationChoice<S> implements Choice<S> {
  readonly #game: Game<S>;
  readonly #tree: SearchTree;
  readonly #moves: InformationMoves<S>;
  readonly #simulations: number;
  /** The least number of legal actions of a position that is searched. */
  readonly #leastSearched: number;
  readonly #grouping: Grouping<S> | undefined;
  readonly #byMean: boolean;
  readonly #groupFirst: boolean;
  readonly #soFar: Float64Array;
  readonly #buffer: DecisionBuffer<S>;
  readonly #legal: Int32Array;

  constructor(
    game: Game<S>,
    tree: SearchTree,
    moves: InformationMoves<S>,
    { simulations, searchForced, grouping, final, groupFirst }: InformationSearchParts<S>,
    soFar: Float64Array,
  ) {
    this.#game = game;
    this.#tree = tree;
    this.#moves = moves;
    this.#simulations = simulations;
    this.#leastSearched = searchForced ? 1 : 2;
    this.#grouping = grouping;
    this.#byMean = final === "mean";
    this.#groupFirst = groupFirst;
    this.#soFar = soFar;
    this.#buffer = new DecisionBuffer(game);
    this.#legal = new Int32Array(game.maxLegal);
  }

  start(state: S): number {
    this.#moves.plant();
    this.#game.returns(state, this.#soFar);
    return this.#game.legal(state, this.#legal) >= this.#leastSearched ? this.#simulations : 0;
  }

  decide(state: S): Decision<S> {
    const game = this.#game;
    const tree = this.#tree;
    const rows = this.#buffer.open(state);
    const { actions, visits, actionValues } = rows;
    const mover = game.toMove(state);
    const root = this.#moves.treeOf(mover);
    const grouping = this.#grouping?.applies(state) === true ? this.#grouping : undefined;
    let best = 0;
    let bestGroup = NONE;
    let chosen = NONE;
    for (let i = 0; i < actions.length; i++) {
      const parent =
        grouping === undefined ? root : this.#childOf(root, game.actions + grouping.group(actions[i]!));
      const child = parent === NONE ? NONE : this.#childOf(parent, actions[i]!);
      if (child === NONE) continue;
      visits[i] = tree.visits[child]!;
      actionValues[i] = meanOf(tree, child, mover);
      const order = this.#groupFirst
        ? this.#more(parent, bestGroup, mover) ||
          (parent === bestGroup ? this.#more(child, chosen, mover) : 0)
        : this.#more(child, chosen, mover);
      if (order <= 0) continue;
      best = i;
      bestGroup = parent;
      chosen = child;
    }
    const values = Array.from({ length: game.players }, (_, seat) =>
      chosen === NONE ? 0 : meanOf(tree, chosen, seat),
    );
    return this.#buffer.close(rows, best, values);
  }

  /** The child of a node with a key, or NONE. */
  #childOf(node: number, key: number): number {
    const edge = this.#tree.edgeOf(node, key);
    return edge === NONE ? NONE : this.#tree.child[edge]!;
  }

  /** Compares two nodes for a seat, by visits and then by the mean, or the other way round: above 0 if `node` is better. */
  #more(node: number, than: number, seat: number): number {
    if (than === NONE) return 1;
    const tree = this.#tree;
    const visits = tree.visits[node]! - tree.visits[than]!;
    const means = meanOf(tree, node, seat) - meanOf(tree, than, seat);
    return this.#byMean ? means || visits : visits || means;
  }
}
