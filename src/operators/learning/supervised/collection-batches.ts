import type { Game } from "../../../games/game.ts";
import type { TrainingBatch } from "../../../models/nets/training.ts";
import type { Random } from "../../../random.ts";
import type { CollectedPositions } from "../collection/collected-positions.ts";
import { type BatchLayout, bytesOfBatch } from "../../play/examples/batch-layout.ts";
import { MoveRows } from "../../play/examples/move-rows.ts";

/** Draws minibatches of decisions from recorded games and lays them out for a net and the loss `policy`. */
export class CollectionBatches<S> {
  readonly #layout: BatchLayout<S>;
  readonly #positions: CollectedPositions<S>;
  readonly #rows: MoveRows<S>;
  readonly #batches: TrainingBatch[] = [];

  constructor(game: Game<S>, layout: BatchLayout<S>, positions: CollectedPositions<S>) {
    this.#layout = layout;
    this.#positions = positions;
    this.#rows = new MoveRows(game, layout);
  }

  /** Size of a batch in bytes. */
  get bytes(): number {
    return bytesOfBatch((this.#batches[0] ??= this.#rows.room()));
  }

  /**
   * Fills batch `slot` with decisions drawn uniformly with replacement, each with a symmetry drawn uniformly, and returns
   * it. Its memory is shared between threads; the next draw into the same slot overwrites it.
   */
  draw(random: Random, slot: number): TrainingBatch {
    const batch = (this.#batches[slot] ??= this.#rows.room());
    const positions = this.#positions;
    this.#rows.clear(batch);
    for (let row = 0; row < this.#layout.batch; row++) {
      positions.draw(random);
      this.#rows.write(positions.state, positions.action, 1, random, batch, row);
    }
    return batch;
  }
}
