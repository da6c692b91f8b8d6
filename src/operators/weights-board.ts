import * as Effect from "effect/Effect";
import * as Latch from "effect/Latch";
import type { RunError } from "./run-error.ts";
import type { SharedTables } from "../models/tables.ts";

/** The weights of a net as the players need them. */
export type PublishedWeights =
  | { readonly kind: "tables"; readonly tables: SharedTables }
  | { readonly kind: "network"; readonly tensors: ReadonlyMap<string, Float32Array> };

/**
 * The current weights of every net, by name: what a learner writes and self-play follows.
 *
 * This is the way back from the end of the graph to its beginning, so that the streams themselves need no cycle.
 */
export class WeightsBoard {
  readonly #versions = new Map<string, number>();
  readonly #final = new Set<string>();
  #changed = new Set<Latch.Latch>();
  readonly #deliver: (net: string, weights: PublishedWeights) => Effect.Effect<void, RunError>;

  /** `deliver` brings new weights to whatever computes the net, and ends when they are in use. */
  constructor(deliver: (net: string, weights: PublishedWeights) => Effect.Effect<void, RunError>) {
    this.#deliver = deliver;
  }

  /** Puts new weights to use; from then on `version` counts as reached. After the `final` ones no others come. */
  publish(
    net: string,
    version: number,
    weights: PublishedWeights,
    final = false,
  ): Effect.Effect<void, RunError> {
    return Effect.andThen(
      this.#deliver(net, weights),
      Effect.sync(() => {
        this.#versions.set(net, version);
        if (final) this.#final.add(net);
        // Those who have to wait longer come back at once, into a new set.
        const waiting = this.#changed;
        this.#changed = new Set();
        for (const latch of waiting) latch.openUnsafe();
      }),
    );
  }

  /** The version in use, or -1 before the first. */
  version(net: string): number {
    return this.#versions.get(net) ?? -1;
  }

  /** Waits until all these nets have reached the version. */
  reached(nets: readonly string[], version: number): Effect.Effect<void> {
    return this.#until(() => nets.every((net) => this.version(net) >= version));
  }

  /** Waits until all these nets have their final weights. */
  settled(nets: readonly string[]): Effect.Effect<void> {
    return this.#until(() => nets.every((net) => this.#final.has(net)));
  }

  #until(condition: () => boolean): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (condition()) return Effect.void;
      const latch = Latch.makeUnsafe(false);
      this.#changed.add(latch);
      return Effect.andThen(latch.await, this.#until(condition));
    });
  }
}
