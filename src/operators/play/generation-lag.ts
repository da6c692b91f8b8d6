import type { Experiment } from "../experiment/open-experiment.ts";

/** By how many versions self-play lags behind the newest weights that its generation could be played with. */
export function lagOf(schedule: Experiment["schedule"]): number {
  return schedule === "overlapped" ? 1 : 0;
}
