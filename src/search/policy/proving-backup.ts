import { type Game, OVER } from "../../games/game.ts";
import type { Backup } from "../tree/parts.ts";
import type { Walk } from "../tree/walk.ts";
import type { PolicyTree } from "./policy-tree.ts";
import type { ProvenMoves } from "./proven-moves.ts";

/**
 * `MeanBackup` with proofs: the end of the game is proven, and so is every node on the path whose proven children suffice. The
 * values of a proven node are its exact returns from the node on, and these are what it hands to the nodes above.
 */
export class ProvingBackup<S> implements Backup<S> {
  readonly #game: Game<S>;
  readonly #policy: PolicyTree;
  readonly #proven: ProvenMoves;
  /** The returns of the game up to a node of the path. */
  readonly #before: Float64Array;

  constructor(game: Game<S>, policy: PolicyTree, proven: ProvenMoves) {
    this.#game = game;
    this.#policy = policy;
    this.#proven = proven;
    this.#before = new Float64Array(game.players);
  }

  update({ tree, state, nodes, length, returns }: Walk<S>): void {
    const { players, values, visits } = tree;
    const { data: rewards } = this.#policy.rewards.column;
    const { proofs } = this.#proven;
    const before = this.#before;
    const leaf = nodes[length - 1]!;
    // Whether the node last seen is proven, and `before` is known.
    let proving = proofs.has(leaf);
    if (proving || tree.toMove[leaf] === OVER) {
      this.#game.returns(state, before);
      if (!proving) proofs.set(leaf, before);
      proving = true;
    }
    for (let depth = length - 1; depth >= 0; depth--) {
      const node = nodes[depth]!;
      const at = node * players;
      if (proofs.has(node)) for (let seat = 0; seat < players; seat++) returns[seat] = values[at + seat]!;
      else if ((proving &&= this.#proven.prove(node, nodes[depth + 1]!)))
        for (let seat = 0; seat < players; seat++)
          values[at + seat] = returns[seat] = proofs.exactOf(node, seat) - before[seat]!;
      else {
        const share = 1 / visits[node]!;
        for (let seat = 0; seat < players; seat++)
          values[at + seat]! += (returns[seat]! - values[at + seat]!) * share;
      }
      for (let seat = 0; seat < players; seat++) {
        returns[seat]! += rewards[at + seat]!;
        before[seat]! -= rewards[at + seat]!;
      }
    }
  }
}
