import * as Effect from "effect/Effect";
import * as Latch from "effect/Latch";
import type { WeightsVersion } from "../run/items.ts";
import { CheckpointUnusable, type RunError } from "../run/run-error.ts";
import type { PublishedWeights } from "./net-weights.ts";
import type { NeedsVersion, VersionStore } from "./version-store.ts";

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
 * The weights of every net, by name and version. Learners publish them, and stages that play use them: the newest version,
 * and earlier ones that they have asked to keep.
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
  readonly #store: Pick<VersionStore, "keep" | "put" | "read" | "saved">;

  /** A board without weights; `store` keeps the earlier versions. */
  constructor(deliver: Deliver, store: Pick<VersionStore, "keep" | "put" | "read" | "saved">) {
    this.#deliver = deliver;
    this.#store = store;
  }

  /** Says which versions of a net a stage needs besides the newest. To be called when the stage is built. */
  keep(net: string, needed: NeedsVersion): void {
    this.#store.keep(net, needed);
  }

  /** A copy of a version that a stage needs. */
  earlier(net: string, version: number): Effect.Effect<PublishedWeights, CheckpointUnusable> {
    return Effect.try({
      try: () => this.#store.read(net, version),
      catch: (error) => {
        if (error instanceof CheckpointUnusable) return error;
        throw error;
      },
    });
  }

  /** Says that after a kill the run would continue from this version: earlier ones that nobody needs then are removed. */
  saved(net: string, version: number): void {
    this.#store.saved(net, version);
  }

  /**
   * Puts new weights to use; from then on `version` counts as reached. No weights follow the `final` ones. Waits for stages
   * that still play by an earlier version; where one net learns from the games of another, nothing else would wait for
   * them. Weights in the `partial` state of an interruption are not those of the version: nobody plays with them later.
   */
  publish(
    net: string,
    version: number,
    weights: PublishedWeights,
    state: WeightsVersion["state"] = "whole",
  ): Effect.Effect<void, RunError> {
    return this.#until(() => (this.#readers.get(net) ?? []).every(({ played }) => played >= version)).pipe(
      Effect.andThen(
        Effect.sync(() => {
          if (state !== "partial") this.#store.put(net, version, weights);
        }),
      ),
      Effect.andThen(this.#deliver(net, version, weights)),
      Effect.andThen(
        Effect.sync(() => {
          this.#versions.set(net, version);
          if (state === "final") this.#final.add(net);
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
