/** The thread of a TD learner: plays, learns, tells of its games now and then, hands out its state. */
import { parentPort, workerData } from "node:worker_threads";
import { encodeGameRecord } from "../formats/game-records.ts";
import type { LearnerOptions, NamedArrays } from "../models/tables.ts";
import { serve } from "../workers/requests.ts";
import type { Tensor, Tensors } from "./items.ts";
import { learnGame } from "./learn-game.ts";
import { type Experiment, openSetting } from "./setting.ts";

/** What the thread is started with. */
export interface TdLearnerData extends LearnerOptions {
  readonly experiment: Experiment;
  readonly stage: string;
  readonly net: string;
  readonly record: number;
  readonly tables: SharedArrayBuffer;
  readonly state: NamedArrays;
  /** Becomes 1 when the thread is to stop after the running game. */
  readonly stop: Int32Array;
}

/** What it is asked. */
export type ToTdLearner =
  | { readonly type: "learn"; readonly from: number; readonly until: number }
  | { readonly type: "state" };

/** What it answers. */
export type FromTdLearner =
  | { readonly type: "learned" }
  | { readonly type: "state"; readonly tensors: Tensors };

/** Games it has finished, told while it learns. */
export interface LearnedNote {
  readonly games: readonly {
    readonly returns: readonly number[];
    readonly plies: number;
    readonly startValue: number;
  }[];
  readonly records: readonly Uint8Array[];
}

/** How often the thread tells of its games. */
const NOTE_MS = 50;

const { experiment, stage, net, lambda, step, record, tables, state, stop } = workerData as TdLearnerData;
const open = openSetting(experiment).nets.get(net)!;
if (open.kind !== "tables") throw new Error(`"${net}" is not learned on tables`);
const learner = open.learner(tables, { lambda, step });
learner.restore(state);
serve<ToTdLearner, FromTdLearner>(parentPort!, (question, note) => {
  if (question.type === "state") {
    const tensors = new Map<string, Tensor>();
    for (const [name, tensor] of open.save(tables)) tensors.set(`weights/${name}`, tensor);
    for (const [name, tensor] of learner.state()) tensors.set(`learner/${name}`, tensor);
    return { type: "state", tensors };
  }
  let games: LearnedNote["games"][number][] = [];
  let records: Uint8Array[] = [];
  let toldAt = performance.now();
  const tell = () => {
    note({ games, records });
    games = [];
    records = [];
    toldAt = performance.now();
  };
  for (let index = question.from; index < question.until && Atomics.load(stop, 0) === 0; index++) {
    const { score, plies, startValue, facts } = learnGame(learner, experiment, stage, index);
    games.push({ returns: [score], plies, startValue });
    if (record > 0 && index % record === 0)
      records.push(
        encodeGameRecord({
          game: index,
          generation: index,
          seats: [stage],
          actions: learner.actions,
          values: learner.values,
          returns: [score],
          facts,
        }),
      );
    if (performance.now() - toldAt >= NOTE_MS) tell();
  }
  tell();
  return { type: "learned" };
});
