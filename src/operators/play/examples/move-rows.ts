import type { Game } from "../../../games/game.ts";
import { PlanePacker } from "../../../games/packed-planes.ts";
import { NO_INDEX } from "../../../models/nets/gather-logits.ts";
import type { TrainingBatch } from "../../../models/nets/training.ts";
import type { Random } from "../../../random.ts";
import { type BatchLayout, batchRoom } from "./batch-layout.ts";

/** Lays out single decisions as rows of minibatches for the loss `policy`: the target is of the move that was played. */
export class MoveRows<S> {
  readonly #game: Game<S>;
  readonly #layout: BatchLayout<S>;
  readonly #packer: PlanePacker<S>;
  readonly #legal: Int32Array;
  readonly #image: S;

  /** `layout.policy` lists the legal actions. */
  constructor(game: Game<S>, layout: BatchLayout<S>) {
    this.#game = game;
    this.#layout = layout;
    this.#packer = new PlanePacker(layout.planes);
    this.#legal = new Int32Array(game.maxLegal);
    this.#image = game.initial();
  }

  /** Memory for a minibatch, shared between threads. */
  room(): TrainingBatch {
    return batchRoom(this.#layout, this.#packer, this.#game);
  }

  /** Empties a minibatch. To be called before its rows are written. */
  clear({ auxiliary, policy, policyIndices }: TrainingBatch): void {
    policy!.fill(0);
    policyIndices!.fill(NO_INDEX);
    auxiliary!.policyWeight!.fill(0);
  }

  /**
   * Writes a decision as row `row`, or its image under a symmetry that is drawn, if the layout has symmetries; the
   * target of the move is `target`.
   */
  write(state: S, action: number, target: number, random: Random, batch: TrainingBatch, row: number): void {
    const { maxLegal, symmetry: symmetries } = this.#game;
    const drawn = this.#layout.symmetries && symmetries !== undefined;
    const symmetry = drawn ? random.below(symmetries.count) : 0;
    if (symmetry !== 0) symmetries!.transform(state, symmetry, this.#image);
    this.#packer.write(symmetry === 0 ? state : this.#image, batch, row);
    const { logitOf } = this.#layout.policy!;
    const count = this.#game.legal(state, this.#legal);
    for (let i = 0; i < count; i++) {
      const legal = this.#legal[i]!;
      const image = symmetry === 0 ? legal : symmetries!.action(legal, symmetry);
      batch.policyIndices![row * maxLegal + i] = logitOf?.[image] ?? image;
      if (legal === action) batch.policy![row * maxLegal + i] = target;
    }
    batch.auxiliary!.policyWeight![row] = 1;
  }
}
