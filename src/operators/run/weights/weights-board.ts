import * as Effect from "effect/Effect";
import * as Latch from "effect/Latch";
import type { SharedTables } from "../../../models/tables.ts";
import type { WeightsVersion } from "../items.ts";
import { LearningEnds } from "../learning-ends.ts";
import { CheckpointUnusable, type RunError, RunFailed } from "../run-error.ts";
import type { PublishedWeights } from "./net-weights.ts";
import type { MeasuringRound } from "./rounds-under-way.ts";
import type { NeedsVersion, VersionStore } from "./version-store.ts";

/** A version of a net's weights. */
export interface NetVersion {
  readonly net: string;
  readonly version: number;
}

/** Gives back a version of a net's weights. Fails if it is not held any more. */
export type WeightsOf = (net: string, version: number) => Effect.Effect<PublishedWeights, RunError>;

/** Where published weights are put to use: see `PlayHost`. */
export interface WeightsUser {
  readonly load: (net: string, version: number, weights: PublishedWeights) => Effect.Effect<void, RunError>;
  readonly drop: (net: string, version: number) => void;
}

/** A stage that plays with the versions of some nets, one after another. */
export interface VersionReader {
  /** Says that the stage plays with no version before this one any more; Infinity at its end. */
  needs(oldest: number): void;
}

/** The part of a store of versions that the board uses. */
export type EarlierVersions = Pick<
  VersionStore,
  "keep" | "put" | "write" | "copy" | "has" | "read" | "saved" | "rounds"
>;

/** A version that is the newest, or that games are or may be played with. */
interface HeldVersion {
  /** Absent if it is only on disk. */
  weights: PublishedWeights | undefined;
  /** Number of games under way that are played with it, and of rounds that are not over. */
  games: number;
  /** Whether its tables are a copy, which only games of this version read. */
  copied?: true;
}

/**
 * The weights of every net, by name and version. Learners publish them, and stages that play use them: the newest version,
 * and earlier ones that they have asked to keep.
 *
 * The board leads from the end of the graph back to its beginning, so that the streams have no cycle. In memory it holds
 * the newest version of each net, those that its readers have not passed, and those that games under way are played with.
 * Versions that a stage has asked to be kept are also on disk, from before their publication.
 */
export class WeightsBoard {
  /** Whether learning ends before all games are played. */
  readonly ends = new LearningEnds();
  readonly #versions = new Map<string, number>();
  readonly #final = new Set<string>();
  /** By net: for each stage that plays by its versions, the oldest version that it needs, and how far learning may be ahead. */
  readonly #readers = new Map<string, { oldest: number; readonly ahead: number }[]>();
  readonly #held = new Map<string, Map<number, HeldVersion>>();
  /** By net: the version that the run would continue from after a kill. */
  readonly #saved = new Map<string, { readonly version: number; readonly partial: boolean }>();
  /** By net on tables: copies of versions that no game uses any more. Tables are large, so their memory is used again. */
  readonly #spare = new Map<string, SharedTables[]>();
  #changed = new Set<Latch.Latch>();
  readonly #user: WeightsUser;
  readonly #store: EarlierVersions;

  /** A board without weights; `store` keeps the earlier versions. */
  constructor(user: WeightsUser, store: EarlierVersions) {
    this.#user = user;
    this.#store = store;
  }

  /** Says which versions of a net a stage needs in addition to the newest. To be called when the stage is built. */
  keep(net: string, needed: NeedsVersion): void {
    this.#store.keep(net, needed);
  }

