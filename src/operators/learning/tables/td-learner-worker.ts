/** The thread of a TD learner: it plays, learns, reports its games at intervals, and returns its state on request. */
import { parentPort, workerData } from "node:worker_threads";
import { encodeGameRecord } from "../../../formats/game-records.ts";
import type { LearnerOptions, NamedArrays, OpenTables, SharedTables } from "../../../models/tables.ts";
import { serve } from "../../../workers/serve.ts";
import type { Tensor, Tensors } from "../../run/items.ts";
import type { SharedCounts } from "../../run/shared-counts.ts";
import type { ExplorationConfig, Openings } from "./exploration.ts";
import { learnGame, openLearner, reportsWeights } from "./learn-game.ts";
import { MOST_REPORTS, type SearchSettings } from "./td-learner-settings.ts";
import { type Experiment, openExperiment } from "../../experiment/open-experiment.ts";

/** The `workerData` of the thread. */
export interface TdLearnerData extends LearnerOptions {
  readonly exploration: ExplorationConfig | undefined;
  readonly search: SearchSettings | undefined;
  readonly experiment: Experiment;
  readonly stage: string;
  readonly net: string;
  readonly record: number;
  readonly tables: SharedTables;
  readonly state: NamedArrays;
  /** Becomes 1 when the thread is to stop after the running game. */
  readonly stop: Int32Array;
  /** The counters of the stage. */
  readonly counts: SharedCounts;
  /** The number of the next game: the threads of a stage count it up together. */
  readonly next: Int32Array;
  /** The number of reports that the threads of a stage have sent and the main thread has not taken. */
  readonly untaken: Int32Array;
}

/** The requests to the thread. */
export type ToTdLearner =
  | { readonly type: "openings"; readonly openings: Openings }
  | { readonly type: "learn"; readonly until: number }
  | { readonly type: "state" };

/** The responses of the thread. */
export type FromTdLearner =
  | { readonly type: "ready" }
  | { readonly type: "learned" }
  | { readonly type: "state"; readonly tensors: Tensors };

/** A report on finished games, sent while the thread learns. */
export interface LearnedNote {
  readonly games: readonly {
    readonly returns: readonly number[];
    readonly plies: number;
    readonly startValue: number;
  }[];
  readonly records: readonly Uint8Array[];
  /** Named weights after some of the games. */
  readonly weights: readonly {
    readonly learned: number;
    readonly names: readonly string[];
    readonly values: readonly number[];
  }[];
}

/** The interval between reports. */
const NOTE_MS = 50;

const {
  experiment,
  stage,
  net,
  record,
  tables,
  state,
  stop,
  counts,
  next,
  untaken,
  exploration,
  search,
  ...options
} = workerData as TdLearnerData;
const opened = openExperiment(experiment);
const open = opened.nets.get(net) as OpenTables;
const learner = openLearner(opened, open, tables, options, search, counts);
learner.restore(state);
let openings: Openings = [];

function tensors(): Tensors {
  const all = new Map<string, Tensor>();
  for (const [name, tensor] of open.save(tables)) all.set(`weights/${name}`, tensor);
  for (const [name, tensor] of learner.state()) all.set(`learner/${name}`, tensor);
  return all;
}

function learn(until: number, note: (note: LearnedNote) => void): void {
  const seats = Array.from({ length: opened.game.players }, () => stage);
  let games: LearnedNote["games"][number][] = [];
  let records: Uint8Array[] = [];
  let weights: LearnedNote["weights"][number][] = [];
  let reportedAt = performance.now();
  const report = () => {
    for (let count; (count = Atomics.load(untaken, 0)) >= MOST_REPORTS;) Atomics.wait(untaken, 0, count);
    Atomics.add(untaken, 0, 1);
    note({ games, records, weights });
    games = [];
    records = [];
    weights = [];
    reportedAt = performance.now();
  };
  while (Atomics.load(stop, 0) === 0) {
    const index = Atomics.add(next, 0, 1);
    if (index >= until) break;
    const { returns, plies, startValue, facts } = learnGame(
      learner,
      opened,
      { stage, exploration, openings },
      index,
    );
    games.push({ returns, plies, startValue });
    if (open.named !== undefined && reportsWeights(index + 1))
      weights.push({ learned: index + 1, names: open.named.names, values: open.named.read(tables) });
    if (record > 0 && index % record === 0)
      records.push(
        encodeGameRecord({
          game: index,
          generation: index,
          seats,
          actions: learner.actions,
          values: learner.values,
          returns,
          facts,
        }),
      );
    if (performance.now() - reportedAt >= NOTE_MS) report();
  }
  report();
}

serve<ToTdLearner, FromTdLearner>(parentPort!, (request, note) => {
  if (request.type === "state") return { type: "state", tensors: tensors() };
  if (request.type === "openings") {
    openings = request.openings;
    return { type: "ready" };
  }
  learn(request.until, note);
  return { type: "learned" };
});
