import type { Experiment } from "./open-experiment.ts";

/** The settings of an experiment by their paths, as `--set` takes them: `graph.learn.lambda`. */
export type Settings = ReadonlyMap<string, unknown>;

/** Keys that are not settings: names for people, the seed (runs that differ in nothing else are repetitions), and the number of threads that play. */
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

/** A value of a setting as people write it: `0.5`, `puct`, `[1,2]`; `-` if it is absent. */
export function valueText(value: unknown): string {
  if (value === undefined) return "-";
  return typeof value === "string" ? value : JSON.stringify(value);
}
