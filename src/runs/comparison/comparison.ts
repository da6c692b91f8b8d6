import { basename, relative } from "node:path";
import type { MatchResult } from "../../events/event.ts";
import { openRunFolder } from "../../graph/folder/run-folder.ts";
import { processAtWork } from "../../graph/folder/run-lock.ts";
import { checkSavedLogs } from "../../operators/run/saved-logs.ts";
import { readRun } from "../../report/run-data.ts";
import { sameValue } from "../../same-value.ts";
import type { Estimate } from "../../stats/intervals.ts";
import { intervalWithin, meanEstimate } from "../../stats/intervals.ts";
import type { AgentScore } from "../last-result.ts";
import { type ListedCondition, listedCondition } from "../run-condition.ts";
import { differenceFrom, type GroupDifference } from "./difference.ts";
import { groupWeights, runWeights, type RunWeights, type WeightsResult } from "./learned-weights.ts";
import { type CurvePoint, curvesOf, type RunCurve } from "./run-curves.ts";
import { differingPaths, shortPath } from "./settings.ts";
import { type Settings, settingsOf, valueText } from "../../operators/experiment/settings-by-path.ts";

/** A run among others. */
export interface ComparedRun {
  readonly folder: string;
  readonly experiment: string;
  readonly seed: number;
  readonly state: ListedCondition;
  /** The name of its group. */
  readonly group: string;
}

/** Runs with equal settings: they differ in the seed alone. */
export interface RunGroup {
  /** Short, and different for each group: the settings that differ, or the name of the experiment, or a letter. */
  readonly name: string;
  readonly seeds: readonly number[];
}

/** A setting that differs between groups, with its value in each group, in their order; undefined if it is absent. */
export interface DifferingSetting {
  readonly path: string;
  readonly values: readonly unknown[];
}

/** What an estimate is over: runs of different seeds, or the games of one run, which say nothing about other seeds. */
export type Over = "seeds" | "games";

/** What a group has reached after an amount of learning. */
export interface GroupResult extends Estimate {
  readonly group: string;
  /** After equal processor time the mean over its runs, rounded. */
  readonly learned: number;
  /** Number of runs, and of games in all of them. */
  readonly runs: number;
  readonly games: number;
  readonly over: Over;
}

/** A point of the curve of a group: means over its runs. */
export interface GroupPoint extends Estimate {
  readonly learned: number;
  readonly runs: number;
  /** Games played to learn from, optimiser steps, processor seconds; undefined if they are not known. */
  readonly played: number | undefined;
  readonly steps: number | undefined;
  readonly seconds: number | undefined;
}

/** What is compared: an agent in the matches of a stage. */
export interface Measurement {
  readonly stage: string;
  readonly agent: string;
  readonly measure: AgentScore["measure"];
  readonly unit: MatchResult["unit"];
  /** Processor seconds after which all are compared; absent if they are compared after equal learning, or at their ends. */
  readonly seconds?: number;
  /**
   * Each group at its end, if all runs have ended; else after the greatest amount of learning at which all runs were measured,
   * or at its own greatest if there is none.
   */
  readonly results: readonly GroupResult[];
  /** The single runs of these results. */
  readonly perRun: readonly {
    readonly folder: string;
    readonly group: string;
    readonly seed: number;
    readonly value: number;
  }[];
  /** Each further group compared with the first one. */
  readonly differences: readonly (GroupDifference & { readonly group: string; readonly baseline: string })[];
  readonly curves: readonly { readonly group: string; readonly points: readonly GroupPoint[] }[];
  /** Each further group compared with the first one, at each amount of learning at which all runs of both were measured. */
  readonly differenceCurves: readonly {
    readonly group: string;
    readonly baseline: string;
    readonly points: readonly (GroupDifference & { readonly learned: number })[];
  }[];
}

type NamedBy = "experiment" | "settings" | "setting" | "folder" | "letter";

/** Several runs side by side. */
export interface Comparison {
  readonly runs: readonly ComparedRun[];
  readonly groups: readonly RunGroup[];
  /**
   * What the groups are named by: if by `settings`, all that differ, by their short names in `shortNames`, in the order of
   * `settings`; if by a `setting`, one that distinguishes them although others differ too.
   */
  readonly namedBy: NamedBy;
  readonly shortNames: readonly string[];
  readonly settings: readonly DifferingSetting[];
  readonly measurements: readonly Measurement[];
  /** What learners with named weights have learned, by learner and group. */
  readonly weights: readonly WeightsResult[];
}

/** A run, read from its files. */
export interface OpenedRun {
  readonly folder: string;
  readonly experiment: string;
  readonly seed: number;
  readonly state: ListedCondition;
  readonly settings: Settings;
  readonly curves: readonly RunCurve[];
  readonly weights: readonly RunWeights[];
}

