import type { Random } from "../../random.ts";
import { NONE } from "../tree/nodes.ts";
import type { Selection } from "../tree/parts.ts";
import type { TreeColumn } from "../tree/tree-column.ts";
import type { Walk } from "../tree/walk.ts";
import type { ActionHistory } from "./action-history.ts";
import type { Amaf } from "./amaf.ts";
import { utilityOf } from "./opponents.ts";
import type { PlayoutTree } from "./playout-tree.ts";
import type { SelectionOptions } from "./selection-options.ts";
import type { Widening } from "./widening.ts";

/** What a selection by more than UCB1 reads of the tree. */
export interface RaveParts {
  readonly playouts: PlayoutTree;
  /** Whether opponents minimise the root player's payoff. */
  readonly hostile: boolean;
  readonly history: ActionHistory | undefined;
  readonly amaf: Amaf | undefined;
  /** Shape [edges]: the prior value of each move. */
  readonly priors: TreeColumn<Float64Array> | undefined;
  readonly widening: Widening | undefined;
  /** The greatest number of moves that a node can have. */
  readonly moves: number;
}

/** The numbers that such a selection uses. */
export interface RaveSettings extends SelectionOptions {
  /** C of UCB1. */
  readonly exploration: number;
  /** W of Progressive History. */
  readonly progressiveHistory: number;
}

/**
 * Selects by UCB1 with AMAF statistics (RAVE), priors, progressive widening and first-play urgency; each can be absent.
 * Argmax over the moves that the node considers of
 *
 *     (1 - beta) w / n + beta w' / n' + C sqrt(ln N / max(visits, 1)) + (s_a / n_a) W / (visits - sum + 1)
 *
 * - n and w are the number and the sum of the mover's payoffs in the simulations through the child, n' and w' those of
 *   its AMAF statistics. The virtual visits of a prior count in all four. `visits` and `sum` are n and w without them.
 * - N is the number of visits of the node. beta is sqrt(k / (3 N + k)) or n' / (n + n' + 4 n n' b^2).
 * - beta is 1 if n is 0, and 0 if n' is 0. If both are, the first two terms are the first-play urgency.
 *
 * A draw decides between moves of equal score.
 *
 * Source: S. Gelly and D. Silver (2011), sections 4 and 5: MC-RAVE, UCT-RAVE, heuristic MC-RAVE. First-play urgency: S.
 * Gelly and Y. Wang (2006). A move without visits counts as visited once in the term of UCB1, which would be infinite.
 */
export class RaveSelection<S> implements Selection<S> {
  readonly #parts: RaveParts;
  readonly #exploration: number;
  readonly #weight: number;
  readonly #firstPlay: number;
  /** k of the equivalence schedule; 0 if beta follows the bias schedule or there is no RAVE. */
  readonly #k: number;
  /** 4 b^2 of the bias schedule. */
  readonly #fourSquares: number;
  readonly #virtual: number;
  readonly #candidates: Int32Array;

  constructor(parts: RaveParts, { exploration, progressiveHistory, rave, prior, firstPlay }: RaveSettings) {
    this.#parts = parts;
    this.#exploration = exploration;
    this.#weight = progressiveHistory;
    this.#firstPlay = firstPlay ?? Infinity;
    this.#k = rave?.use === "equivalence" ? rave.k : 0;
    this.#fourSquares = rave?.use === "bias" ? 4 * rave.b * rave.b : 0;
    this.#virtual = prior?.visits ?? 0;
    this.#candidates = new Int32Array(parts.moves);
  }

  /** Makes a draw if moves have the same score, and if widening has to decide between equal priors. */
  select(walk: Walk<S>, node: number, random: Random): number {
    const { widening } = this.#parts;
    widening?.widen(node, random);
    let found = this.#findBest(walk, node);
    // All moves considered so far are proven, but not the node.
    while (found === 0 && widening?.addMove(node, random) === true) found = this.#findBest(walk, node);
    return this.#candidates[found < 2 ? 0 : random.below(found)]!;
  }

  /** Writes the edges of greatest score to `#candidates`; returns their number. */
  #findBest({ tree, root }: Walk<S>, node: number): number {
    const { playouts, hostile, history, amaf, priors, widening } = this.#parts;
    const { proofs } = playouts;
    const { players, values, visits, child, key } = tree;
    const considered = widening?.considered.data;
    const amafs = amaf?.column.data;
    const prior = priors?.data;
    const pairs = history?.pairs;
    const virtual = this.#virtual;
    const k = this.#k;
    const fourSquares = this.#fourSquares;
    const candidates = this.#candidates;
    const mover = tree.toMove[node]!;
    const exploration = this.#exploration * Math.sqrt(Math.log(visits[node]!));
    const ofNode = k > 0 ? Math.sqrt(k / (3 * visits[node]! + k)) : 0;
    const first = tree.firstEdge[node]!;
    const end = first + tree.edgeCount[node]!;
    let found = 0;
    let greatest = -Infinity;
    for (let edge = first; edge < end; edge++) {
      if (considered !== undefined && considered[edge] === 0) continue;
      const to = child[edge]!;
      let times = 0;
      let sum = 0;
      if (to !== NONE) {
        if (proofs?.has(to) === true) continue;
        times = visits[to]!;
        sum = utilityOf(hostile, values, to * players, mover, root, times);
      }
      const paid = prior === undefined ? 0 : virtual * prior[edge]!;
      const n = times + virtual;
      const own = sum + paid;
      let score: number;
      if (amafs === undefined) score = n > 0 ? own / n : this.#firstPlay;
      else {
        const others = amafs[2 * edge + 1]! + virtual;
        if (others === 0) score = n > 0 ? own / n : this.#firstPlay;
        else {
          const mean = (amafs[2 * edge]! + paid) / others;
          if (n === 0) score = mean;
          else {
            const beta = k > 0 ? ofNode : others / (n + others + fourSquares * n * others);
            score = (1 - beta) * (own / n) + beta * mean;
          }
        }
      }
      score += times > 1 ? exploration / Math.sqrt(times) : exploration;
      if (pairs !== undefined) {
        const made = pairs[2 * key[edge]! + 1]!;
        if (made > 0) score += (pairs[2 * key[edge]!]! / made) * (this.#weight / (times - sum + 1));
      }
      if (score < greatest) continue;
      if (score > greatest) {
        greatest = score;
        found = 0;
      }
      candidates[found++] = edge;
    }
    return found;
  }
}
