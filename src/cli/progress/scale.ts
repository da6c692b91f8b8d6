import type { CheckedGraph } from "../../graph/check-graph.ts";
import { type Speeds, worksOf } from "../../graph/cost/cost.ts";
import type { ExperimentFile } from "../../graph/experiment-file.ts";
import { RunFailed } from "../../operators/run/run-error.ts";
import { typedPath } from "../../graph/shipped-experiments.ts";
import { expectedCurve } from "../../diagnosis/expected-curve.ts";
import { curveText } from "./curve-text.ts";
import { amountText, busyText, totalText } from "./cost-text.ts";

/** Seconds for which a run at the full scale of its source is measured before it starts. */
const MEASURE_SECONDS = 8;

/**
 * Says how much a new run has to do. If its file names a smaller one, it also measures for some seconds what the run costs
 * here, says the cost, and returns the speeds.
 */
export async function sayScale(
  { experiment, smaller }: ExperimentFile,
  graph: CheckedGraph,
  say: (text: string) => void,
): Promise<Speeds | undefined> {
  const amounts = amountText(worksOf(graph).values());
  const curve = expectedCurve(experiment);
  if (smaller === undefined) {
    if (amounts !== "") say(`${experiment.name}: ${amounts}`);
    if (curve !== undefined) say(curveText(curve));
    return undefined;
  }
  const other = typedPath(smaller);
  say(`${experiment.name} has the full scale of its source: ${amounts}`);
  say(`${other} shows the same in less time; measuring for some seconds what this run costs here`);
  const [{ checkInputs }, { measureCost }] = await Promise.all([
    import("../../graph/check-inputs.ts"),
    import("../../graph/cost/measure-cost.ts"),
  ]);
  const starts = await checkInputs(graph);
  const measured = await measureCost(graph, starts, MEASURE_SECONDS).catch((error: unknown) => {
    // The run itself begins with the same weights, but not with random games: it may do better.
    if (!(error instanceof RunFailed)) throw error;
    say(`what the whole costs here could not be measured: ${error.message}`);
  });
  if (measured === undefined) return undefined;
  const { cost, speeds } = measured;
  const known = cost.seconds > 0 ? " at this speed, with games as long as those of a quick search" : "";
  say(`${totalText(cost)}${known}; the same in less time: ludoflow run ${other}`);
  const busy = busyText(measured);
  if (busy !== undefined) say(busy);
  if (curve !== undefined) say(curveText(curve, cost));
  return speeds;
}