/** Reads what a comparison needs of a run, also while the run is at work. Throws RunFolderInvalid, FileCorrupt. */
export function openComparedRun(folder: string): OpenedRun {
  const { experiment, manifest } = openRunFolder(folder);
  const { events } = readRun(folder);
  const ended = events.findLast((event) => event.type === "run-ended" || event.type === "run-started");
  const outcome = ended?.type === "run-ended" ? ended.outcome : "silent";
  const condition = listedCondition(processAtWork(folder) === undefined ? outcome : "running");
  // A process at work changes the logs and their notes one after the other.
  if (condition !== "running") checkSavedLogs(folder);
  const settings = new Map(settingsOf(experiment));
  if (manifest.fork !== undefined)
    settings.set("forked from", `${relative(".", manifest.fork.run)} at ${manifest.fork.learned}`);
  return {
    folder,
    experiment: manifest.name,
    seed: manifest.seed,
    state: condition,
    settings,
    curves: curvesOf(events, experiment),
    weights: runWeights({ events, experiment }),
  };
}

/**
 * Compares runs: those with equal settings form a group, the first group is the baseline. A group of several runs has means
 * over its seeds with Student's t interval; a group of one run has the interval of its games.
 *
 * With `equalTime` each run is taken where it was measured last within the processor time that all runs have used: the
 * least of their last measurements. Throws UnknownTime if a run does not record its processor time.
 */
export function compareRuns(
  runs: readonly OpenedRun[],
  { equalTime = false }: { readonly equalTime?: boolean } = {},
): Comparison {
  const groups: OpenedRun[][] = [];
  for (const run of runs) {
    const same = groups.find(([first]) =>
      sameValue(Object.fromEntries(first!.settings), Object.fromEntries(run.settings)),
    );
    if (same === undefined) groups.push([run]);
    else same.push(run);
  }
  const firsts = groups.map(([first]) => first!);
  const paths = differingPaths(firsts.map(({ settings }) => settings));
  const { namedBy, names } = groupNames(firsts, paths);
  return {
    namedBy,
    shortNames: paths.map((path) => shortPath(path, paths)),
    runs: groups.flatMap((members, i) =>
      members.map(({ experiment, folder, seed, state }) => ({
        folder,
        experiment,
        seed,
        state,
        group: names[i]!,
      })),
    ),
    groups: groups.map((members, i) => ({ name: names[i]!, seeds: members.map(({ seed }) => seed) })),
    settings: paths.map((path) => ({ path, values: firsts.map(({ settings }) => settings.get(path)) })),
    measurements: measured(groups, names, equalTime),
    weights: groupWeights(groups, names),
  };
}

/** Names of groups longer than this would not fit beside a figure. */
const LONGEST_NAME = 32;

function groupNames(
  firsts: readonly OpenedRun[],
  paths: readonly string[],
): { readonly namedBy: NamedBy; readonly names: readonly string[] } {
  const fit = (names: readonly string[]) =>
    new Set(names).size === names.length && names.every(({ length }) => length <= LONGEST_NAME);
  const experiments = firsts.map(({ experiment }) => experiment);
  const settings = firsts.map((run) =>
    paths.map((path) => `${shortPath(path, paths)} ${valueText(run.settings.get(path))}`).join(", "),
  );
  if (paths.length > 0 && fit(settings)) return { namedBy: "settings", names: settings };
  if (fit(experiments)) return { namedBy: "experiment", names: experiments };
  const distinguishing = paths
    .toSorted((a, b) => Number(b.endsWith(".use")) - Number(a.endsWith(".use")))
    .map((path) => firsts.map((run) => `${shortPath(path, paths)} ${valueText(run.settings.get(path))}`))
    .find(fit);
  if (distinguishing !== undefined) return { namedBy: "setting", names: distinguishing };
  const folders = firsts.map(({ folder }) => basename(folder));
  if (fit(folders) && firsts.length === 2) return { namedBy: "folder", names: folders };
  return { namedBy: "letter", names: firsts.map((_, i) => letters(i)) };
}

/** `A` to `Z`, then `AA` and so on. */
function letters(n: number): string {
  return n < 26 ? String.fromCodePoint(65 + n) : letters(Math.floor(n / 26) - 1) + letters(n % 26);
}

/** A run of an earlier version, which does not record its processor time. */
export class UnknownTime extends Error {}

