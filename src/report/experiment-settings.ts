import { parse } from "yaml";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import type { RunData } from "./run-data.ts";

/**
 * The settings of the run's experiment as `experiment.yaml` has them, all defaults filled in; undefined where there is
 * none or it is no such file. It was checked when the run began, and is taken here at its word.
 */
export function experimentSettings({ experiment }: Pick<RunData, "experiment">): Experiment | undefined {
  if (experiment === undefined) return undefined;
  try {
    const settings = parse(experiment) as Partial<Experiment> | null;
    const parts = [settings?.game, settings?.agents, settings?.graph, settings?.nets];
    return parts.every((part) => typeof part === "object" && part !== null)
      ? (settings as Experiment)
      : undefined;
  } catch {
    return undefined;
  }
}
