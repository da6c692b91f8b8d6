import type * as Effect from "effect/Effect";
import type { ExampleLayout } from "../replay/examples.ts";
import type { RunError } from "./run-error.ts";

/** What flows on the edges of a graph, by the kind that ports declare. */
export interface Items {
  readonly games: PlayedGame;
  readonly replay: ReplayReady;
  readonly weights: WeightsVersion;
  readonly results: MatchRound;
  readonly openings: OpeningsReady;
}

/** The kinds of edges. */
export type ItemKind = keyof Items;

/** One finished game of a self-play source, in the order of its index when the schedule is synchronous. */
export interface PlayedGame {
  /** The stage that played it. */
  readonly source: string;
  readonly index: number;
  /** The generation that the game belongs to; it was begun with at least this version of the weights. */
  readonly generation: number;
  /** True for the last game of its generation to be emitted. */
  readonly closes: boolean;
  /** True for the last game of the run. */
  readonly last: boolean;
  /** How its examples are kept. */
  readonly layout: ExampleLayout;
  /** Its training examples as bytes; see `examples.ts`. */
  readonly samples: Uint8Array;
  /** Reads `samples` once more, from the files of the run. */
  readonly reread: () => Uint8Array;
}

/** One of a game's examples: the game's bytes, or part of them, and the example's number in these; see `exampleReader`. */
export interface PlacedExample {
  readonly bytes: Uint8Array;
  readonly number: number;
}

/** A replay buffer that has taken in a whole generation and may be drawn from until the next item is asked for. */
export interface ReplayReady {
  readonly generation: number;
  /** True when no more games will come. */
  readonly last: boolean;
  /**
   * Generations to be learned from up to this one, itself included: none while the buffer is being filled, then one more
   * with each.
   */
  readonly rounds: number;
  /** How the examples are kept. */
  readonly layout: ExampleLayout;
  /** Examples held now. */
  readonly size: number;
  /** Example `position`, 0 the oldest. */
  readonly at: (position: number) => PlacedExample;
  /**
   * Says that `reader` may have to draw from this generation once more after a kill, and from none before it: the
   * files of examples that only earlier ones needed may go.
   */
  readonly keep: (reader: string) => void;
}

/** Numbers by name that a checkpoint holds. */
export type Tensors = ReadonlyMap<string, Tensor>;

/** A named array of a checkpoint. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array | Uint32Array | Int32Array | Uint8Array;
}

/** Weights of a net at one moment of learning; they do not change until the next item is asked for. */
export interface WeightsVersion {
  /** The net's name in the experiment file. */
  readonly net: string;
  /** The number of the version, from 0 for the weights before any learning: self-play waits for it. */
  readonly version: number;
  /** The versions up to this one that something was learned for; those of a buffer being filled do not count. */
  readonly trainings: number;
  /** How much has been learned, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  /**
   * `whole`: others follow. `final`: the last of the run. `partial`: an interruption cut it short; it is saved, but not
   * measured.
   */
  readonly state: "whole" | "final" | "partial";
  /** Everything that a checkpoint must hold to go on learning, weights included. */
  readonly snapshot: Effect.Effect<Tensors, RunError>;
  /** Counters that go with the snapshot. */
  readonly progress: Readonly<Record<string, number>>;
  /** To be called once the snapshot is on disk: from then on, nothing that only earlier versions need is kept. */
  readonly saved: () => void;
}

/** The result of a match at one version of the weights. */
export interface MatchRound {
  readonly learned: number;
  readonly means: Readonly<Record<string, number>>;
}

/** The whole of a database of openings. */
export interface OpeningsReady {
  /** The stage that they come from. */
  readonly stage: string;
  /** By number: the first actions of a game. At least one. */
  readonly openings: readonly Int32Array[];
}