  /**
   * Prepares a checkpoint from which the run would continue with this version: notes the rounds of measuring that it leaves
   * behind, and writes the versions that they are played with. Throws FileNotWritten.
   */
  saving(net: string, version: number): void {
    for (const round of this.#store.rounds.behind(net, version)) {
      const held = this.#held.get(net)?.get(round.version)?.weights;
      if (held !== undefined && !this.#store.has(net, round.version))
        this.#store.write(net, round.version, held);
    }
    this.#store.rounds.save(net, version);
  }

  /**
   * Says that after a kill the run would continue from this version: earlier ones that are not needed then are removed. Within
   * a `partial` version, the version before it continues to play.
   */
  saved(net: string, version: number, partial = false): void {
    this.#saved.set(net, { version, partial });
    this.#store.rounds.save(net, version);
    const held = this.#held.get(net);
    const isUsed = (each: number) => (held?.get(each)?.games ?? 0) > 0 || this.#store.rounds.need(net, each);
    // A round that is not over may also play earlier selves.
    const oldest = Math.min(partial ? version - 1 : version, this.#store.rounds.oldest(net));
    const removed = this.#store.saved(net, oldest, isUsed);
    for (const each of removed) if (held?.has(each) !== true) this.#user.drop(net, each);
  }

  /**
   * Puts new weights to use; from then on `version` counts as reached. No weights follow the `final` ones. Waits for
   * readers that are too far behind; if one net learns from the games of another, nothing else would wait for them.
   * Weights in the `partial` state of an interruption are not those of the version: they are not kept, and if the
   * version itself is on disk it is played with in their place.
   */
  publish(
    net: string,
    version: number,
    weights: PublishedWeights,
    state: WeightsVersion["state"] = "whole",
  ): Effect.Effect<void, RunError> {
    return Effect.gen({ self: this }, function* () {
      yield* this.readersFollow(net, version);
      let played = weights;
      if (state !== "partial") this.#store.put(net, version, weights);
      else if (weights.kind === "network" && this.#store.has(net, version))
        played = yield* this.#read(net, version);
      yield* this.#user.load(net, version, played);
      const versions = this.#versionsOf(net);
      // A learner continues to change its tables: only a copy on disk still has those of an earlier version.
      for (const held of versions.values())
        if (held.weights?.kind === "tables" && played.kind === "tables")
          if (held.weights.tables === played.tables) held.weights = undefined;
      versions.set(version, { weights: played, games: versions.get(version)?.games ?? 0 });
      this.#versions.set(net, version);
      if (state === "final") this.#final.add(net);
      this.#dropOld(net);
      this.#wake();
    });
  }

  /** Waits until no reader is too far behind for a version to be published. */
  readersFollow(net: string, version: number): Effect.Effect<void> {
    // The first version is where a run begins or continues: no reader is behind it.
    return this.#until(
      () =>
        this.version(net) < 0 ||
        (this.#readers.get(net) ?? []).every(({ oldest, ahead }) => version <= oldest + ahead),
    );
  }

  /**
   * Adds a stage that plays by the versions of these nets, one after another. Learning may be `ahead` versions further than
   * the oldest version that the stage needs; these versions survive a kill.
   */
  reader(nets: readonly string[], ahead = 0): VersionReader {
    const reader = { oldest: 0, ahead };
    for (const net of nets) {
      this.#readers.set(net, [...(this.#readers.get(net) ?? []), reader]);
      // A run that continues from a version has saved it in a checkpoint.
      if (ahead > 0) this.keep(net, (version, from) => version >= from - ahead);
    }
    return {
      needs: (oldest) => {
        reader.oldest = oldest;
        for (const net of nets) this.#dropOld(net);
        this.#wake();
      },
    };
  }

  /** The newest version, or -1 before the first. */
  version(net: string): number {
    return this.#versions.get(net) ?? -1;
  }

  /** `version`, or the final version if that is smaller: no version follows the final one. */
  atMostFinal(net: string, version: number): number {
    return this.#final.has(net) ? Math.min(version, this.version(net)) : version;
  }

  /** Whether a version can be played with now. */
  has(net: string, version: number): boolean {
    return this.#held.get(net)?.has(version) === true || this.#store.has(net, version);
  }

  /** A version of a net's weights. */
  readonly weightsOf: WeightsOf = (net, version) =>
    Effect.suspend((): Effect.Effect<PublishedWeights, RunError> => {
      const held = this.#held.get(net)?.get(version);
      if (held?.weights !== undefined) return Effect.succeed(held.weights);
      if (!this.#store.has(net, version)) return Effect.fail(this.#gone(net, version));
      return Effect.tap(this.#read(net, version), (weights) =>
        Effect.sync(() => {
          // Games that share the version share its memory.
          if (held !== undefined) held.weights = weights;
        }),
      );
    });

  /**
   * Holds weights for a game; the result releases them. To be run in the same step as the choice of versions: versions
   * that no game holds may be removed at any time.
   */
  hold(all: readonly NetVersion[]): Effect.Effect<() => void, RunError> {
    return Effect.suspend(() => {
      const gone = all.find(({ net, version }) => !this.has(net, version));
      if (gone !== undefined) return Effect.fail(this.#gone(gone.net, gone.version));
      for (const { net, version } of all) {
        const versions = this.#versionsOf(net);
        const held = versions.get(version) ?? { weights: undefined, games: 0 };
        versions.set(version, held);
        held.games++;
      }
      return Effect.succeed(() => {
        for (const { net, version } of all) {
          this.#versionsOf(net).get(version)!.games--;
          this.#dropOld(net);
        }
      });
    });
  }

  /**
   * Begins a round of measuring with a version of a net. Its weights stay as they are while learning continues, and after a
   * kill, until the function that it gives back is called: then the round is over. `sync` makes what was recorded of the
   * round survive a power cut.
   */
  beginRound(net: string, round: MeasuringRound, sync: () => void): Effect.Effect<() => void, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { version } = round;
      this.#store.rounds.add(net, round);
      const release = yield* this.hold([{ net, version }]);
      const held = this.#versionsOf(net).get(version)!;
      // A learner changes its tables in place.
      if (held.weights?.kind === "tables" && held.copied === undefined && !this.#final.has(net)) {
        const tables = this.#store.copy(net, held.weights.tables, this.#spare.get(net)?.pop());
        held.weights = { kind: "tables", tables };
        held.copied = true;
      }
      return () => {
        this.#store.rounds.remove(net, round);
        release();
        const saved = this.#saved.get(net);
        if (saved === undefined || round.version >= saved.version) return;
        sync();
        this.saved(net, saved.version, saved.partial);
      };
    });
  }

  /**
   * The rounds of a stage that an earlier part of the run has left behind, before the version `from` with which the run
   * continues: they are to be played first. The run comes to the others again.
   */
  roundsLeft(net: string, stage: string, from: number): readonly MeasuringRound[] {
    const { rounds } = this.#store;
    const left = rounds.behind(net, Infinity).filter((round) => round.stage === stage);
    for (const round of left) if (round.version >= from) rounds.remove(net, round);
    return left.filter(({ version }) => version < from);
  }

  /** Waits until all these nets have reached the version, or have their final weights. */
  reached(nets: readonly string[], version: number): Effect.Effect<void> {
    return this.#until(() => nets.every((net) => this.version(net) >= this.atMostFinal(net, version)));
  }

  /** Waits until all these nets have their final weights. */
  settled(nets: readonly string[]): Effect.Effect<void> {
    return this.#until(() => nets.every((net) => this.#final.has(net)));
  }

  #read(net: string, version: number): Effect.Effect<PublishedWeights, CheckpointUnusable> {
    return Effect.try({
      try: () => this.#store.read(net, version),
      catch: (error) => {
        if (error instanceof CheckpointUnusable) return error;
        throw error;
      },
    });
  }

  #gone(net: string, version: number): RunFailed {
    const newest = this.version(net);
    const reason = `version ${version} of its weights is not held any more (the newest is ${newest})`;
    return new RunFailed({ stage: net, reason });
  }

  #versionsOf(net: string): Map<number, HeldVersion> {
    const versions = this.#held.get(net) ?? new Map<number, HeldVersion>();
    this.#held.set(net, versions);
    return versions;
  }

  #oldestNeeded(net: string): number {
    return Math.min(Infinity, ...(this.#readers.get(net) ?? []).map(({ oldest }) => oldest));
  }

  /** Frees the memory of versions that no game uses any more. */
  #dropOld(net: string): void {
    const newest = this.version(net);
    const oldest = this.#oldestNeeded(net);
    for (const [version, { copied, games, weights }] of this.#held.get(net) ?? []) {
      if (games > 0 || version >= newest || version >= oldest) continue;
      this.#held.get(net)!.delete(version);
      if (copied && weights?.kind === "tables")
        this.#spare.set(net, [...(this.#spare.get(net) ?? []), weights.tables]);
      // A version on disk may be wanted again: the host itself finds room for those, until they are removed.
      if (!this.#store.has(net, version)) this.#user.drop(net, version);
    }
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
