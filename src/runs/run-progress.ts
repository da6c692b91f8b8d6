import { existsSync } from "node:fs";
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

/** How far a run is: the count of its last stage that learns; where none does, of all games that it measures. */
export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly unit: StageWork["unit"];
}

/**
 * How far a run is; undefined where its file does not say how much there is to do, or plug-ins that it needs are not loaded.
 * `recorded` counts the games that a stage has recorded.
 */
export function progressOf(
  experiment: Experiment,
  state: RunState,
  recorded: (stage: string) => number,
): RunProgress | undefined {
  const { stages, whole } = knownWorks(experiment);
  const learning = stages.findLast(([, { purpose }]) => purpose === "learn");
  if (learning !== undefined) {
    const [stage, { total, unit }] = learning;
    const done = state.ended?.outcome === "finished" ? total : learnedBy(stage, unit, state);
    return { done: Math.min(done, total), total, unit };
  }
  const total = stages.reduce((sum, [, work]) => sum + work.total, 0);
  if (total === 0 || !whole) return undefined;
  if (state.ended?.outcome === "finished") return { done: total, total, unit: "games" };
  const done = stages.reduce((sum, [stage]) => sum + recorded(stage), 0);
  return { done: Math.min(done, total), total, unit: "games" };
}

/**
 * What the events tell that a stage has done, or the stages that read it: a learner on tables tells nothing itself. Counts grow,
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

/** The work of the stages that tell it, and whether these are all. */
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
    // Of plug-ins that are not loaded, or of settings that this version no longer takes: a list of runs goes on.
    whole = false;
  }
  const found = { stages, whole };
  if (whole) works.set(experiment, found);
  return found;
}

/** An experiment without the nets of files, which may be gone: what there is to do does not depend on them. */
function withoutFiles(experiment: Experiment): Experiment {
  const kept = Object.entries(experiment.nets).filter(([, { use }]) => !isOfFile(use));
  return { ...experiment, nets: Object.fromEntries(kept) };
}
