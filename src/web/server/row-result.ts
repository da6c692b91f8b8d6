import { factsOfType, type RunState } from "../../events/run-state.ts";
import { finiteOrNull } from "../../formats/finite-or-null.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { curvesOf } from "../../runs/comparison/run-curves.ts";
import { lastResult } from "../../runs/last-result.ts";
import type { RunRow } from "../views/run-views.ts";

/** About the most points of a curve in the list of runs. */
const MOST_CURVE = 60;

/** A run's last result and the learning curve to it, as the list of runs has them. */
export type RowResult = Pick<RunRow, "curve" | "result">;

/** The last result of a run, and the learning curve to it. */
export function rowResult(state: RunState, experiment: Experiment | undefined): RowResult {
  const matches = factsOfType(state, "match");
  const result = experiment && lastResult(matches, experiment);
  if (experiment === undefined || result === undefined) return { curve: [] };
  const curves = curvesOf(matches, experiment);
  // A stage that measures once, at the end, has no curve: then that of the stage that measured along the way.
  const points = (
    curves.find(
      (each) => each.agent === result.agent && each.stage === result.stage && each.points.length > 1,
    ) ?? curves.find((each) => each.points.length > 1)
  )?.points;
  const { agent, interval, learned, measure, stage, unit, value } = result;
  return {
    result: {
      agent,
      stage,
      measure,
      value,
      interval: [finiteOrNull(interval[0]), finiteOrNull(interval[1])],
      learned,
      unit,
    },
    curve: (points ?? [])
      .filter((_, i, { length }) => i % Math.ceil(length / MOST_CURVE) === 0 || i === length - 1)
      .map((point) => [
        point.learned,
        point.value,
        finiteOrNull(point.interval[0]),
        finiteOrNull(point.interval[1]),
      ]),
  };
}
