import type { Game } from "../../../games/game.ts";
import type { PlanePacker } from "../../../games/packed-planes.ts";
import type { Slot } from "../../../workers/slots.ts";

/**
 * Writes positions as rows of a slot: a row has the packed planes that the net sees, and the gather indices of the logits
 * of the legal actions.
 */
export class PositionRows<S> {
  readonly #game: Game<S>;
  readonly #packer: PlanePacker<S>;
  readonly #logitOf: Int32Array | undefined;
  readonly #legal: Int32Array;
  readonly #image: S;

  /** `logitOf` is the index of each action's logit; absent if it is the action itself. */
  constructor(game: Game<S>, packer: PlanePacker<S>, logitOf: Int32Array | undefined) {
    this.#game = game;
    this.#packer = packer;
    this.#logitOf = logitOf;
    this.#legal = new Int32Array(game.maxLegal);
    this.#image = game.initial();
  }

  /** Lists the legal actions of a position, for the rows of its images, and returns their number. */
  listLegal(state: S): number {
    return this.#game.legal(state, this.#legal);
  }

  /**
   * Writes the image of a position under a symmetry (by index, 0 is the position itself) as row `row`, with the first
   * `count` legal actions that `listLegal` has found in the position.
   */
  write(slot: Slot, row: number, state: S, symmetry: number, count: number): void {
    const { starts, gather } = slot;
    const { symmetry: symmetries } = this.#game;
    const logitOf = this.#logitOf;
    if (symmetry !== 0) symmetries!.transform(state, symmetry, this.#image);
    this.#packer.write(symmetry === 0 ? state : this.#image, slot, row);
    const start = starts[row]!;
    for (let i = 0; i < count; i++) {
      const legal = this.#legal[i]!;
      const action = symmetry === 0 ? legal : symmetries!.action(legal, symmetry);
      gather[start + i] = logitOf === undefined ? action : logitOf[action]!;
    }
    starts[row + 1] = start + count;
  }
}
