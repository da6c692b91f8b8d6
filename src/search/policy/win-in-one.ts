import { type Game, OVER } from "../../games/game.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import type { SearchTree } from "../tree/search-tree.ts";

/**
 * A root with more actions is not searched for a win in one move. Trying so few costs .1 us in Connect Four, 1 us in Othello and
 * 2 us in Blokus Duo: less than a hundredth of an evaluation by the smallest nets in use.
 */
const MOST_ACTIONS = 16;

/** The move of the root that wins the game at once: it ends the game with the greatest return for the mover. */
export class WinInOne<S> {
  readonly #game: Game<S>;
  readonly #tree: SearchTree;
  readonly #state: S;
  readonly #returns: Float64Array;
  /** The action, or NONE. */
  #action = NONE;

  constructor(game: Game<S>, tree: SearchTree) {
    this.#game = game;
    this.#tree = tree;
    this.#state = game.initial();
    this.#returns = new Float64Array(game.players);
  }

  /** Looks for such a move at a root that has its edges, which are its legal actions. */
  look(root: S): void {
    this.#action = NONE;
    const { firstEdge, edgeCount, key } = this.#tree;
    const first = firstEdge[ROOT]!;
    const end = first + edgeCount[ROOT]!;
    if (end - first > MOST_ACTIONS) return;
    for (let edge = first; edge < end && this.#action === NONE; edge++)
      if (this.#wins(root, key[edge]!)) this.#action = key[edge]!;
  }

  /** The edge of the move found, or NONE. */
  edge(): number {
    return this.#action === NONE ? NONE : this.#tree.edgeOf(ROOT, this.#action);
  }

  #wins(root: S, action: number): boolean {
    const game = this.#game;
    const state = this.#state;
    game.copy(root, state);
    game.play(state, action);
    if (game.toMove(state) !== OVER) return false;
    game.returns(state, this.#returns);
    return this.#returns[game.toMove(root)]! >= game.returnBounds[1];
  }
}
