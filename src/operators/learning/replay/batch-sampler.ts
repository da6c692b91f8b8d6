import type { Game, Score, Symmetry } from "../../../games/game.ts";
import { PlanePacker } from "../../../games/packed-planes.ts";
import { scoreOf } from "../../../games/score.ts";
import { seatInTurnOrder } from "../../../games/turn-order.ts";
import { NO_INDEX } from "../../../models/nets/gather-logits.ts";
import type { TrainingBatch } from "../../../models/nets/training.ts";
import type { Random } from "../../../random.ts";
import { type BatchLayout, batchRoom, bytesOfBatch } from "../../play/examples/batch-layout.ts";
import {
  type ExampleReader,
  newPolicyTarget,
  type PolicyTarget,
} from "../../play/examples/example-reader.ts";
import { exampleReader } from "../../play/examples/examples.ts";
import type { ExampleLayout } from "../../run/items.ts";
import type { ReplayReady } from "../../run/items.ts";
import { NetRows } from "../../play/evaluation/net-rows.ts";

/** Draws minibatches from a replay buffer and lays them out for a net. */
export class BatchSampler<S> {
  readonly #game: Game<S>;
  readonly #layout: BatchLayout<S>;
  readonly #readers = new Map<ExampleLayout, ExampleReader<S>>();
  readonly #rows: NetRows<S>;
  readonly #packer: PlanePacker<S>;
  readonly #image: S;
  readonly #endImage: S;
  readonly #values: Float32Array;
  readonly #score: Score<S>;
  readonly #scores: Float64Array;
  readonly #scoresImage: Float64Array;
  readonly #turnOfSeat: Int32Array;
  readonly #legal: PolicyTarget;
  /** The place of each legal action in the list of them. */
  readonly #entryOf: Int32Array;
  readonly #owners: Int8Array;
  readonly #batches: TrainingBatch[] = [];

  /** `game` is the game with its own returns, whichever kind of value the net predicts. */
  constructor(game: Game<S>, layout: BatchLayout<S>) {
    this.#game = game;
    this.#layout = layout;
    this.#rows = new NetRows(game);
    this.#packer = new PlanePacker(layout.planes);
    this.#image = game.initial();
    this.#endImage = game.initial();
    this.#values = new Float32Array(game.players);
    this.#score = scoreOf(game);
    this.#scores = new Float64Array(game.players);
    this.#scoresImage = new Float64Array(game.players);
    this.#turnOfSeat = new Int32Array(game.players);
    this.#legal = newPolicyTarget(game.maxLegal);
    this.#entryOf = new Int32Array(game.actions);
    const [height, width] = layout.planes.shape;
    this.#owners = new Int8Array(height * width);
  }

