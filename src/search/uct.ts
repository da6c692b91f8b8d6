import { Type } from "../schema.ts";
import type { Game } from "../games/game.ts";
import type { Random } from "../random.ts";
import type { SearchDefinition } from "./definition.ts";
import { MeanBackup, RolloutLeaf } from "./mean-parts.ts";
import { mostVisited } from "./move-choice.ts";
import { type Selection, TreeSearch } from "./tree-search.ts";
import type { Tree } from "./tree.ts";

/**
 * Selects by UCB1 (Auer, Cesa-Bianchi and Fischer 2002): argmax of the mover's mean + C sqrt(ln N / n), N the visits
 * of the node before the present simulation and n those of the child; the first of equals.
 *
 * Children not yet visited come first, in uniformly random order.
 */
export class Ucb1Selection<S> implements Selection<S> {
  readonly #exploration: number;
  readonly #unvisited: Int32Array;

  constructor(game: Game<S>, exploration: number) {
    this.#exploration = exploration;
    this.#unvisited = new Int32Array(game.maxLegal);
  }

  select(tree: Tree<S>, node: number, random: Random): number {
    const first = tree.firstChild[node]!;
    const end = first + tree.childCount[node]!;
    // Once every child has been visited the node has more visits than children.
    if (tree.visits[node]! <= tree.childCount[node]! + 1) {
      let count = 0;
      for (let child = first; child < end; child++)
        if (tree.visits[child] === 0) this.#unvisited[count++] = child;
      if (count > 0) return this.#unvisited[random.below(count)]!;
    }
    const mover = tree.toMove[node]!;
    const logVisits = Math.log(tree.visits[node]! - 1);
    let best = first;
    let greatest = -Infinity;
    for (let child = first; child < end; child++) {
      const score = tree.worth(child, mover) + this.#exploration * Math.sqrt(logVisits / tree.visits[child]!);
      if (score > greatest) {
        greatest = score;
        best = child;
      }
    }
    return best;
  }
}

const options = Type.Object(
  {
    simulations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        default: 1000,
        description: "Simulations a decision; one rollout from the root comes on top.",
      }),
    ),
    exploration: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 1.4,
        description: "C of UCB1, in units of the returns: 1.4 suits returns between 0 and 1.",
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * UCT (Kocsis and Szepesvari 2006) for any number of players: UCB1 selection for the mover's mean, one uniformly
 * random playout per leaf, mean backup of a value per seat, the most visited move. Needs no net.
 */
export const uct: SearchDefinition<typeof options> = {
  name: "uct",
  description: "Monte Carlo tree search with UCB1 and random playouts, for any number of players.",
  options,
  needs: { value: false, policy: false },
  best: "visits",
  create: (game, { simulations, exploration }) =>
    new TreeSearch(game, {
      trees: 1,
      simulations: simulations + 1,
      randomness: "chance",
      selection: new Ucb1Selection(game, exploration),
      leaf: new RolloutLeaf(game),
      backup: new MeanBackup(game),
      choice: mostVisited,
    }),
};
