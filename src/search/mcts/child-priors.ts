import type { Game, MovePrior } from "../../games/game.ts";
import type { SearchTree } from "../tree/search-tree.ts";
import type { TreeColumn } from "../tree/tree-column.ts";

/** The reason why a game has no prior of this name, or undefined if it has one. */
export function unknownPrior<S>({ name, search }: Game<S>, of: string): string | undefined {
  const known = [
    ...(search?.preference === undefined ? [] : ["preference"]),
    ...Object.keys(search?.movePriors ?? {}),
  ];
  return known.includes(of)
    ? undefined
    : `${name} has no prior "${of}" of moves (it has: ${known.length === 0 ? "none" : known.join(", ")})`;
}

/**
 * Part of a tree: the prior value of each edge for the mover, from 0 to 1, written when its node is expanded.
 */
export class ChildPriors<S> {
  /** Shape [edges]. */
  readonly column: TreeColumn<Float64Array>;
  readonly #write: MovePrior<S>;
  /** 1 / T. */
  readonly #power: number;
  readonly #actionCount: number;
  readonly #actions: Int32Array;
  readonly #values: Float64Array;

  /**
   * `of`: the prior's name; see `unknownPrior`. A prior value p counts as p^(1/T), T being the `temperature`. `moves`: the
   * greatest number of moves that a node can have.
   */
  constructor(
    tree: SearchTree,
    game: Game<S>,
    { of, temperature = 1 }: { readonly of: string; readonly temperature?: number },
    moves: number,
  ) {
    this.#power = 1 / temperature;
    this.column = tree.edgeColumn(Float64Array);
    this.#write = of === "preference" ? byPreference(game) : game.search!.movePriors![of]!;
    this.#actionCount = game.actions;
    this.#actions = new Int32Array(moves);
    this.#values = new Float64Array(moves);
  }

  /** Writes the priors of a decision node that has just been expanded at the position `state`. */
  expand(tree: SearchTree, node: number, state: S): void {
    const first = tree.firstEdge[node]!;
    const count = tree.edgeCount[node]!;
    const actions = this.#actions;
    for (let i = 0; i < count; i++) actions[i] = tree.key[first + i]! % this.#actionCount;
    this.#write(state, actions, count, this.#values);
    const { data } = this.column;
    for (let i = 0; i < count; i++)
      data[first + i] = this.#power === 1 ? this.#values[i]! : this.#values[i]! ** this.#power;
  }
}

/** The prior `preference`: 0 for the least preferred of the moves, 1 for the most preferred, 1/2 if all are equal. */
function byPreference<S>(game: Game<S>): MovePrior<S> {
  const preference = game.search!.preference!;
  return (_state, actions, count, out) => {
    let least = Infinity;
    let most = -Infinity;
    for (let i = 0; i < count; i++) {
      const value = preference(actions[i]!);
      out[i] = value;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    for (let i = 0; i < count; i++) out[i] = most > least ? (out[i]! - least) / (most - least) : 0.5;
  };
}
