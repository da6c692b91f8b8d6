import type { SeatFailure } from "../../search/episode.ts";
import type { ExamplesConfig } from "../replay/examples.ts";
import type { GameFigures } from "./game-figures.ts";
import type { AnalysisConfig } from "./analysed-search.ts";
import type { SharedTables } from "../../models/tables.ts";

/** One game to be played: all that a worker must know besides the experiment. */
export interface GameTask {
  /** The stage that wants it. */
  readonly stage: string;
  /** Names the game's random streams, under the experiment's seed; equal names give equal draws. */
  readonly name: readonly (string | number)[];
  /** Names the draws of chance where games share them; absent where they are the game's own. */
  readonly chance?: readonly (string | number)[];
  /** The game's number in the stage's records. */
  readonly index: number;
  readonly generation: number;
  /** The agent of each seat. */
  readonly seats: readonly string[];
  /** Ends the game after so many plies, for openings; absent where it is played to its end. */
  readonly plies?: number;
  /** Its first decisions, where they are not the players' own. */
  readonly opening?: GivenOpening;
  /** What to learn from the game; absent where nothing is. */
  readonly examples?: ExamplesConfig;
  /** The agent that learns from the game, where another one sits in its seats: what it plays for is what counts. */
  readonly learner?: string;
  /** What is kept of its players' thoughts; absent where nothing is. */
  readonly analyse?: AnalysisConfig;
}

/** The first decisions of a game: moves drawn from a stream of this name, or these actions. */
export type GivenOpening =
  | { readonly plies: number; readonly name: readonly (string | number)[] }
  | { readonly actions: readonly number[] };

/** A finished game as a worker hands it over. */
export interface GameReport extends GameFigures {
  /** The encoded record: see `formats/game-records.ts`. */
  readonly record: Uint8Array;
  /** The encoded examples: see `examples.ts`; empty where none were wanted. */
  readonly samples: Uint8Array;
  readonly returns: readonly number[];
  /** Length in plies, chance plies included. */
  readonly plies: number;
  readonly facts: Readonly<Record<string, number>>;
  /** The value that the mover's agent gave its first position. */
  readonly startValue: number;
  /** Positions that its players' searches asked nets about. */
  readonly evaluations: number;
  /**
   * Processor seconds of the thread while the game was played; absent where its players ask nets that are computed
   * elsewhere (games then take turns), and where the runtime does not tell a thread's time (Node before 23.9).
   */
  readonly seconds?: number;
  /**
   * Questions of this and other games of its thread, since the last report from there, that were answered from a cache;
   * absent where there is none. Summed up over games it is right.
   */
  readonly cacheHits?: number;
  /** The encoded analysis: see `formats/game-analyses.ts`; absent where none was wanted. */
  readonly analysis?: Uint8Array;
  /** Who could not go on, and why: the game was broken off. */
  readonly failure?: SeatFailure;
}

/** What the pool tells a game worker. */
export type ToGameWorker =
  | { readonly type: "play"; readonly ticket: number; readonly task: GameTask }
  | { readonly type: "tables"; readonly net: string; readonly tables: SharedTables };

/** What a game worker answers. */
export interface FromGameWorker {
  readonly ticket: number;
  readonly report: GameReport;
}
