import { parse } from "yaml";
import type { Experiment } from "../operators/experiment/open-experiment.ts";

/** Something that may have an experiment: the text of `experiment.yaml`, or its settings if they were opened already. */
export interface WithExperiment {
  readonly experiment?: string | Experiment;
}

/**
 * The settings of the run's experiment; from the text of `experiment.yaml`, with all defaults filled in; undefined
 * if the file is missing or holds no experiment. The file was checked when the run began and is not checked again.
 */
export function experimentSettings({ experiment }: WithExperiment): Experiment | undefined {
  if (typeof experiment !== "string") return experiment;
  if (latest?.text !== experiment) latest = { text: experiment, settings: read(experiment) };
  return latest.settings;
}

/** The experiment that was read last: the sections of a report all ask for one. */
let latest: { readonly text: string; readonly settings: Experiment | undefined } | undefined;

function read(experiment: string): Experiment | undefined {
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
