import type * as Effect from "effect/Effect";
import type { StoredGame } from "../../formats/game-records.ts";
import type { RunError } from "./run-error.ts";

/** The storage layout of examples: single positions, or whole games. */
export type ExampleLayout = "positions" | "games";

/** The items on the edges of a graph, by the kind that ports declare. */
export interface Items {
  readonly games: PlayedGame;
  readonly replay: ReplayReady;
  readonly weights: WeightsVersion;
  readonly results: MatchRound;
  readonly openings: OpeningsReady;
  readonly collection: GameCollection;
}

/** The kinds of edges. */
export type ItemKind = keyof Items;

/** One finished game of a self-play source, in the order of its index when the schedule is synchronous. */
export interface PlayedGame {
  /** The stage that played it. */
  readonly source: string;
  readonly index: number;
  /** The generation of the game: it began with this version of the weights or a later one. */
  readonly generation: number;
  /** True for the last game of its generation to be emitted. */
  readonly closes: boolean;
  /** True for the last game of the run. */
  readonly last: boolean;
  /** True for a game that tests what is learned: nothing learns from its examples. */
  readonly heldOut?: true;
  /** Reads its record: the moves, the players, the returns. */
  readonly record: () => StoredGame;
  /** How its examples are kept. */
  readonly layout: ExampleLayout;
  /** Its training examples as bytes; see `examples.ts`. */
  readonly samples: Uint8Array;
  /** Reads `samples` once more, from the files of the run. */
  readonly reread: () => Uint8Array;
}

/** One example: the bytes of its game, or a part of them, and the number of the example in these; see `exampleReader`. */
export interface PlacedExample {
  readonly bytes: Uint8Array;
  readonly number: number;
}

/** A replay buffer after a whole generation. It may be drawn from until the next item is asked for. */
export interface ReplayReady {
  readonly generation: number;
  /** True when no more games will come. */
  readonly last: boolean;
  /**
   * Number of generations that are learned from, up to and including this one: 0 while the buffer is being filled, then
   * one more with each generation.
   */
  readonly rounds: number;
  /** How the examples are kept. */
  readonly layout: ExampleLayout;
  /** Examples held now. */
  readonly size: number;
  /** How many of them came since the last generation that was learned from. */
  readonly fresh: number;
  /** The mean age of the examples, in games: 0 for those of the newest game. */
  readonly age: number;
  /** Example `position`, 0 the oldest. */
  readonly at: (position: number) => PlacedExample;
  /**
   * Says that after a kill `reader` may draw again from this generation, but from no earlier one: the files of examples
   * that only earlier generations need may be deleted.
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
  /** Everything that a checkpoint must hold to continue learning, including the weights. */
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

/** A complete database of openings. */
export interface OpeningsReady {
  /** The stage that they come from. */
  readonly stage: string;
  /** By number: the first actions of a game. At least one. */
  readonly openings: readonly Int32Array[];
}

/**
 * Recorded games as moves, from files. All arrays are on shared memory, so threads read them without copies.
 *
 * The state of a game before its move t is found by playing its first t moves from its start. A stage gives one item of
 * this kind, and ends.
 */
export interface GameCollection {
  /** The stage or file that the games come from. */
  readonly source: string;
  /** Number of games. */
  readonly games: number;
  /** Number of positions before a move: the moves of all games together. */
  readonly positions: number;
  /** The actions of all games one after another, chance outcomes included. */
  readonly moves: Uint16Array;
  /** By game: the index in `moves` of its first one; then the number of all moves. games + 1 numbers. */
  readonly offsets: Uint32Array;
  /**
   * Row-major [games, players]: the return of each seat, by the file's result if the file has one, else by the rules
   * if the game is over; NaN if neither is known.
   */
  readonly returns: Float32Array;
  /** By game: the index of its part in `collectionParts`. */
  readonly parts: Uint8Array;
  /** By game: the index of its group in `groups`. */
  readonly groupOf: Uint8Array;
  /** The groups that figures distinguish: a level, a class of ratings, a file. At most 256. */
  readonly groups: readonly string[];
  /** By the number of a game that does not begin as the rules say: the text of its start, in the game's notation. */
  readonly starts: ReadonlyMap<number, string>;
}

/** What the games of a collection are for, by the numbers in `parts`. */
export const collectionParts = ["training", "validation", "test"] as const;
