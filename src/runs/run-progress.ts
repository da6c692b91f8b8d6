import { existsSync } from "node:fs";
import type { RunProgress } from "../events/event.ts";
import { newestFacts, type RunState } from "../events/run-state.ts";
import { RecordLogReader } from "../formats/record-log.ts";
import { withKnownNets } from "../graph/known-part.ts";
import { stageView } from "../graph/stage-view.ts";
import { isOfFile } from "../models/registry.ts";
import { operatorOf } from "../operators/registry.ts";
import { gamesPath } from "../operators/run/run-files.ts";
import type { StageWork } from "../operators/run/stage-work.ts";
import {
  type Experiment,
  openExperiment,
  type OpenExperiment,
} from "../operators/experiment/open-experiment.ts";

/**
 * How far a run is, as it has reported last; undefined if its file does not say how much there is to do. A run of an earlier
 * version has reported nothing: then it is the count of its last stage that learns, or of all games that it measures if none
 * does. `recorded` counts the games that a stage has recorded.
 */
export function progressOf(
  experiment: Experiment,
  state: RunState,
  recorded: (stage: string) => number,
): KnownProgress | undefined {
  if (state.ended?.outcome === "finished")
    return countedProgress(experiment, state, recorded) ?? { share: 1 };
  if (state.progress === undefined) return countedProgress(experiment, state, recorded);
  const { atMost, now, secondsLeft, share, time } = state.progress;
  // A file has the progress of up to a minute ago.
  const age = state.ended === undefined ? Math.max(0, (Date.now() - Date.parse(time)) / 1000) : 0;
  return {
    share,
    ...(secondsLeft === undefined ? {} : { secondsLeft: Math.max(0, secondsLeft - age) }),
    ...(atMost === undefined ? {} : { atMost }),
    ...(now === undefined ? {} : { now }),
  };
}

/** How far a run is, for lists and pages. */
export type KnownProgress = Omit<RunProgress, "type">;

function countedProgress(
  experiment: Experiment,
  state: RunState,
  recorded: (stage: string) => number,
): KnownProgress | undefined {
  const finished = state.ended?.outcome === "finished";
  const { stages, whole } = knownWorks(experiment);
  const learning = stages.findLast(([, { purpose }]) => purpose === "learn");
  if (learning !== undefined) {
    const [stage, { total, unit }] = learning;
    const done = finished ? total : Math.min(total, learnedBy(stage, unit, state));
    return { share: done / total, now: { stage, done, total, unit } };
  }
  const total = stages.reduce((sum, [, work]) => sum + work.total, 0);
  if (total === 0 || !whole) return undefined;
  const games = stages.reduce((sum, [stage]) => sum + recorded(stage), 0);
  // A test may have ended a match before all of its games were played.
  const done = Math.min(total, games);
  const [only] = stages.length === 1 ? stages : [];
  return {
    share: finished ? 1 : done / total,
    ...(only === undefined
      ? {}
      : { now: { stage: only[0], done, total: finished ? done : total, unit: "games" } }),
  };
}

/**
 * How much a stage has done by the events of it or of the stages that read it: a learner on tables emits none itself. Counts grow,
 * so the newest facts have the greatest.
 */
function learnedBy(stage: string, unit: StageWork["unit"], state: RunState): number {
  const done = newestFacts(state).map((event) => {
    switch (event.type) {
      case "games":
        return event.stage === stage ? event.done : 0;
      case "training":
        return event.stage === stage ? event.step : 0;
      case "pool-games":
        return event.stage === stage ? event.step * event.games : 0;
      default:
        return "unit" in event && event.unit === unit ? event.learned : 0;
    }
  });
  return done.reduce((most, count) => Math.max(most, count), 0);
}

/** The number of games that a stage of the run in a folder has recorded. Throws `FileCorrupt`. */
export function recordedCount(folder: string, stage: string): number {
  const path = gamesPath(folder, stage);
  if (!existsSync(path)) return 0;
  const log = new RecordLogReader(path);
  log.close();
  return log.records;
}

/** Games and nets that were opened, by their settings: many runs have the same. */
const opened = new Map<string, Pick<OpenExperiment, "game" | "nets">>();
/** What the stages of an experiment have to do: a run that is followed is asked again each second. */
const works = new WeakMap<Experiment, KnownWorks>();

/** The work of the stages that know it, and whether these are all. */
interface KnownWorks {
  readonly stages: readonly (readonly [string, StageWork])[];
  readonly whole: boolean;
}

function knownWorks(experiment: Experiment): KnownWorks {
  const before = works.get(experiment);
  if (before !== undefined) return before;
  const stages: [string, StageWork][] = [];
  let whole = true;
  try {
    const known = withoutFiles(withKnownNets(experiment));
    const key = JSON.stringify([known.game, known.nets]);
    const parts = opened.get(key) ?? openExperiment(known);
    opened.set(key, parts);
    for (const [stage, config] of Object.entries(experiment.graph))
      try {
        const work = operatorOf(config)?.work?.(config, stageView({ ...parts, experiment: known }, stage));
        if (work !== undefined && work.total > 0) stages.push([stage, work]);
      } catch {
        // A file that the experiment names is gone, or holds something else by now.
        whole = false;
      }
  } catch {
    // Of plug-ins that are not loaded, or of settings that this version no longer takes: a list of runs continues.
    whole = false;
  }
  const found = { stages, whole };
  if (whole) works.set(experiment, found);
  return found;
}

/** An experiment without the nets of files, which may be gone: the work of a run does not depend on them. */
function withoutFiles(experiment: Experiment): Experiment {
  const kept = Object.entries(experiment.nets).filter(([, { use }]) => !isOfFile(use));
  return { ...experiment, nets: Object.fromEntries(kept) };
}