  /**
   * Fills batch `slot` with positions drawn uniformly with replacement, and returns it. Its memory is shared between threads;
   * the next draw into the same slot overwrites it.
   */
  draw(replay: ReplayReady, random: Random, slot: number): TrainingBatch {
    const batch = (this.#batches[slot] ??= this.#room());
    const { symmetry: symmetries } = this.#game;
    const reader = this.#reader(replay.layout);
    batch.policy?.fill(0);
    batch.policyIndices?.fill(NO_INDEX);
    for (const [name, array] of Object.entries(batch.auxiliary ?? {}))
      array.fill(name === "replyIndices" ? NO_INDEX : 0);
    for (let row = 0; row < this.#layout.batch; row++) {
      const { bytes, number } = replay.at(random.below(replay.size));
      const symmetry =
        this.#layout.symmetries && symmetries !== undefined ? random.below(symmetries.count) : 0;
      reader.read(bytes, number);
      this.#write(reader, symmetry === 0 ? undefined : symmetries, symmetry, batch, row);
    }
    const weights = batch.auxiliary?.rowWeight;
    if (weights !== undefined) divideByMean(weights);
    return batch;
  }

  /** Size of a batch in bytes. */
  get bytes(): number {
    return bytesOfBatch((this.#batches[0] ??= this.#room()));
  }

  #reader(layout: ExampleLayout): ExampleReader<S> {
    let reader = this.#readers.get(layout);
    if (reader === undefined) {
      const wants = (...names: string[]) => this.#layout.auxiliary.some(({ name }) => names.includes(name));
      reader = exampleReader(this.#game, layout, { reply: wants("reply"), end: wants("score", "ownership") });
      this.#readers.set(layout, reader);
    }
    return reader;
  }

  /** Writes an example, or its image under a symmetry, as row `row`. */
  #write(
    reader: ExampleReader<S>,
    symmetries: Symmetry<S> | undefined,
    symmetry: number,
    batch: TrainingBatch,
    row: number,
  ): void {
    const state = symmetries === undefined ? reader.state : this.#image;
    symmetries?.transform(reader.state, symmetry, state);
    this.#packer.write(state, batch, row);
    this.#rows.writeValues(
      state,
      this.#seats(symmetries, symmetry, reader.values, this.#values),
      batch.value,
      row,
    );
    const logitOf = (action: number) => {
      const image = symmetries?.action(action, symmetry) ?? action;
      return this.#layout.policy!.logitOf?.[image] ?? image;
    };
    if (batch.policy !== undefined) {
      const { state: position, policy } = reader;
      const target = this.#layout.policy!.legalOnly ? this.#amongLegal(position, policy) : policy;
      this.#writePolicy(target, logitOf, batch.policyIndices!, batch.policy, row);
    }
    const { policyWeight, reply, replyIndices, rowWeight, score, ownership } = batch.auxiliary ?? {};
    if (rowWeight !== undefined) rowWeight[row] = reader.weight;
    if (policyWeight !== undefined) policyWeight[row] = reader.policyWeight;
    if (reply !== undefined) this.#writePolicy(reader.reply, logitOf, replyIndices!, reply, row);
    if (score !== undefined) {
      this.#score.write(reader.end, this.#scores);
      const scores = this.#seats(symmetries, symmetry, this.#scores, this.#scoresImage);
      this.#rows.writeValues(state, scores, score, row);
    }
    if (ownership !== undefined)
      this.#writeOwners(reader.end, symmetries, symmetry, state, ownership, row * this.#owners.length);
  }

  /** Moves numbers by seat to the images of the seats under a symmetry. */
  #seats<A extends Float32Array | Float64Array>(
    symmetries: Symmetry<S> | undefined,
    symmetry: number,
    bySeat: A,
    image: A,
  ): A {
    if (symmetries === undefined) return bySeat;
    for (let seat = 0; seat < bySeat.length; seat++) image[symmetries.seat(seat, symmetry)] = bySeat[seat]!;
    return image;
  }

  /** The target with an entry for each legal action. */
  #amongLegal(state: S, target: PolicyTarget): PolicyTarget {
    const { actions, weights } = this.#legal;
    const count = this.#game.toMove(state) < 0 ? 0 : this.#game.legal(state, actions);
    weights.fill(0, 0, count);
    for (let i = 0; i < count; i++) this.#entryOf[actions[i]!] = i;
    for (let i = 0; i < target.count; i++) weights[this.#entryOf[target.actions[i]!]!] = target.weights[i]!;
    this.#legal.count = count;
    return this.#legal;
  }

  #writePolicy(
    target: PolicyTarget,
    logitOf: (action: number) => number,
    indices: Int32Array,
    weights: Float32Array,
    row: number,
  ): void {
    const first = row * this.#game.maxLegal;
    for (let i = 0; i < target.count; i++) {
      indices[first + i] = logitOf(target.actions[i]!);
      weights[first + i] = target.weights[i]!;
    }
  }

  /** Writes the owner of each cell of the last position: counted from 1 in turn order from the mover of `state`; 0 for none. */
  #writeOwners(
    end: S,
    symmetries: Symmetry<S> | undefined,
    symmetry: number,
    state: S,
    out: Uint8Array,
    first: number,
  ): void {
    const game = this.#game;
    symmetries?.transform(end, symmetry, this.#endImage);
    game.nets!.ownership!(symmetries === undefined ? end : this.#endImage, this.#owners);
    const { players } = game;
    for (let turns = 0; turns < players; turns++)
      this.#turnOfSeat[seatInTurnOrder(game, state, turns)] = turns;
    for (const [cell, owner] of this.#owners.entries())
      out[first + cell] = owner < 0 ? 0 : 1 + this.#turnOfSeat[owner]!;
  }

  #room(): TrainingBatch {
    return batchRoom(this.#layout, this.#packer, this.#game);
  }
}

/** Scales weights so that their mean is 1. */
function divideByMean(weights: Float32Array): void {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  // With a share of 1, rows without surprise weigh nothing, and they can be all that is drawn.
  if (mean > 0) for (let row = 0; row < weights.length; row++) weights[row]! /= mean;
}
