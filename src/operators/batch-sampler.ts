import type { Game, Planes } from "../games/game.ts";
import type { Random } from "../random.ts";
import type { TrainingBatch } from "../models/training.ts";
import { ExampleCodec } from "./examples.ts";
import type { ReplayReady } from "./items.ts";
import { NetRows } from "./net-rows.ts";

/** Draws minibatches from a replay buffer and lays them out for a net. */
export class BatchSampler<S> {
  readonly #game: Game<S>;
  readonly #options: { readonly batch: number; readonly policy: boolean; readonly symmetries: boolean };
  readonly #codec: ExampleCodec<S>;
  readonly #rows: NetRows<S>;
  readonly #state: S;
  readonly #turned: S;
  readonly #values: Float32Array;
  readonly #valuesTurned: Float32Array;
  readonly #batches: TrainingBatch[] = [];

  constructor(
    game: Game<S>,
    options: {
      readonly planes: Planes<S>;
      readonly batch: number;
      readonly policy: boolean;
      readonly symmetries: boolean;
    },
  ) {
    this.#game = game;
    this.#options = options;
    this.#codec = new ExampleCodec(game);
    this.#rows = new NetRows(game, options.planes);
    this.#state = game.initial();
    this.#turned = game.initial();
    this.#values = new Float32Array(game.players);
    this.#valuesTurned = new Float32Array(game.players);
  }

  /**
   * Fills batch number `slot` with positions drawn uniformly with replacement, and returns it. Its memory is shared
   * between threads and used again by the next draw into the same slot.
   */
  draw(replay: ReplayReady, random: Random, slot: number): TrainingBatch {
    const batch = (this.#batches[slot] ??= this.#room());
    const { symmetry, players, actions } = this.#game;
    batch.policy?.fill(0);
    for (let row = 0; row < this.#options.batch; row++) {
      const bytes = replay.at(random.below(replay.size));
      const turn = this.#options.symmetries && symmetry !== undefined ? random.below(symmetry.count) : 0;
      const { policy } = batch;
      this.#codec.decode(bytes, this.#state, this.#values, (action, weight) => {
        if (policy !== undefined)
          policy[row * actions + (turn === 0 ? action : symmetry!.action(action, turn))] = weight;
      });
      if (turn === 0) {
        this.#rows.writeFeatures(this.#state, batch.x, row);
        this.#rows.writeValues(this.#state, this.#values, batch.value, row);
        continue;
      }
      symmetry!.transform(this.#state, turn, this.#turned);
      for (let seat = 0; seat < players; seat++)
        this.#valuesTurned[symmetry!.seat(seat, turn)] = this.#values[seat]!;
      this.#rows.writeFeatures(this.#turned, batch.x, row);
      this.#rows.writeValues(this.#turned, this.#valuesTurned, batch.value, row);
    }
    return batch;
  }

  #room(): TrainingBatch {
    const floats = (perRow: number) =>
      new Float32Array(new SharedArrayBuffer(4 * this.#options.batch * perRow));
    const x = floats(this.#rows.features);
    const value = floats(this.#game.players);
    return this.#options.policy ? { x, value, policy: floats(this.#game.actions) } : { x, value };
  }
}
