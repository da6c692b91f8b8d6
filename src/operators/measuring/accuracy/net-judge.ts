import type { Device } from "../../../compute/engine.ts";
import type { Game } from "../../../games/game.ts";
import { PlanePacker } from "../../../games/packed-planes.ts";
import type { NumberUnsound } from "../../../messages/number-unsound.ts";
import type { Inference } from "../../../models/net.ts";
import type { OpenNetwork } from "../../../models/registry.ts";
import { newSlot, type Slot } from "../../../workers/slots.ts";
import { isDistribution } from "../../play/evaluation/mean-response.ts";
import { NetBatch } from "../../play/evaluation/net-batch.ts";
import { PositionRows } from "../../play/evaluation/position-rows.ts";
import { slotShape } from "../../play/evaluation/slot-shape.ts";
import { unsoundResponse } from "../../play/evaluation/unsound-response.ts";
import { rankOf } from "./judged-moves.ts";

/** Rows of a batch. */
const ROWS = 256;

/** Receives the rank and the log-likelihood of a move, in the order in which decisions were added. */
export type Judged = (rank: number, likelihood: number) => void;

/**
 * Judges moves by the policy of a net, many positions at once. With symmetries, the probability of a move is the mean over
 * all symmetric images of the position (Silver et al. 2016, Methods, Symmetries).
 */
export class NetJudge<S> {
  readonly #inference: Inference;
  readonly #batch: NetBatch;
  readonly #positions: PositionRows<S>;
  readonly #slot: Slot;
  readonly #images: number;
  readonly #legal: Int32Array;
  readonly #game: Game<S>;
  readonly #network: OpenNetwork;
  readonly #called: string;
  /** Copies of the positions of the batch, for messages. */
  readonly #states: S[] = [];
  /** For each position of the batch: the number of its legal moves, and which of them was played. */
  readonly #counts = new Int32Array(ROWS);
  readonly #played = new Int32Array(ROWS);
  #added = 0;
  readonly #probabilities: Float64Array;

  /** `called` is what messages call the net. */
  constructor(
    game: Game<S>,
    network: OpenNetwork,
    inference: Inference,
    { called, device, images }: { readonly called: string; readonly device: Device; readonly images: number },
  ) {
    this.#game = game;
    this.#network = network;
    this.#called = called;
    this.#inference = inference;
    this.#images = images;
    const shape = slotShape(game, network, Math.max(ROWS, images));
    this.#slot = newSlot(shape);
    this.#batch = new NetBatch(shape, device);
    this.#positions = new PositionRows(game, new PlanePacker(network.planes), network.net.logitOf);
    this.#legal = new Int32Array(game.maxLegal);
    this.#probabilities = new Float64Array(game.maxLegal);
  }

  /** Adds a decision and the legal move that was played. It is computed at once if it fills a batch. */
  async add(state: S, action: number, judged: Judged): Promise<void> {
    const count = this.#game.legal(state, this.#legal);
    this.#positions.listLegal(state);
    this.#game.copy(state, (this.#states[this.#added] ??= this.#game.initial()));
    this.#counts[this.#added] = count;
    this.#played[this.#added] = this.#legal.subarray(0, count).indexOf(action);
    for (let image = 0; image < this.#images; image++)
      this.#positions.write(this.#slot, this.#added * this.#images + image, state, image, count);
    this.#added++;
    if ((this.#added + 1) * this.#images > this.#slot.capacity) await this.flush(judged);
  }

  /** Computes the decisions that were added and not yet judged. Throws NumberUnsound if the net gives no probabilities. */
  async flush(judged: Judged): Promise<void> {
    if (this.#added === 0) return;
    const slot = this.#slot;
    await this.#batch.compute(this.#inference, [{ slot, first: 0, rows: this.#added * this.#images }]);
    const probabilities = this.#probabilities;
    for (let position = 0; position < this.#added; position++) {
      const count = this.#counts[position]!;
      probabilities.fill(0, 0, count);
      for (let image = 0; image < this.#images; image++) {
        const first = slot.starts[position * this.#images + image]!;
        for (let i = 0; i < count; i++) probabilities[i]! += slot.priors[first + i]! / this.#images;
      }
      let sum = 0;
      for (let i = 0; i < count; i++) sum += probabilities[i]!;
      if (!isDistribution(sum)) throw this.#unsound(position, count);
      const played = this.#played[position]!;
      judged(rankOf(probabilities, count, played), Math.log(probabilities[played]!));
    }
    this.#added = 0;
  }

  #unsound(position: number, count: number): NumberUnsound {
    const { players } = this.#game;
    const response = new Float64Array(players + count);
    response.set(this.#probabilities.subarray(0, count), players);
    return unsoundResponse(this.#game, this.#network, this.#called, this.#states[position]!, response);
  }
}
