import { relative } from "node:path";
import { factsOfType } from "../../events/run-state.ts";
import { ifKnown } from "../../formats/if-known.ts";
import { finiteOrNull } from "../../formats/finite-or-null.ts";
import { explainedAt } from "../../messages/diagnosis-text.ts";
import { isAtWork } from "../../runs/run-condition.ts";
import { coarse, type RunStatus } from "../../runs/run-status.ts";
import type { RunHead, RunRow } from "../views/run-views.ts";
import type { FollowedRun } from "./followed-run.ts";
import type { RunLog } from "./run-log.ts";

/** About the most points of a curve in the list of runs. */
const MOST_CURVE = 60;

/** The line of a run in the list of runs; the list adds in what it differs from others. */
export function rowOf(run: FollowedRun): RunRow {
  return { ...shown(run), curve: curveShown(run.status) };
}

function shown(run: FollowedRun): Omit<RunRow, "curve"> {
  const { condition, experiment, folder, log, manifest, status } = run;
  const message = run.damage ?? (condition === "failed" ? log.state.ended?.message : undefined);
  const parts = folder.split(/[/\\]/);
  const { progress, result } = status;
  const seen = log.events.at(-1)?.time;
  const live = isAtWork(condition);
  const left = live ? progress?.secondsLeft : undefined;
  return {
    path: run.path,
    condition,
    ...ifKnown("message", message),
    name: manifest?.name ?? parts.at(-2) ?? "",
    id: manifest?.id ?? parts.at(-1) ?? "",
    game: experiment === undefined ? "" : experiment.game.rules,
    ...(manifest === undefined ? {} : { seed: manifest.seed, started: manifest.started }),
    ...(live ? {} : ifKnown("seen", seen)),
    elapsed: live ? elapsedNow(log) : log.state.elapsed,
    // Rounded to what can be seen.
    ...(progress === undefined
      ? {}
      : { progress: { share: Math.floor(1000 * progress.share) / 1000, ...ifKnown("now", progress.now) } }),
    ...(left === undefined ? {} : { secondsLeft: coarse(left), ...ifKnown("atMost", progress?.atMost) }),
    ...(result === undefined ? {} : { result: resultShown(result) }),
    differs: "",
  };
}

function resultShown({
  agent,
  interval: [low, high],
  learned,
  measure,
  stage,
  unit,
  value,
}: NonNullable<RunStatus["result"]>): NonNullable<RunRow["result"]> {
  const interval = [finiteOrNull(low), finiteOrNull(high)] as const;
  return { agent, stage, measure, value, interval, learned, unit };
}

function curveShown({ curve }: RunStatus): RunRow["curve"] {
  const step = Math.ceil(curve.length / MOST_CURVE);
  return curve
    .filter((_, i, { length }) => i % step === 0 || i === length - 1)
    .map(({ interval: [low, high], learned, value }) => [
      learned,
      value,
      finiteOrNull(low),
      finiteOrNull(high),
    ]);
}

/** Seconds at work until now: the newest event may be a minute old. */
function elapsedNow({ events, state }: RunLog): number {
  const latest = events.at(-1);
  if (latest === undefined) return state.elapsed;
  return Math.max(state.elapsed, latest.elapsed + (Date.now() - Date.parse(latest.time)) / 1000);
}

/** The head of the page of a run. */
export function headOf(run: FollowedRun): RunHead {
  const { experiment, folder, log, manifest, status } = run;
  const saved = log.checkpoints.at(-1);
  const { started } = log.state;
  const row = shown(run);
  const stages = Object.keys(experiment?.graph ?? {});
  return {
    ...row,
    sentence: run.damage === undefined ? status.sentence(row.name, row.condition, () => run.data) : "",
    ...(manifest === undefined ? {} : { workers: started?.workers ?? manifest.workers }),
    compute: started?.compute ?? "",
    reproducible: manifest?.reproducible !== false ? true : (manifest.irreproducible ?? []),
    ...(saved === undefined ? {} : { saved: { learned: saved.learned, unit: saved.unit } }),
    folder: relative(".", folder) || ".",
    games: stages.reduce((sum, stage) => sum + run.recorded(stage), 0),
    diagnoses: factsOfType(log.state, "diagnosis").map(({ cure, name, says, stage }) => ({
      name,
      stage,
      says,
      cure,
      explained: explainedAt(name),
    })),
  };
}
