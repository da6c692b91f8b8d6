import type { MatchResult, RunEvent } from "../src/events/event.ts";
import { checkExperiment } from "../src/graph/experiment-file.ts";
import { newRun, type Run } from "../src/graph/start-run.ts";
import type { Experiment } from "../src/operators/experiment/open-experiment.ts";

/** Runs an experiment in a new folder of its own; defaults are filled in. Throws what the run has failed with. */
export async function run(
  experiment: object,
  folder: string,
  watch: (event: RunEvent, run: Run) => void,
): Promise<void> {
  const started = await newRun(
    checkExperiment("bench", experiment as Experiment),
    { file: "bench", set: [] },
    { out: folder },
  );
  started.observe("bench", (event) => {
    if (event.type !== "skipped") watch(event, started);
  });
  const outcome = await started.start();
  if (outcome.outcome === "failed") throw outcome.error;
}

/** The win share of an agent in the only match of an experiment; a draw counts half. */
export async function winShare(experiment: object, agent: string, folder: string): Promise<number> {
  let result: MatchResult | undefined;
  await run(experiment, folder, (event) => {
    if (event.type === "match") result = event;
  });
  const pair = result?.contest?.pairs.find((each) => each.agent === agent);
  if (pair === undefined) throw new Error("the match gave no result");
  return pair.score.value;
}
