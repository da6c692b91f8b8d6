import { sameValue } from "../../same-value.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";

/** The settings of an experiment by their paths, as `--set` takes them: `graph.learn.lambda`. */
export type Settings = ReadonlyMap<string, unknown>;

/** What is no setting: names for people, the seed (runs that differ in nothing else are repetitions), and the number of threads that play. */
const NO_SETTINGS = new Set(["name", "description", "seed", "workers"]);

/** The settings of an experiment. Lists are one setting each. */
export function settingsOf(experiment: Experiment): Settings {
  const settings = Object.entries(experiment).filter(([key]) => !NO_SETTINGS.has(key));
  return new Map(settings.flatMap(([key, value]) => flat(value, key)));
}

function flat(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => flat(inner, `${path}.${key}`));
}

/** The paths at which settings differ, in the order of their first appearance. */
export function differingPaths(all: readonly Settings[]): string[] {
  const paths = new Set(all.flatMap((settings) => [...settings.keys()]));
  return [...paths].filter((path) =>
    all.some((settings) => !sameValue(settings.get(path), all[0]!.get(path))),
  );
}

/** A value of a setting as people write it: `0.5`, `puct`, `[1,2]`; `-` where it is absent. */
export function valueText(value: unknown): string {
  if (value === undefined) return "-";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The last words of a path that tell it from all others: `lambda` of `graph.learn.lambda`, or `learn.lambda`. */
export function shortPath(path: string, among: readonly string[]): string {
  const parts = path.split(".");
  for (let count = 1; count < parts.length; count++) {
    const short = parts.slice(-count).join(".");
    const ending = among.filter((other) => other === short || other.endsWith(`.${short}`));
    if (ending.length <= 1) return short;
  }
  return path;
}
