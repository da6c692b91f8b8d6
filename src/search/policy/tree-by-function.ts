import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { mostVisited } from "../choice/move-choice.ts";
import type { Search } from "../search.ts";
import { ROOT } from "../tree/nodes.ts";
import { policySearch, type RootView, type SearchedRoot, type SelectionRule } from "./policy-search.ts";
import type { PolicyTree } from "./policy-tree.ts";

/**
 * The edges of a node that a simulation can take: those that earlier simulations took, in the order in which they first did; then,
 * if some were never taken, the one of these with the greatest prior. Its arrays hold for this call only.
 */
export interface TreeEdges {
  /** [edges]: the simulations that took each edge; 0 for the last one, if it was never taken. */
  readonly visits: Float64Array;
  /** [edges]: the mover's mean return from this node on after each edge; 0 for one that was never taken. */
  readonly values: Float64Array;
  /** [edges]: the prior probability of each edge by the net. Over all edges of the node they sum to 1. */
  readonly priors: Float64Array;
  /** Simulations through this node, the present one left out, and the one that expanded it included. */
  readonly total: number;
  /** The mover's mean return from this node on. */
  readonly value: number;
  /** Whether this node is the position that is searched. */
  readonly root: boolean;
}

/** The moves of the position that was searched, after the last simulation. */
export interface SearchedMoves {
  /** [moves]: the legal actions, in increasing order. */
  readonly actions: Int32Array;
  /** [moves]: the simulations that took each. */
  readonly visits: Float64Array;
  /** [moves]: the mean return of the mover after each; 0 for those that no simulation took. */
  readonly values: Float64Array;
  /** Decisions of the game before this one. */
  readonly decisions: number;
}

/** A tree search that is guided by a net, with a selection and a choice of its own. */
export interface TreeByFunction {
  /** Simulations for each decision. */
  readonly simulations: number;
  /** Returns the index of the edge that the simulation takes from here. */
  select(edges: TreeEdges, random: Random): number;
  /** Returns the index of the move to play, one that a simulation took. Absent: the most visited one. */
  choose?(moves: SearchedMoves, random: Random): number;
}

/**
 * A tree search by a net's values and priors for any number of players: AlphaZero's loop, tree and mean backup, with the
 * selection of a function. Each request holds one position. A search definition with it has `needs: { values: true, policy:
 * true }`, `best: "visits"` and `maxRequest: 1`. It is slower than the built-in searches, because each selection copies the
 * numbers of the edges.
 *
 * Source: Silver et al. 2018 (AlphaZero); one mean for each seat as in BlokusZero, section 4.2.
 */
export function treeSearch<S>(game: Game<S>, parts: TreeByFunction): Search<S> {
  return policySearch(game, {
    plan: () => ({ simulations: parts.simulations, full: true }),
    rule: new FunctionRule(parts),
    milliseconds: 0,
    leaves: 1,
    reuse: false,
    playouts: null,
    passLast: false,
    resign: null,
    solver: false,
    priorTemperature: 1,
    rootPriorTemperature: null,
  });
}

/** What PUCT explores with. */
export interface PuctExploration {
  /** c_base: the number of visits from which exploration grows markedly. */
  readonly cBase: number;
  /** c_init: the initial exploration, in units of the returns. */
  readonly cInit: number;
}

/**
 * The index of the edge with the greatest Q + C P sqrt(N) / (1 + n), in which C = log((1 + N + c_base) / c_base) + c_init, N is
 * `total` and n the visits of the edge; of equal ones the first. Q of an edge that was never taken is 0. Source: Silver et
 * al. 2018, supplementary pseudocode. As `select` of `treeSearch` it is the search `puct-max-n`.
 */
export function puct(
  { priors, total, values, visits }: TreeEdges,
  { cBase, cInit }: PuctExploration = { cBase: 19_625, cInit: 1.25 },
): number {
  const exploration = (Math.log((1 + total + cBase) / cBase) + cInit) * Math.sqrt(total);
  let best = 0;
  let greatest = -Infinity;
  for (let i = 0; i < visits.length; i++) {
    const score = values[i]! + (exploration * priors[i]!) / (1 + visits[i]!);
    if (score > greatest) {
      greatest = score;
      best = i;
    }
  }
  return best;
}

class FunctionRule implements SelectionRule {
  readonly #parts: TreeByFunction;
  #random!: Random;
  /** Their numbers of edges grow as needed. */
  #visits = new Float64Array(64);
  #values = new Float64Array(64);
  #priors = new Float64Array(64);

  constructor(parts: TreeByFunction) {
    this.#parts = parts;
  }

  begin(_policy: PolicyTree, _root: RootView, random: Random): void {
    this.#random = random;
  }

  selectAtRoot(policy: PolicyTree): number {
    return this.select(policy, ROOT);
  }

  select({ tree, prior, rewards }: PolicyTree, node: number): number {
    const mover = tree.toMove[node]!;
    const first = tree.firstEdge[node]!;
    const tried = tree.tried[node]!;
    const count = Math.min(tried + 1, tree.edgeCount[node]!);
    if (count > this.#visits.length) {
      this.#visits = new Float64Array(2 * count);
      this.#values = new Float64Array(2 * count);
      this.#priors = new Float64Array(2 * count);
    }
    for (let i = 0; i < count; i++) {
      const child = tree.child[first + i]!;
      this.#visits[i] = i < tried ? tree.visits[child]! : 0;
      this.#values[i] = i < tried ? rewards.actionValue(child, mover) : 0;
      this.#priors[i] = prior.data[first + i]!;
    }
    const edges: TreeEdges = {
      visits: this.#visits.subarray(0, count),
      values: this.#values.subarray(0, count),
      priors: this.#priors.subarray(0, count),
      total: tree.visits[node]!,
      value: tree.values[node * tree.players + mover]!,
      root: node === ROOT,
    };
    const index = this.#parts.select(edges, this.#random);
    if (!(index >= 0 && index < count))
      throw new RangeError(`select returned ${index}; it returns the index of one of ${count} edges`);
    return first + index;
  }

  choose(_policy: PolicyTree, root: SearchedRoot, random: Random): number {
    const { actions, actionValues, decisions, visits } = root;
    const chosen =
      this.#parts.choose?.({ actions, visits, values: actionValues, decisions }, random) ??
      mostVisited(visits, actionValues);
    if (!(visits[chosen]! > 0))
      throw new RangeError(
        `choose returned ${chosen}; it returns the index of a move that a simulation took`,
      );
    return chosen;
  }

  policy(): undefined {
    return undefined;
  }
}
