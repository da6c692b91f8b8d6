import { CHANCE, type Game, OVER } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { drawOutcome, NONE, ROOT } from "../tree/nodes.ts";
import type { NodeStates } from "../tree/node-states.ts";
import type { Moves } from "../tree/parts.ts";
import type { Walk } from "../tree/walk.ts";

/** How a tree treats chance nodes. */
export type Randomness =
  /** A chance node has one child: the outcome drawn at its first visit. */
  | "fixed"
  /** Every simulation draws an outcome at every chance node on its path. */
  | "chance";

/**
 * Moves of a tree whose nodes keep their states. A simulation ends at a decision node without edges. A chance node is
 * never a leaf: a simulation goes through it.
 */
export class StatefulMoves<S> implements Moves<S> {
  readonly #game: Game<S>;
  readonly #states: readonly NodeStates<S>[];
  readonly #randomness: Randomness;
  readonly #outcomes: Int32Array;
  readonly #probabilities: Float64Array;

  /** `states`: by walk its tree. */
  constructor(game: Game<S>, states: readonly NodeStates<S>[], randomness: Randomness) {
    this.#game = game;
    this.#states = states;
    this.#randomness = randomness;
    this.#outcomes = new Int32Array(game.maxLegal);
    this.#probabilities = new Float64Array(game.maxLegal);
  }

  start(): number {
    return ROOT;
  }

  open({ tree, index }: Walk<S>, node: number, random: Random): number {
    const toMove = tree.toMove[node]!;
    if (tree.firstEdge[node] !== NONE || toMove === OVER) return toMove;
    if (toMove !== CHANCE) return OVER;
    const states = this.#states[index]!;
    const chance = this.#game.chance!;
    if (this.#randomness === "fixed") {
      this.#outcomes[0] = chance.sample(states.state(node), random);
      states.probability.data[tree.addEdges(node, this.#outcomes, 1)] = 1;
    } else {
      const count = chance.outcomes(states.state(node), this.#outcomes, this.#probabilities);
      const first = tree.addEdges(node, this.#outcomes, count);
      const { data } = states.probability;
      for (let i = 0; i < count; i++) data[first + i] = this.#probabilities[i]!;
    }
    return CHANCE;
  }

  outcome({ tree, index }: Walk<S>, node: number, random: Random): number {
    const first = tree.firstEdge[node]!;
    if (this.#randomness === "fixed") return first;
    return drawOutcome(this.#states[index]!.probability.data, first, tree.edgeCount[node]!, random);
  }

  follow({ tree, index }: Walk<S>, node: number, edge: number): number {
    const child = tree.child[edge]!;
    return child === NONE ? this.#states[index]!.enter(node, edge) : child;
  }
}
