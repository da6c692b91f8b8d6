import * as Effect from "effect/Effect";
import * as Latch from "effect/Latch";
import type { RunError } from "../run/run-error.ts";
import type { SharedTables } from "../../models/tables.ts";

/** The weights of a net in the form that evaluators and players load. */
export type PublishedWeights =
  | { readonly kind: "tables"; readonly tables: SharedTables }
  | { readonly kind: "network"; readonly tensors: ReadonlyMap<string, Float32Array> };

/** Loads a version of a net's weights in all evaluators and players; ends when they are in use. */
export type Deliver = (
  net: string,
  version: number,
  weights: PublishedWeights,
) => Effect.Effect<void, RunError>;

/** A stage that plays generation after generation, generation n with version n of a net's weights. */
export interface GenerationReader {
  /** Reports that the generations before this one have been played; Infinity at the end of the stage. */
  played(generations: number): void;
}

/**
 * The current weights of every net, by name. Learners publish them, and self-play uses them.
 *
 * The board leads from the end of the graph back to its beginning, so that the streams have no cycle.
 */
export class WeightsBoard {
  readonly #versions = new Map<string, number>();
  readonly #final = new Set<string>();
  /** By net: for each stage that plays by its versions, the number of generations played. */
  readonly #readers = new Map<string, { played: number }[]>();
  #changed = new Set<Latch.Latch>();
  readonly #deliver: Deliver;

  /** A board without weights. */
  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  /**
   * Puts new weights to use; from then on `version` counts as reached. No weights follow the `final` ones. Waits for stages
   * that still play by an earlier version; where one net learns from the games of another, nothing else would wait for
   * them.
   */
  publish(
    net: string,
    version: number,
    weights: PublishedWeights,
    final = false,
  ): Effect.Effect<void, RunError> {
    return this.#until(() => (this.#readers.get(net) ?? []).every(({ played }) => played >= version)).pipe(
      Effect.andThen(this.#deliver(net, version, weights)),
      Effect.andThen(
        Effect.sync(() => {
          this.#versions.set(net, version);
          if (final) this.#final.add(net);
          this.#wake();
        }),
      ),
    );
  }

  /** Adds a stage that plays by the versions of these nets. */
  reader(nets: readonly string[]): GenerationReader {
    const reader = { played: 0 };
    for (const net of nets) this.#readers.set(net, [...(this.#readers.get(net) ?? []), reader]);
    return {
      played: (generations) => {
        reader.played = generations;
        this.#wake();
      },
    };
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

  /** Lets all waiting fibers check their condition again; those that must wait longer join a new set. */
  #wake(): void {
    const waiting = this.#changed;
    this.#changed = new Set();
    for (const latch of waiting) latch.openUnsafe();
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
