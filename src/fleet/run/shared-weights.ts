import * as Effect from "effect/Effect";
import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import { type GameTask, weightsNamed } from "../../operators/play/game-task.ts";
import type { PublishedWeights } from "../../operators/run/weights/net-weights.ts";
import type { NetVersion, WeightsOf } from "../../operators/run/weights/weights-board.ts";
import { bitsKey } from "../wire/hello.ts";
import { KeptPromises } from "../kept-promises.ts";
import { netBits } from "../net-bits.ts";
import { sha256 } from "../../formats/sha256.ts";
import type { FleetWeights } from "../wire/task-message.ts";
import { weightsBytes } from "../wire/weights-bytes.ts";
import type { WeightsStore } from "../weights-store.ts";

/** Milliseconds for which weights that were put there again are left alone. */
const SETTLED_MS = 5000;

/** The weights of a run as joiners get them: each version is put to the server once, when a game first names it. */
export class SharedWeights {
  readonly #opened: OpenExperiment;
  readonly #store: WeightsStore;
  readonly #weightsOf: WeightsOf;
  readonly #named = new KeptPromises<FleetWeights>();
  readonly #bits = new KeptPromises<string>();
  /** By SHA-256: weights that are being put there again, or were a moment ago. */
  readonly #again = new KeptPromises<void>();

  constructor(opened: OpenExperiment, store: WeightsStore, weightsOf: WeightsOf) {
    this.#opened = opened;
    this.#store = store;
    this.#weightsOf = weightsOf;
  }

  /** A version of weights, once it is on the server. Rejects if it cannot be put there; the next call tries again. */
  named(version: NetVersion): Promise<FleetWeights> {
    return this.#named.get(`${version.net} ${version.version}`, () => this.#put(version));
  }

  /** All versions that a game needs, once they are on the server. */
  forTask(task: GameTask): Promise<FleetWeights[]> {
    return Promise.all(weightsNamed(this.#opened, task).map((version) => this.named(version)));
  }

  /**
   * Puts weights there once more, which are gone or damaged. Many joiners may ask at once: it is done once for all of them,
   * since each time takes the pieces away that others are reading.
   */
  putAgain(named: FleetWeights): Promise<void> {
    const { sha256: hash } = named;
    return this.#again.get(hash, async () => {
      await this.#putAgain(named);
      setTimeout(() => void this.#again.drop(hash), SETTLED_MS).unref();
    });
  }

  async #putAgain({ net, sha256: hash, version }: FleetWeights): Promise<void> {
    const bytes = weightsBytes(this.#opened, net, await this.#weights({ net, version }));
    if (sha256(bytes) === hash) await this.#store.putAgain(hash, bytes);
  }

  /** What this machine computes with weights: see `netBits`. */
  bits(named: FleetWeights): Promise<string> {
    return this.#bits.get(bitsKey(named), async () => {
      const weights = await this.#weights(named);
      if (weights.kind !== "network") throw new Error(`"${named.net}" is not computed`);
      return netBits(this.#opened, named.net, weights.tensors);
    });
  }

  /** Removes a version from the server: no game is played with it any more. */
  drop({ net, version }: NetVersion): void {
    this.#named.drop(`${net} ${version}`)?.then(
      ({ sha256: hash }) => void this.#store.remove(hash),
      () => undefined,
    );
  }

  /** Removes all versions from the server. */
  async close(): Promise<void> {
    const named = await Promise.allSettled(this.#named.dropAll());
    await Promise.all(
      named.map(async (each) => {
        if (each.status === "fulfilled") await this.#store.remove(each.value.sha256);
      }),
    );
  }

  async #put({ net, version }: NetVersion): Promise<FleetWeights> {
    const bytes = weightsBytes(this.#opened, net, await this.#weights({ net, version }));
    const hash = sha256(bytes);
    await this.#store.put(hash, bytes);
    return { net, version, sha256: hash };
  }

  #weights({ net, version }: NetVersion): Promise<PublishedWeights> {
    return Effect.runPromise(this.#weightsOf(net, version));
  }
}
