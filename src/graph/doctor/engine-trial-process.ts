/** The process of an engine's trial: prints its outcome as JSON on its last line. */
import { sizeOf } from "../../compute/tensors.ts";
import { openEngine } from "../../compute/open-engine.ts";
import type { Engine } from "../../compute/engine.ts";
import { networkOf } from "../../operators/experiment/open-experiment.ts";
import type { CheckedGraph } from "../check-graph.ts";
import { checkGraph } from "../check-graph.ts";
import { checkInputs } from "../check-inputs.ts";
import { measureCost, type MeasuredCost } from "../cost/measure-cost.ts";
import { readExperiment } from "../experiment-file.ts";
import { experimentPath } from "../shipped-experiments.ts";
import type { EngineSpeed, EngineTrial, TrialOutcome } from "./engine-trial.ts";

const HOUR = 3600;

/** The outcome of a trial. */
async function outcome({ compute, experiment, seconds }: EngineTrial): Promise<TrialOutcome> {
  const described = ({ description, facts }: Engine) => ({ description, facts });
  if (experiment === undefined) {
    const engine = await openEngine(compute);
    const found = described(engine);
    await engine.close();
    return found;
  }
  const set = Object.entries(compute).map(([key, value]) => `compute.${key}=${JSON.stringify(value)}`);
  const graph = checkGraph(readExperiment(experimentPath(experiment), set));
  let found = { description: "", facts: {} };
  const starts = await checkInputs(graph, undefined, (engine) => (found = described(engine)));
  return { ...found, speed: speedOf(graph, await measureCost(graph, starts, seconds, "learn")) };
}

/** The speeds of the stages that learn, or play to learn. */
function speedOf({ opened, stages }: CheckedGraph, { cost, speeds }: MeasuredCost): EngineSpeed {
  const trainer = cost.stages.find(({ work }) => work.unit === "steps")!;
  const { config } = stages.find(({ name }) => name === trainer.stage)!;
  const evaluations = Math.max(0, ...(speeds.evaluations?.values() ?? []));
  const whole = cost.unknown.length === 0;
  return {
    ...(evaluations > 0 ? { evaluations } : {}),
    ...(trainer.perUnit === undefined ? {} : { steps: 1 / trainer.perUnit }),
    batch: config["batch"] as number,
    weights: networkOf(opened, config["net"] as string).net.parameters.reduce(
      (sum, { shape }) => sum + sizeOf(shape),
      0,
    ),
    seconds: cost.seconds,
    ...(whole
      ? {
          hour: Object.fromEntries(
            cost.stages.map(({ work: { total, unit } }) => [unit, (HOUR / cost.seconds) * total]),
          ),
        }
      : {}),
    least: cost.least.length > 0,
  };
}

process.stdin.resume().on("end", () => process.exit(1));
let found: TrialOutcome;
try {
  found = await outcome(JSON.parse(process.argv[2]!) as EngineTrial);
} catch (error) {
  found = { failed: error instanceof Error ? error.message : String(error) };
}
// Threads of engines may still be open.
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0));
