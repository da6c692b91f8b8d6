import { openEngine } from "../../../compute/open-engine.ts";
import type { Game } from "../../../games/game.ts";
import { PlanePacker } from "../../../games/packed-planes.ts";
import { seatInTurnOrder } from "../../../games/turn-order.ts";
import { allFinite } from "../../../games/all-finite.ts";
import { NO_INDEX } from "../../../models/nets/gather-logits.ts";
import { gatherWidth } from "../../../models/nets/gather-width.ts";
import type { Inference } from "../../../models/net.ts";
import type { OpenNetwork } from "../../../models/registry.ts";
import { calledNet, networkOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import { openPlayingNet } from "./calibration.ts";
import { unsoundResponse } from "./unsound-response.ts";

/** Number of positions in a batch. */
const BATCH = 128;

/**
 * Values of positions by the value head of a net with fixed weights, computed on the calling thread. For stages that value
 * positions of finished games; players of games under way send their requests to the batching evaluator.
 */
export class PositionValues<S> {
  readonly #game: Game<S>;
  readonly #network: OpenNetwork;
  readonly #called: string;
  readonly #inference: Inference;
  /** Copies of the positions of a batch, for messages. */
  readonly #states: S[] = [];
  readonly #packer: PlanePacker<S>;
  readonly #bytes: Uint8Array;
  readonly #floats: Float32Array;
  readonly #gather: Int32Array;
  readonly #width: number;

  private constructor(
    game: Game<S>,
    network: OpenNetwork,
    called: string,
    inference: Inference,
    packer: PlanePacker<S>,
    width: number,
  ) {
    this.#game = game;
    this.#network = network;
    this.#called = called;
    this.#inference = inference;
    this.#packer = packer;
    this.#bytes = new Uint8Array(BATCH * packer.bytes);
    this.#floats = new Float32Array(BATCH * packer.floats);
    // No prior is asked for: the rows of indices are empty.
    this.#width = width;
    this.#gather = new Int32Array(BATCH * width).fill(NO_INDEX);
  }

  /** Opens a net with these weights. `dispose` frees it. */
  static async open(
    opened: OpenExperiment,
    name: string,
    weights: ReadonlyMap<string, Float32Array>,
  ): Promise<PositionValues<unknown>> {
    const network = networkOf(opened, name);
    const { net, planes } = network;
    const engine = await openEngine(opened.experiment.compute);
    const inference = await openPlayingNet(engine, opened, name, weights);
    const width = net.maxLegal === undefined ? 0 : gatherWidth(0, net.maxLegal);
    const packer = new PlanePacker(planes);
    return new PositionValues(opened.game, network, calledNet(opened, name), inference, packer, width);
  }

  /**
   * The values of positions, row-major [positions, seats] by seat, in units of the net's `values`. Each position is read
   * before the next one is asked for, so all of them may be one state that changes. Throws NumberUnsound if a value is NaN
   * or infinite.
   */
  async of(positions: Iterable<S>): Promise<number[]> {
    const { players } = this.#game;
    const values: number[] = [];
    /** For each value of the batch, its seat. */
    const seats = new Int32Array(BATCH * players);
    let rows = 0;
    for (const state of positions) {
      this.#packer.write(state, { bytes: this.#bytes, floats: this.#floats }, rows);
      this.#game.copy(state, (this.#states[rows] ??= this.#game.initial()));
      for (let turn = 0; turn < players; turn++)
        seats[rows * players + turn] = seatInTurnOrder(this.#game, state, turn);
      if (++rows < BATCH) continue;
      await this.#compute(rows, seats, values);
      rows = 0;
    }
    if (rows > 0) await this.#compute(rows, seats, values);
    return values;
  }

  dispose(): Promise<void> {
    return this.#inference.dispose();
  }

  /** Computes a batch and appends its values. */
  async #compute(rows: number, seats: Int32Array, values: number[]): Promise<void> {
    const { players } = this.#game;
    const value = new Float32Array(rows * players);
    const batch = { bytes: this.#bytes, floats: this.#floats, gather: this.#gather, width: this.#width };
    await this.#inference.run(batch, rows, { value, prior: new Float32Array(rows * this.#width) });
    if (!allFinite(value, 0, rows * players)) {
      const row = Math.floor(value.findIndex((each) => !Number.isFinite(each)) / players);
      const response = value.subarray(row * players, (row + 1) * players);
      throw unsoundResponse(this.#game, this.#network, this.#called, this.#states[row]!, response);
    }
    const first = values.length;
    for (let i = 0; i < rows * players; i++) values[first + i - (i % players) + seats[i]!] = value[i]!;
  }
}
