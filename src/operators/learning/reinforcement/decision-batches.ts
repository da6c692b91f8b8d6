import type { Game } from "../../../games/game.ts";
import type { TrainingBatch } from "../../../models/nets/training.ts";
import type { Random } from "../../../random.ts";
import { type BatchLayout, bytesOfBatch } from "../../play/examples/batch-layout.ts";
import { MoveRows } from "../../play/examples/move-rows.ts";

/** A finished game, and the seat whose decisions are learned. */
export interface SeatDecisions {
  /** All actions, chance outcomes included. */
  readonly actions: ArrayLike<number>;
  readonly seat: number;
  /** z - b of a decision of the seat; its decisions are counted from 0. */
  readonly advantage: (decision: number) => number;
}

/** Some of the rows of a minibatch: their gradients are computed at once. */
export interface DecisionBatch {
  readonly batch: TrainingBatch;
  /** Rows that are learned. The others fill the batch up and have no part in the gradient. */
  readonly rows: number;
  /** Whether it is the last of its minibatch. */
  readonly last: boolean;
}

/**
 * The states of a game at which a seat decides, each with the action that it took. It is one state that changes.
 */
export function* decisionsOf<S>(
  game: Game<S>,
  { actions, seat }: Pick<SeatDecisions, "actions" | "seat">,
): Generator<{ readonly state: S; readonly action: number }> {
  const state = game.initial();
  for (let ply = 0; ply < actions.length; ply++) {
    const action = actions[ply]!;
    if (game.toMove(state) === seat) yield { state, action };
    game.play(state, action);
  }
}

/**
 * Lays out the decisions of games as batches for the loss `policy`, whose mean over rows then is the loss of REINFORCE
 * (Williams 1992): with a fixed number of rows R in a batch, the target of the action taken is (z - b) R / n, n being the
 * number of games. So the sum of the batches' gradients is that of -1/n times the sum over games and decisions of
 * (z - b) log p (Silver et al. 2016, Methods, Reinforcement learning of policy networks).
 *
 * The last batch of a minibatch is filled up with copies of its first rows, whose weight is 0.
 */
export class DecisionBatches<S> {
  readonly #game: Game<S>;
  readonly #layout: BatchLayout<S>;
  readonly #rows: MoveRows<S>;
  readonly #slots: TrainingBatch[];
  #slot = 0;

  /**
   * `slots` is the number of batches that are in memory: a batch is overwritten when so many more have been laid out.
   * `layout.policy` lists legal actions, and its targets are weighted (`policyWeight`).
   */
  constructor(game: Game<S>, layout: BatchLayout<S>, slots: number) {
    this.#game = game;
    this.#layout = layout;
    this.#rows = new MoveRows(game, layout);
    this.#slots = Array.from({ length: slots }, () => this.#rows.room());
  }

  /** Size of a batch in bytes. */
  get bytes(): number {
    return bytesOfBatch(this.#slots[0]!);
  }

  /** The batches of a minibatch of games, in order; none if the seats have decided nothing. Symmetries are drawn from `random`. */
  *of(games: readonly SeatDecisions[], random: Random): Generator<DecisionBatch> {
    const { batch: size } = this.#layout;
    let filled: { readonly batch: TrainingBatch; rows: number } | undefined;
    for (const learned of games) {
      let decision = 0;
      for (const { state, action } of decisionsOf(this.#game, learned)) {
        // A batch is given when the next decision shows that it is not the last one.
        if (filled?.rows === size) {
          yield { ...filled, last: false };
          filled = undefined;
        }
        filled ??= { batch: this.#next(), rows: 0 };
        const target = (learned.advantage(decision++) * size) / games.length;
        this.#rows.write(state, action, target, random, filled.batch, filled.rows++);
      }
    }
    if (filled === undefined) return;
    for (let row = filled.rows; row < size; row++) copyRow(filled.batch, row % filled.rows, row, size);
    yield { ...filled, last: true };
  }

  /** The memory of the next batch. */
  #next(): TrainingBatch {
    const batch = this.#slots[this.#slot]!;
    this.#slot = (this.#slot + 1) % this.#slots.length;
    this.#rows.clear(batch);
    return batch;
  }
}

/** Copies a row of a batch of `rows` rows; the copy has the weight 0. */
function copyRow(batch: TrainingBatch, from: number, to: number, rows: number): void {
  for (const array of [batch.bytes, batch.floats, batch.policy!, batch.policyIndices!]) {
    const width = array.length / rows;
    array.copyWithin(to * width, from * width, (from + 1) * width);
  }
  batch.auxiliary!.policyWeight![to] = 0;
}
