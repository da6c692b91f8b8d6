import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Experiment, OpenExperiment } from "../experiment/open-experiment.ts";
import type { FlowSource } from "../run/flow-meter.ts";
import type { RunError } from "../run/run-error.ts";
import type { SharedCounts } from "../run/shared-counts.ts";
import type { PublishedWeights } from "../run/weights/net-weights.ts";
import type { WeightsOf } from "../run/weights/weights-board.ts";
import type { GameReport, GameTask } from "./game-task.ts";

/** How many games keep a play host busy. */
export interface GamesUnderWay {
  /** Games under way per worker thread. */
  readonly perWorker: number;
  /** The reason in words for people: the batches that these games fill; absent if no net is computed. */
  readonly reason?: string;
}

/**
 * Where the games of a run are played: this machine's threads, or other machines.
 *
 * A game is a function of its task and of the weights that the task names, whatever host plays it. The order of calls:
 * `measure` if wanted, `start`, `load` for each net, then `play`. A host stops when the scope that it was opened in closes.
 */
export interface PlayHost {
  /** What computes the nets, in words for people: `2 sessions, each onnx on cpu, 1 thread`. Empty if no net is computed. */
  readonly compute: string;
  /**
   * Games of each stage that other machines may have under way or waiting for them, in addition to those of this machine's
   * threads; absent if there are no other machines.
   */
  readonly elsewhere?: number;
  /** Measures how many games under way keep the host busy; takes less than a second per net. */
  readonly measure: Effect.Effect<GamesUnderWay, RunError>;
  /**
   * Gets ready to play games of this experiment, in which every stage says how many games it has under way. `counts` has
   * the counters of stages, which count while games are played; stages without counters are not counted.
   */
  readonly start: (
    experiment: Experiment,
    counts?: Readonly<Record<string, SharedCounts>>,
  ) => Effect.Effect<void, RunError>;
  /** Plays one game. If its thread is lost, the game is started again, at most `retries` times. */
  readonly play: (task: GameTask, retries: number) => Effect.Effect<GameReport, RunError>;
  /**
   * Makes a version of a net's weights ready for use. Of tables it is the one that agents play with from now on, and that
   * learners continue to change; of other nets a version for the games that name it.
   */
  readonly load: (net: string, version: number, weights: PublishedWeights) => Effect.Effect<void, RunError>;
  /** Says that no game will be played with a version any more, unless it is loaded again. */
  readonly drop: (net: string, version: number) => void;
  /** Rows of nets computed so far. */
  readonly computed: () => number;
  /** Reports what its threads and evaluators did since the last call. */
  readonly flow: FlowSource;
  /** Never succeeds; fails when the host has lost something that it cannot replace. */
  readonly lost: Effect.Effect<never, RunError>;
}

/** What a play host receives from the run that opens it. */
export interface HostEnv {
  /** Takes messages for people about games that are started again. */
  readonly warn: (message: string) => void;
  /** Gives back weights that games name and that the host has dropped, or never had. */
  readonly weightsOf: WeightsOf;
  /**
   * Whether further games are played after one has failed with its thread: such a game then goes to another host. If absent,
   * the failure ends the run, and no thread is started any more.
   */
  readonly outlivesCrashes?: boolean;
}

/** Opens a play host for an experiment. */
export type OpenPlayHost = (
  opened: OpenExperiment,
  env: HostEnv,
) => Effect.Effect<PlayHost, RunError, Scope.Scope>;
