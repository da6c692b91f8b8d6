import { experimentSettings } from "./experiment-settings.ts";
import type { RunData } from "./run-data.ts";

/** By name: the place of a stage in the experiment. A stage that it does not name comes after those that it does. */
export function placesOfStages(run: Pick<RunData, "experiment">): (stage: string) => number {
  const places = new Map(Object.keys(experimentSettings(run)?.graph ?? {}).map((stage, i) => [stage, i]));
  return (stage) => places.get(stage) ?? places.size;
}
