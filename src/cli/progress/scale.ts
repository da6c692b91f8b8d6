import { relative } from "node:path";
import type { CheckedGraph } from "../../graph/check-graph.ts";
import { type Speeds, worksOf } from "../../graph/cost/cost.ts";
import type { ExperimentFile } from "../../graph/experiment-file.ts";
import { amountText, totalText } from "./cost-text.ts";

/** Seconds for which a run at the full scale of its source is measured before it starts. */
const MEASURE_SECONDS = 8;

/**
 * Says how much a new run has to do. If its file names a smaller one, it also measures for some seconds what the run costs
 * here, says the cost, and returns the speeds.
 */
export async function tellScale(
  { experiment, smaller }: ExperimentFile,
  graph: CheckedGraph,
  say: (text: string) => void,
): Promise<Speeds | undefined> {
  const amounts = amountText(worksOf(graph).values());
  if (smaller === undefined) {
    if (amounts !== "") say(`${experiment.name}: ${amounts}`);
    return undefined;
  }
  const other = relative(".", smaller);
  say(`${experiment.name} has the full scale of its source: ${amounts}`);
  say(`${other} shows the same in less time; measuring for some seconds what this run costs here`);
  const [{ checkInputs }, { measureCost }] = await Promise.all([
    import("../../graph/check-inputs.ts"),
    import("../../graph/cost/measure-cost.ts"),
  ]);
  const { cost, speeds } = await measureCost(graph, await checkInputs(graph), MEASURE_SECONDS);
  say(
    `${totalText(cost)} at this speed, with games as long as random ones; the same in less time: ludoflow run ${other}`,
  );
  return speeds;
}
