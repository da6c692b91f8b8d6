import { experimentSettings, type WithExperiment } from "./experiment-settings.ts";

/** By name: the place of a stage in the experiment. A stage that it does not name comes after those that it does. */
export function placesOfStages(run: WithExperiment): (stage: string) => number {
  const places = new Map(Object.keys(experimentSettings(run)?.graph ?? {}).map((stage, i) => [stage, i]));
  return (stage) => places.get(stage) ?? places.size;
}