function measured(
  groups: readonly (readonly OpenedRun[])[],
  names: readonly string[],
  equalTime: boolean,
): Measurement[] {
  const all = groups.flat().flatMap(({ curves }) => curves);
  const kinds = new Map(all.map((curve) => [JSON.stringify([curve.stage, curve.agent, curve.unit]), curve]));
  return [...kinds.values()].flatMap(({ agent, points, stage, unit }): Measurement[] => {
    const found = groups.map((members) =>
      members.flatMap((run) => {
        const curve = run.curves.find(
          (each) => each.stage === stage && each.agent === agent && each.unit === unit,
        );
        return curve === undefined ? [] : [{ folder: run.folder, seed: run.seed, points: curve.points }];
      }),
    );
    const present = found.flatMap((members, i) =>
      members.length === 0 ? [] : [{ members, name: names[i]! }],
    );
    const shared = commonAmounts(present.map(({ members }) => commonAmounts(members.map(amounts))));
    // Runs that have ended are compared at their ends, although one may have learned from more than another.
    const at = groups.flat().every(({ state }) => state === "finished") ? undefined : shared.at(-1);
    const time = equalTime ? commonTime(present.flatMap(({ members }) => members)) : undefined;
    const chosen = present.map(({ members, name }) => {
      if (time !== undefined) {
        const here = members.map(({ folder, points: own, seed }) => {
          const within = own.filter(({ seconds }) => seconds! <= time);
          // A run that was first measured after this time is taken there.
          return { folder, seed, point: within.at(-1) ?? own[0]! };
        });
        const sum = here.reduce((total, { point }) => total + point.learned, 0);
        return { name, learned: Math.round(sum / here.length), here };
      }
      const learned = at ?? commonAmounts(members.map(amounts)).at(-1) ?? amounts(members[0]!).at(-1)!;
      return { name, learned, here: measuredAt(members, learned) };
    });
    const [baseline, ...others] = chosen;
    return [
      {
        stage,
        agent,
        unit,
        measure: points[0]!.measure,
        ...(time === undefined ? {} : { seconds: time }),
        results: chosen.map(({ here, learned, name }) => ({
          group: name,
          learned,
          runs: here.length,
          games: here.reduce((sum, { point }) => sum + point.games, 0),
          over: here.length > 1 ? "seeds" : "games",
          ...groupEstimate(here.map(({ point }) => point)),
        })),
        perRun: chosen.flatMap(({ here, name }) =>
          here.map(({ folder, point, seed }) => ({ folder, group: name, seed, value: point.value })),
        ),
        differences: others.flatMap(({ here, name }) => {
          const difference = differenceFrom(here, baseline!.here);
          return difference === undefined ? [] : [{ group: name, baseline: baseline!.name, ...difference }];
        }),
        curves: present.map(({ members, name }) => ({ group: name, points: groupCurve(members) })),
        differenceCurves: differenceCurves(present),
      },
    ];
  });
}

interface MeasuredRun {
  readonly folder: string;
  readonly seed: number;
  readonly points: readonly CurvePoint[];
}

/** What runs had reached after an amount of learning; those that were not measured there are left out. */
function measuredAt(members: readonly MeasuredRun[], learned: number) {
  return members.flatMap(({ folder, points, seed }) => {
    const point = points.findLast((each) => each.learned === learned);
    return point === undefined ? [] : [{ folder, seed, point }];
  });
}

function differenceCurves([baseline, ...others]: readonly {
  readonly members: readonly MeasuredRun[];
  readonly name: string;
}[]): Measurement["differenceCurves"] {
  return others.map(({ members, name }) => ({
    group: name,
    baseline: baseline!.name,
    points: commonAmounts([...members, ...baseline!.members].map(amounts)).flatMap((learned) => {
      const difference = differenceFrom(measuredAt(members, learned), measuredAt(baseline!.members, learned));
      return difference === undefined ? [] : [{ learned, ...difference }];
    }),
  }));
}

/** The processor time that every run has used at its last measurement. */
function commonTime(runs: readonly MeasuredRun[]): number {
  const ends = runs.map(({ folder, points }) => {
    const untimed = points.some(({ seconds }) => seconds === undefined);
    if (untimed)
      throw new UnknownTime(`${folder} does not record its processor time: it is of an earlier version`);
    return points.at(-1)!.seconds!;
  });
  return Math.min(...ends);
}

function amounts({ points }: Pick<MeasuredRun, "points">): number[] {
  return points.map(({ learned }) => learned);
}

/** The amounts that are in every list, in increasing order. */
function commonAmounts(lists: readonly (readonly number[])[]): number[] {
  const [first = [], ...others] = lists;
  return first.filter((amount) => others.every((list) => list.includes(amount)));
}

/** The mean over the runs of a group with Student's t interval; of one run its own estimate. */
function groupEstimate(points: readonly AgentScore[]): Estimate {
  const [only, ...others] = points;
  if (others.length === 0) return { value: only!.value, interval: only!.interval };
  const { interval, value } = meanEstimate(points.map((point) => point.value));
  if (only!.measure !== "share won") return { value, interval };
  // Of a single run nothing is known about other seeds.
  return { value, interval: intervalWithin(interval, [0, 1]) };
}

/** The curve of a group: at the amounts of learning at which all its runs were measured. */
function groupCurve(members: readonly MeasuredRun[]): GroupPoint[] {
  return commonAmounts(members.map(amounts)).map((learned) => {
    const points = members.map(({ points: own }) => own.findLast((each) => each.learned === learned)!);
    const mean = (key: "played" | "steps" | "seconds") => {
      const values = points.map((point) => point[key]);
      return values.some((value) => value === undefined)
        ? undefined
        : values.reduce<number>((sum, value) => sum + value!, 0) / values.length;
    };
    return {
      learned,
      runs: points.length,
      played: mean("played"),
      steps: mean("steps"),
      seconds: mean("seconds"),
      ...groupEstimate(points),
    };
  });
}
